import type { BankError } from "ventanilla";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readFault } from "./faults.ts";
import { createClient, FORM, LOCAL_URL } from "./local-bank.ts";

const banks = { status: "success", providers: [{ code: "b", country: "UY", name: "B" }] };
const clientOf = (response: () => Response) => createClient(LOCAL_URL, { fetch: async () => response() });

afterEach(() => vi.restoreAllMocks());

describe("a response object is the caller's or the platform's, and is only read:", () => {
  // As servers have it that replace the global `Response`.
  class ReadOnly extends Response {}
  Object.defineProperty(ReadOnly.prototype, "text", { get: () => Response.prototype.text });

  test.each([
    ["its text can't be written", (text: string) => new ReadOnly(text)],
    ["it is frozen", (text: string) => Object.freeze(new Response(text))],
    ["each write to it throws", (text: string) => readOnlyProxy(new Response(text))],
  ])("%s", async (_, respond) => {
    expect(await clientOf(() => respond(JSON.stringify(banks))).listProviders()).toMatchObject(banks);
    const session = JSON.stringify({ status: "logged_in", key: "k" });
    expect((await clientOf(() => respond(session)).login(FORM)).status).toBe("logged_in");
  });

  function readOnlyProxy(response: Response): Response {
    const refuse = () => {
      throw new TypeError("read-only");
    };
    return new Proxy(response, {
      set: refuse,
      defineProperty: refuse,
      get: (target, name) => {
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
});

describe("an error of our own code is no broken line:", () => {
  const secretive = () => {
    throw new RangeError(`at ${LOCAL_URL}/?key=canary-of-the-error`);
  };

  test("before the request has left it is unexpected_fault", async () => {
    const fetch = vi.fn();
    const client = createClient(LOCAL_URL, { fetch });
    vi.spyOn(performance, "now").mockImplementation(secretive);
    const fault = await readFault(client.login(FORM));
    expect(fault).toMatchObject({ code: "unexpected_fault", detail: "threw RangeError", request: "POST /login/" });
    expect(fetch).not.toHaveBeenCalled();
    expectSilent(fault);
  });

  test("afterwards a login may be at the bank, and a read has failed", async () => {
    const broken = () => Object.defineProperty(new Response("{}"), "status", { get: secretive });
    const fault = await readFault(clientOf(broken).login(FORM));
    expect(fault).toMatchObject({ code: "outcome_unknown", detail: "threw RangeError" });
    expectSilent(fault);
    expect(await readFault(clientOf(broken).listProviders())).toMatchObject({ code: "unexpected_fault" });
  });

  test("what fetch or the body throws is still a broken line", async () => {
    const breaking = () => new Response(new ReadableStream({ pull: secretive }));
    for (const client of [createClient(LOCAL_URL, { fetch: secretive }), clientOf(breaking)]) {
      expect((await readFault(client.listProviders())).code).toBe("network_failed");
      expectSilent(await readFault(client.login(FORM)));
    }
  });

  /** Neither the cause nor the message of what was thrown: both may quote a header or an address. */
  function expectSilent(fault: BankError): void {
    expect(fault.cause).toBeUndefined();
    expect(`${fault.message} ${fault.stack} ${JSON.stringify(fault)}`).not.toContain("canary-of-the-error");
  }
});
