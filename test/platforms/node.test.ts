import { describe } from "vitest";
import { proxyPassword, sendsOnce } from "./sent-once.ts";

describe("Node sends once", () => {
  sendsOnce([process.execPath], proxyPassword);
});
