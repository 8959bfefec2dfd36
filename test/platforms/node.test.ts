import { describe } from "vitest";
import { sendsOnce } from "./sent-once.ts";

describe("Node sends once", () => {
  // Its fetch, as the standard has it, hides an answer that asks for a proxy's password.
  sendsOnce([process.execPath], ({ fault }) => (fault.httpStatus === 407 ? "network_failed" : undefined));
});
