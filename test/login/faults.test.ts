import { AbortedError, type BankError, ContractError, HandlerError, login } from "ventanilla";
import { describe, expect, test } from "vitest";
import { asks, type Line, loggedIn, person, startService } from "../bank/service.ts";

const request = "POST /login/";

// Broken connections: test/faults.
const faults: [what: string, line: Line, member: string][] = [
  ["an empty key", loggedIn(""), "key"],
  ["an interaction without a field", { json: { status: "interaction_required", key: "key-1", context: "?" } }, "field"],
];

describe("a response against the contract makes the login reject without a retry:", () => {
  const expected = (field: string) => ({ code: "response_against_contract", request, httpStatus: 200, field });

  test.each(faults)("%s at the first login", async (_, line, field) => {
    const service = await startService([line]);
    const client = service.client({ retry: { limit: 5, delay: 0 } });
    const error = await login(client, person).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(ContractError);
    expect({ ...(error as BankError) }).toEqual(expected(field));
    expect((error as BankError).cause).toBeUndefined();
    expect(service.lines()).toEqual(["POST /login/"]);
  });

  test.each(faults)("%s at the second login", async (_, line, field) => {
    const service = await startService([asks("otp", "key-1"), line]);
    const client = service.client({ retry: { limit: 5, delay: 0 } });
    // A second login may answer without a key, but not with an empty one.
    await expect(login(client, { ...person, onInteraction: () => "8888" })).rejects.toMatchObject(expected(field));
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key-1"]);
  });
});

describe("login rejects and sends nothing", () => {
  test("if the client's signal is aborted", async () => {
    const service = await startService([loggedIn("key-1")]);
    const client = service.client({ signal: AbortSignal.abort() });
    const error = await login(client, person).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ code: "request_aborted", request });
    expect(service.requests).toEqual([]);
  });

  test("if the client's hook throws", async () => {
    const service = await startService([loggedIn("key-1")]);
    const client = service.client({
      onRequest: () => {
        throw new RangeError("hunter two");
      },
    });
    const error = await login(client, person).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(HandlerError);
    expect(error).toMatchObject({ code: "handler_failed", field: "onRequest", detail: "threw RangeError" });
    expect(service.requests).toEqual([]);
  });
});
