import { describeDatabase } from "./database-faults.ts";
import { redis } from "./redis-database.ts";

describeDatabase("Redis", redis, { killed: "after", stopped: "before", instance: "after" });
