import { killedHost, sharedSessions, threeHosts } from "./database-scenarios.ts";

// Each scenario in one database; in the other one, in databases.full.ts. Sessions in a Redis are in serve/store-outage.gate.ts too.
threeHosts("Postgres");
killedHost("Redis");
sharedSessions("Postgres");
