import { fullFolder, readOnlySessions, sharedSessions } from "./database-scenarios.ts";

// In Redis: databases.full.ts. Sessions in a Redis are in serve/store-outage.gate.ts too.
sharedSessions("Postgres");
readOnlySessions("Postgres");
readOnlySessions("Redis");
fullFolder();
