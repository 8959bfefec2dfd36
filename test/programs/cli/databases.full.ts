import { sharedSessions } from "./database-scenarios.ts";

sharedSessions("Redis");
