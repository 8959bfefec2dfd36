import { createRelayClient, type RelayClientOptions, type RelayHeaders, secret } from "ventanilla";
import { afterEach, describe, expect, test, vi } from "vitest";
import { formatRelayKey, parseLoginName } from "../../../src/core/api/relay-login.ts";
import { promised } from "../../bank/service.ts";
import { readFault } from "./faults.ts";
import { FORM, localBank, unknownStatus } from "./local-bank.ts";

const TOKEN = "Bearer page-token.canary_31f0";
const RELAY = "https://relay.example";

const createPage = (options: Partial<RelayClientOptions>) =>
  createRelayClient({ baseUrl: RELAY, retry: false, ...options });

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("headers", () => {
  test.each<[string, NonNullable<RelayClientOptions["headers"]>]>([
    ["an object", { Authorization: TOKEN, "x-tenant": "7" }],
    ["an object of secrets", { authorization: secret(TOKEN), "X-Tenant": secret("7") }],
    ["a function", () => ({ authorization: TOKEN, "x-tenant": "7" })],
    ["an async function", async () => ({ authorization: secret(TOKEN), "x-tenant": "7" })],
  ])("as %s are sent with each request", async (_, headers) => {
    const { fetch, requests } = localBank(unknownStatus);
    const client = createPage({ fetch, headers });
    await client.login(FORM);
    await client.listProviders();
    await client.logout(formatRelayKey({ ...parseLoginName(), step: "step-1" }));
    expect(requests.map(({ headers }) => [headers["authorization"], headers["x-tenant"]])).toEqual(
      Array(3).fill([TOKEN, "7"]),
    );
  });

  test("as a function are asked for before each try of a read, so that a new token replaces an expired one", async () => {
    const { fetch, requests } = localBank({ http: 503, text: "" }, unknownStatus);
    let number = 0;
    const headers = () => ({ authorization: `${++number}` });
    await createPage({ fetch, headers, retry: { delay: 1 } }).listProviders();
    expect(requests.map(({ headers }) => headers["authorization"])).toEqual(["1", "2"]);
  });

  test("of a function that returns none are none", async () => {
    const { fetch, requests } = localBank(unknownStatus);
    await createPage({ fetch, headers: () => ({}) }).login(FORM);
    expect(requests[0]?.headers).not.toHaveProperty("authorization");
  });

  const wrong: readonly [field: string, given: unknown, secretText?: string][] = [
    ["headers.X-Session-Key", { "X-Session-Key": "stolen" }],
    ["headers.x-ventanilla-login", { "x-ventanilla-login": "of-another-login" }],
    ["headers.X-Ventanilla-Token", { "X-Ventanilla-Token": "stolen" }],
    ["headers.x-ventanilla-submit", { "x-ventanilla-submit": "7" }],
    ["headers.content-type", { "content-type": "text/plain" }],
    ["headers.Content-Length", { "Content-Length": "1" }],
    ["headers.X-API-Key", { "X-API-Key": "stolen" }],
    ["headers.x-ventanilla", { "x-ventanilla": "2" }],
    ["headers.accept", { accept: "text/html" }],
    ["headers.authorization", { authorization: "canary\r\nx-evil: 1" }],
    ["headers.authorization", { authorization: "" }],
    ["headers.authorization", { authorization: undefined }],
    ["headers.authorization", { authorization: "señal-canary" }],
    ["headers", { "a b": "canary" }],
    ["headers", { "": "canary" }],
    ["headers", "canary"],
    ["headers", null],
  ];
  test.each(wrong)("%s %j is refused, and nothing is sent", async (field, given) => {
    const { fetch, requests } = localBank(unknownStatus);
    const headers = given as RelayHeaders;
    expect(() => createPage({ headers })).toThrow(expect.objectContaining({ code: "invalid_input", field }));
    const fault = await readFault(createPage({ fetch, headers: () => headers }).login(FORM));
    expect(fault).toMatchObject({ code: "invalid_input", field });
    expect(fault.message).not.toMatch(/canary|stolen/);
    expect(requests).toEqual([]);
  });

  test("of a function that throws: nothing is sent, and what it threw is the cause", async () => {
    const { fetch, requests } = localBank(unknownStatus);
    const cause = new RangeError("signed out");
    const fault = await readFault(createPage({ fetch, headers: () => Promise.reject(cause) }).login(FORM));
    expect(fault).toMatchObject({ code: "handler_failed", field: "headers", cause });
    expect(requests).toEqual([]);
  });

  test.each([
    ["the time-out", "request_timed_out", false],
    ["an abort", "request_aborted", true],
  ])(
    "of a function that returns them after %s: nothing is sent, whatever the given fetch does",
    async (_, code, isAborted) => {
      const { fetch, requests } = localBank(unknownStatus);
      const caller = new AbortController();
      const token = promised<RelayHeaders>();
      const client = createPage({
        fetch,
        timeout: { login: 20 },
        headers: () => {
          if (isAborted) caller.abort();
          return token.promise;
        },
      });
      expect((await readFault(client.login(FORM, { signal: caller.signal }))).code).toBe(code);
      token.keep({ authorization: TOKEN });
      await new Promise(setImmediate);
      expect(requests).toEqual([]);
    },
  );
});
