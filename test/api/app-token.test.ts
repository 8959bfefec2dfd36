import { type BankClientOptions, createBankClient, HandlerError, InputError, isSecret, secret } from "ventanilla";
import { afterEach, describe, expect, test, vi } from "vitest";
import { expectNoneOf, readFault } from "./faults.ts";
import { createClient, FORM, SESSION_KEY, serveResponses } from "./server.ts";

const TOKEN = "app.token-canary_77ab~/+==";
const UNKNOWN = { json: { status: "unheard_of" } };

const createApp = (baseUrl: string, options: Partial<BankClientOptions> = {}) =>
  createBankClient({ baseUrl, retry: false, appToken: TOKEN, ...options });

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the token of an app", () => {
  test.each<[string, NonNullable<BankClientOptions["appToken"]>]>([
    ["a string", TOKEN],
    ["a secret", secret(TOKEN)],
    ["a function", () => TOKEN],
    ["a function that gives a secret later", async () => secret(TOKEN)],
  ])("goes with each request, given as %s", async (_, appToken) => {
    const { url, requests } = await serveResponses(UNKNOWN);
    const client = createApp(url, { appToken });
    await client.login(FORM);
    await client.listProviders();
    await client.logout(SESSION_KEY);
    expect(requests.map(({ headers }) => headers["authorization"])).toEqual(Array(3).fill(`Bearer ${TOKEN}`));
    expect(requests.map(({ url }) => url).join()).not.toContain(encodeURIComponent(TOKEN));
  });

  test("is absent where none is given", async () => {
    const { url, requests } = await serveResponses(UNKNOWN);
    await createBankClient({ baseUrl: url }).listProviders();
    await createClient(url).listProviders();
    expect(requests.map(({ headers }) => headers["authorization"])).toEqual([undefined, undefined]);
  });

  test("is asked for again before each try of a read, so that a new one replaces one that has expired", async () => {
    const { url, requests } = await serveResponses({ http: 503, text: "" }, { http: 503, text: "" }, UNKNOWN);
    let number = 0;
    await createApp(url, { appToken: () => `token-${++number}`, retry: { delay: 1 } }).listProviders();
    expect(requests.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer token-1",
      "Bearer token-2",
      "Bearer token-3",
    ]);
  });

  test.each([[""], ["two words"], ["a,b"], ["line\nbreak"], ["ñ"], ["=a"], [undefined], [null], [7], [{}]])(
    "%j is refused, and nothing is sent",
    async (given) => {
      const { url, requests } = await serveResponses(UNKNOWN);
      const appToken = given as string;
      expect(() => createApp(url, { appToken })).toThrow(expect.objectContaining({ field: "appToken" }));
      const fault = await readFault(createApp(url, { appToken: () => appToken }).login(FORM));
      expect(fault).toMatchObject({ field: "appToken" });
      if (typeof given === "string" && given) expect(fault.message).not.toContain(given);
      expect(requests).toEqual([]);
    },
  );

  test("is for a relay, which has the API key", () => {
    const both = () => createBankClient({ baseUrl: "https://bank.example", apiKey: "k", appToken: TOKEN });
    expect(both).toThrow(
      new InputError("invalid_input", { field: "appToken", detail: "is for a relay: leave out apiKey" }),
    );
  });
});

describe("where the function that gives the token", () => {
  test("throws, nothing is sent, and a secret that it threw is not shown", async () => {
    const { url, requests } = await serveResponses(UNKNOWN);
    const failing = (message: string) => () => {
      throw new RangeError(message);
    };
    const fault = await readFault(createApp(url, { appToken: failing("no network") }).login(FORM));
    expect(fault).toBeInstanceOf(HandlerError);
    expect(fault).toMatchObject({ code: "handler_failed", field: "appToken", cause: new RangeError("no network") });
    const leaking = await readFault(createApp(url, { appToken: failing(FORM.password) }).login(FORM));
    expect(leaking).not.toHaveProperty("cause");
    expectNoneOf([FORM.password], leaking);
    expect(requests).toEqual([]);
  });

  test("never ends, the request is given up in time", async () => {
    const { url, requests } = await serveResponses(UNKNOWN);
    const fault = await readFault(
      createApp(url, { appToken: () => new Promise(() => {}), timeout: { login: 20 } }).login(FORM),
    );
    expect(fault.code).toBe("request_timed_out");
    expect(requests).toEqual([]);
  });

  test.each([
    ["the time-out", "request_timed_out", false],
    ["the caller's signal", "request_aborted", true],
  ])(
    "ends after %s, nothing is sent, not even by a fetch that does not look at its signal",
    async (_, code, isAborted) => {
      const sent: unknown[] = [];
      const caller = new AbortController();
      let give: (token: string) => void = () => expect.fail("no token was asked for");
      const client = createApp("https://relay.example", {
        timeout: { login: 20 },
        appToken: () => {
          if (isAborted) caller.abort();
          return new Promise<string>((resolve) => {
            give = resolve;
          });
        },
        fetch: async (input) => {
          sent.push(input);
          return Response.json({ status: "unheard_of" });
        },
      });
      expect((await readFault(client.login(FORM, { signal: caller.signal }))).code).toBe(code);
      give(TOKEN);
      await new Promise(setImmediate);
      expect(sent).toEqual([]);
    },
  );
});

describe("nothing shows the token:", () => {
  test("no hook, no text of the service's, and no error", async () => {
    const echo = `You sent ${TOKEN}`;
    const interaction = { status: "interaction_required", key: SESSION_KEY, field: "otp", context: echo };
    const { url } = await serveResponses({ json: interaction }, { http: 500, text: echo }, "broken", {
      http: 302,
      text: "",
    });
    const seen: unknown[] = [];
    const client = createApp(url, { onRequest: (event) => seen.push(event), onResponse: (event) => seen.push(event) });
    const response = await client.login(FORM);
    expect(response).toMatchObject({ context: "You sent [secret]" });
    if (response.status === "interaction_required") expect(isSecret(response.key)).toBe(true);
    for (const _ of [1, 2, 3]) seen.push(await readFault(client.login(FORM)));
    expectNoneOf([TOKEN], [client, seen, response]);
  });

  test("a later response is cleared of the token of the login, when another one is sent", async () => {
    const { url } = await serveResponses(
      { json: { status: "interaction_required", key: SESSION_KEY, field: "otp", context: "Code" } },
      {
        json: { status: "interaction_required", key: SESSION_KEY, field: "otp", context: "token-first, token-second" },
      },
    );
    const tokens = ["token-first", "token-second"];
    const client = createApp(url, { appToken: () => tokens.shift() ?? "" });
    const first = await client.login(FORM);
    if (first.status !== "interaction_required" || !first.key) expect.fail(first.status);
    expect(await client.login({ ...FORM, otp: "1" }, { key: first.key })).toMatchObject({
      context: "[secret], [secret]",
    });
  });

  test("a redirect carries it nowhere", async () => {
    const other = await serveResponses(UNKNOWN);
    const { url } = await serveResponses({ http: 307, text: "", headers: { location: `${other.url}/login/` } });
    expect((await readFault(createApp(url).login(FORM))).code).toBe("redirect_refused");
    expect((await readFault(createApp(url).listProviders())).code).toBe("redirect_refused");
    expect(other.requests).toEqual([]);
  });
});

test("without crypto, as in React Native, each request that is sent once has an attempt id of its own", async () => {
  const { url, requests } = await serveResponses(UNKNOWN);
  vi.stubGlobal("crypto", undefined);
  const client = createApp(url);
  for (const _ of [1, 2, 3]) await client.login(FORM);
  const ids = requests.map(({ headers }) => headers["x-attempt-id"]);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(new Set(ids).size).toBe(3);
});
