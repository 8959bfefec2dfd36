import { describeDatabase } from "./database-faults.ts";
import { redis } from "./redis-database.ts";

// The other half of its table is in redis-faults.full.ts; Postgres has that half in the gate.
describeDatabase("Redis", redis, { killed: "before", stopped: "after", instance: "before" });
