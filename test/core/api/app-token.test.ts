import { type BankClientOptions, BankError, createBankClient, secret } from "ventanilla";
import { afterEach, describe, expect, test, vi } from "vitest";
import { promised } from "../../bank/service.ts";
import { readFault } from "./faults.ts";
import { createClient, FORM, localBank, SESSION_KEY, unknownStatus } from "./server.ts";

const TOKEN = "app.token-canary_77ab~/+==";

/** A client of an app, which has a token instead of an API key. */
const createApp = (baseUrl: string, options: Partial<BankClientOptions> = {}) =>
  createBankClient({ baseUrl, retry: false, appToken: TOKEN, ...options });

const RELAY = "https://relay.example";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("appToken", () => {
  test.each<[string, NonNullable<BankClientOptions["appToken"]>]>([
    ["a string", TOKEN],
    ["a secret", secret(TOKEN)],
    ["a function", () => TOKEN],
    ["an async function that returns a secret", async () => secret(TOKEN)],
  ])("as %s is sent with each request", async (_, appToken) => {
    const { fetch, requests } = localBank(unknownStatus);
    const client = createApp(RELAY, { fetch, appToken });
    await client.login(FORM);
    await client.listProviders();
    await client.logout(SESSION_KEY);
    expect(requests.map(({ headers }) => headers["authorization"])).toEqual(Array(3).fill(`Bearer ${TOKEN}`));
    expect(requests.map(({ url }) => url).join()).not.toContain(encodeURIComponent(TOKEN));
  });

  test("is optional: without it there is no Authorization header", async () => {
    const { fetch, requests } = localBank(unknownStatus);
    await createBankClient({ baseUrl: RELAY, fetch }).listProviders();
    await createClient(RELAY, { fetch }).listProviders();
    expect(requests.map(({ headers }) => headers["authorization"])).toEqual([undefined, undefined]);
  });

  test("as a function is called before each try of a read, so that a new token replaces an expired one", async () => {
    const { fetch, requests } = localBank({ http: 503, text: "" }, { http: 503, text: "" }, unknownStatus);
    let number = 0;
    await createApp(RELAY, { fetch, appToken: () => `token-${++number}`, retry: { delay: 1 } }).listProviders();
    expect(requests.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer token-1",
      "Bearer token-2",
      "Bearer token-3",
    ]);
  });

  test.each([[""], ["two words"], ["a,b"], ["line\nbreak"], ["ñ"], ["=a"], [undefined], [null], [7], [{}]])(
    "is refused if it is %j, and nothing is sent",
    async (given) => {
      const { fetch, requests } = localBank(unknownStatus);
      const appToken = given as string;
      expect(() => createApp(RELAY, { appToken })).toThrow(expect.objectContaining({ field: "appToken" }));
      const fault = await readFault(createApp(RELAY, { fetch, appToken: () => appToken }).login(FORM));
      expect(fault).toMatchObject({ field: "appToken" });
      if (given === "a,b")
        expect(fault.detail).toBe("must be letters, digits and -._~+/ alone, with or without = at the end");
      if (typeof given === "string" && given) expect(fault.message).not.toContain(given);
      expect(requests).toEqual([]);
    },
  );

  test("is refused beside an apiKey", () => {
    const both = () => createBankClient({ baseUrl: "https://bank.example", apiKey: "k", appToken: TOKEN });
    expect(both).toThrow(
      new BankError("invalid_input", { field: "appToken", detail: "is for a relay: leave out apiKey" }),
    );
  });
});

describe("appToken as a function", () => {
  test("sends nothing if it throws; what it threw is the cause", async () => {
    const { fetch, requests } = localBank(unknownStatus);
    const failing = (message: string) => () => {
      throw new RangeError(message);
    };
    const fault = await readFault(createApp(RELAY, { fetch, appToken: failing("no network") }).login(FORM));
    expect(fault).toBeInstanceOf(BankError);
    expect(fault).toMatchObject({ code: "handler_failed", field: "appToken", cause: new RangeError("no network") });
    expect(requests).toEqual([]);
  });

  test.each([
    ["the time-out", "request_timed_out", false],
    ["an abort", "request_aborted", true],
  ])("sends nothing if it returns after %s, even if the given fetch ignores its signal", async (_, code, isAborted) => {
    const { fetch, requests } = localBank(unknownStatus);
    const caller = new AbortController();
    const token = promised<string>();
    const client = createApp(RELAY, {
      fetch,
      timeout: { login: 20 },
      appToken: () => {
        if (isAborted) caller.abort();
        return token.promise;
      },
    });
    expect((await readFault(client.login(FORM, { signal: caller.signal }))).code).toBe(code);
    token.keep(TOKEN);
    await new Promise(setImmediate);
    expect(requests).toEqual([]);
  });
});

test("without crypto, as in React Native, each login has its own attempt id", async () => {
  const { fetch, requests } = localBank(unknownStatus);
  vi.stubGlobal("crypto", undefined);
  const client = createApp(RELAY, { fetch });
  for (const _ of [1, 2, 3]) await client.login(FORM);
  const ids = requests.map(({ headers }) => headers["x-attempt-id"]);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(new Set(ids).size).toBe(3);
});
