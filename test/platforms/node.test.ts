import { describe } from "vitest";
import { proxyPassword, sendsOnce } from "./sent-once.ts";
import { kindsOfCodes } from "./table.ts";

describe("Node sends once", () => {
  sendsOnce([process.execPath], { exceptions: proxyPassword, codes: kindsOfCodes, first: ["login"] });
});
