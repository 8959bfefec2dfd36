import { describeDatabase } from "./database-faults.ts";
import { postgres } from "./postgres-database.ts";

// The other half of its table is in postgres-faults.full.ts; Redis has that half in the gate.
describeDatabase("Postgres", postgres, { killed: "after", stopped: "before", instance: "after" });
