import { killedHost, sharedSessions, threeHosts } from "./database-scenarios.ts";

threeHosts("Redis");
killedHost("Postgres");
sharedSessions("Redis");
