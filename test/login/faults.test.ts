import { createServer } from "node:net";
import {
  AbortedError,
  BankError,
  ContractError,
  createBankClient,
  HandlerError,
  HttpError,
  login,
  NetworkError,
  RedirectError,
} from "ventanilla";
import { describe, expect, test } from "vitest";
import { asks, type Line, loggedIn, person, startService, unasked } from "../bank/service.ts";

const request = "POST /login/";
const html = { "content-type": "text/html" };

type FaultClass = { readonly name: string; new (...details: never): BankError };

const faults: [what: string, line: Line, type: FaultClass, members: Partial<BankError>][] = [
  ["a dead socket", "broken", NetworkError, { code: "network_failed", detail: "UND_ERR_SOCKET" }],
  ["a page", { text: "<h1>Hi</h1>", headers: html }, ContractError, { code: "response_unreadable", httpStatus: 200 }],
  ["half an answer", { text: '{"status":"logged_' }, ContractError, { code: "response_unreadable", httpStatus: 200 }],
  ["no status", { json: { key: "key-1" } }, ContractError, { code: "response_unreadable", httpStatus: 200 }],
  ["an empty key", loggedIn(""), ContractError, { code: "response_against_contract", httpStatus: 200, field: "key" }],
  [
    "a question about nothing",
    { json: { status: "interaction_required", key: "key-1", context: "?" } },
    ContractError,
    { code: "response_against_contract", httpStatus: 200, field: "field" },
  ],
  [
    "a redirect",
    { http: 307, headers: { location: "http://elsewhere.test/" }, text: "" },
    RedirectError,
    { code: "redirect_refused", httpStatus: 307 },
  ],
  ["a page at the door", { http: 403, text: "no" }, HttpError, { code: "access_refused", httpStatus: 403 }],
  [
    "a page about too many requests",
    { http: 429, text: "slow down", headers: { "retry-after": "7" } },
    HttpError,
    { code: "rate_limited", httpStatus: 429, retryAfter: 7000 },
  ],
  ["a page of a proxy", { http: 502, text: "bad" }, HttpError, { code: "service_unavailable", httpStatus: 502 }],
  ["a page of a failure", { http: 500, text: "oh" }, HttpError, { code: "http_failed", httpStatus: 500 }],
];

describe("what breaks rejects, and the login is sent once and no more", () => {
  test.each(faults)("%s at the first login", async (_, line, type, members) => {
    const service = await startService([line]);
    const client = service.client({ retry: { limit: 5, delay: 0 } });
    const error = await login(client, { ...person, onInteraction: unasked }).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(type);
    expect({ ...(error as BankError), name: (error as BankError).name }).toEqual({
      name: type.name,
      request,
      ...members,
    });
    expect((error as BankError).cause).toBeUndefined();
    expect(service.lines()).toEqual(["POST /login/"]);
  });

  test.each(faults)("%s at the second login", async (_, line, type, members) => {
    const service = await startService([asks("otp", "key-1"), line]);
    const client = service.client({ retry: { limit: 5, delay: 0 } });
    // A second login may answer without a key, but not with an empty one.
    await expect(login(client, { ...person, onInteraction: () => "8888" })).rejects.toMatchObject({
      name: type.name,
      ...members,
    });
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key-1"]);
  });

  test("nobody at the port", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const client = createBankClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "k" });
    await expect(login(client, { ...person, onInteraction: unasked })).rejects.toMatchObject({
      name: "NetworkError",
      code: "network_failed",
      request,
      detail: "ECONNREFUSED",
    });
  });

  test("an answer larger than the client reads", async () => {
    const service = await startService([{ text: `{"status":"logged_in","key":"${"k".repeat(100)}"}` }]);
    const client = service.client({ responseLimit: 50 });
    await expect(login(client, { ...person, onInteraction: unasked })).rejects.toMatchObject({
      name: "ContractError",
      code: "response_too_large",
      detail: "more than 50 bytes",
    });
  });

  test("a client that was shut down sends nothing", async () => {
    const service = await startService([loggedIn("key-1")]);
    const client = service.client({ signal: AbortSignal.abort() });
    const error = await login(client, { ...person, onInteraction: unasked }).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ code: "request_aborted", request });
    expect(service.requests).toEqual([]);
  });

  test("a hook of the client's that throws: nothing is sent", async () => {
    const service = await startService([loggedIn("key-1")]);
    const client = service.client({
      onRequest: () => {
        throw new RangeError("hunter two");
      },
    });
    const error = await login(client, { ...person, onInteraction: unasked }).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(HandlerError);
    expect(error).toMatchObject({ code: "handler_failed", field: "onRequest", detail: "threw RangeError" });
    expect(service.requests).toEqual([]);
  });

  test("a client of somebody else's that throws is told by name alone", async () => {
    const service = await startService([]);
    const client = { ...service.client(), login: () => Promise.reject(new RangeError("hunter two")) };
    const error = await login(client, { ...person, onInteraction: unasked }).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(BankError);
    expect({ ...(error as BankError), name: (error as BankError).name }).toEqual({
      name: "BankError",
      code: "unexpected_fault",
      detail: "threw RangeError",
    });
  });
});
