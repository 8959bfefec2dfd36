import { NetworkError } from "ventanilla";
import { expect, test } from "vitest";

/** What a statechart makes of errors that its requests throw. @param thrown the failure that it keeps of one. */
export function testFaults(thrown: (error: unknown) => unknown): void {
  test("a fault is kept with its code and its details", () => {
    const details = { field: "f", request: "POST /login/", httpStatus: 503, retryAfter: 1000, detail: "ECONNRESET" };
    const expected = { kind: "fault", code: "network_failed", ...details };
    expect(thrown(new NetworkError("network_failed", details))).toEqual(expected);
  });

  test("a fault that went through JSON is known by its code, and nothing else of it is kept", () => {
    const error = {
      code: "request_timed_out",
      message: "https://bank.example/?key=s3cret",
      stack: "s3cret",
      options: {},
    };
    expect(thrown(error)).toEqual({ kind: "fault", code: "request_timed_out" });
  });

  test.each([
    ["an error without a code", new TypeError("s3cret")],
    ["a code that is no text", { code: 500 }],
    ["an object without anything", {}],
    ["null", null],
    ["nothing", undefined],
    ["a text", "s3cret"],
  ])("%s is an unexpected fault, and its text is not kept", (_, error) => {
    expect(thrown(error)).toEqual({ kind: "fault", code: "unexpected_fault" });
  });
}
