import { describeDatabase } from "./database-faults.ts";
import { postgres } from "./postgres-database.ts";

describeDatabase("Postgres", postgres, { killed: "before", stopped: "after", instance: "before" });
