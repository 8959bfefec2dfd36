import { BankError, createRelayClient, login } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  expectedSecret,
  failed,
  loggedIn,
  person,
  type Reply,
  startSandbox,
  startService,
} from "../../bank/service.ts";
import { freezeTime } from "../api/clock.ts";
import { localBank } from "../api/local-bank.ts";
import { logIn, start, submit } from "./started.ts";

const field = (name: string, members: { interactive?: boolean; optional?: boolean } = {}) => ({ name, ...members });
const asking = (...auth_fields: { name: string }[]) => ({
  json: { status: "success", provider: { name: "Test", auth_fields } },
});
const listed = [field("username"), field("password")];

const startWith = (fields: { name: string }[], typed: Record<string, string> = {}) =>
  logIn([asking(...fields), loggedIn("key-1")], { settings: { validate: true }, fields: typed });

// "Read GET /provider/{code}/ before logging in": contract, section 4.1.
describe("login", () => {
  test("reads the provider's fields, then sends the login", async () => {
    const { service, outcome } = await startWith([...listed, field("company_code")], { company_code: "7701" });
    expect(await outcome).toMatchObject({ state: "loggedIn", key: expectedSecret("key-1") });
    expect(service.lines()).toEqual(["GET /provider/test/", "POST /login/"]);
    expect(service.requests[1]?.form).toEqual({ ...person, company_code: "7701" });
  });

  test("reads them by default", async () => {
    const sandbox = await startSandbox();
    const account = { provider: "canal_pa", username: "newkey", password: "s3creto" };
    await expect(login(sandbox.client(), account)).rejects.toMatchObject({
      code: "missing_field",
      field: "company_code",
    });
    expect(sandbox.lines()).toEqual(["GET /provider/canal_pa/"]);
    const outcome = await login(sandbox.client(), { provider: "test", username: "12345", password: "gfdsa" });
    expect(outcome.state).toBe("loggedIn");
    expect(sandbox.lines().slice(1)).toEqual(["GET /provider/test/", "POST /login/"]);
  });

  test("with validate: false does not read the provider's fields", async () => {
    const { service, outcome } = await logIn([loggedIn("key-1")], { settings: { validate: false } });
    await outcome;
    expect(service.lines()).toEqual(["POST /login/"]);
  });

  test("that closes another session reads them once", async () => {
    const sandbox = await startSandbox();
    const account = { provider: "faro_uy", username: "sessions", password: "s3creto" };
    const settings = { sessionReplacement: true };
    expect((await login(sandbox.client({ directory: false }), account, { settings })).state).toBe("loggedIn");
    const paths = sandbox.lines().map((line) => line.replace(/\?.*/, ""));
    expect(paths).toEqual(["GET /provider/faro_uy/", "POST /login/", "GET /logout/", "POST /login/"]);
  });

  const tooEarly = { detail: "is an answer: the bank asks for it after the login" };
  const unlisted = { detail: "is not a field of the bank" };
  const otp = field("otp", { interactive: true });
  const company = field("company_code");
  test.each<[what: string, listed: { name: string }[], typed: Record<string, string>, string, string, object?]>([
    ["a field that is missing", [...listed, company], {}, "missing_field", "company_code"],
    ["a field that the bank does not list", listed, { shoe_size: "42" }, "invalid_input", "shoe_size", unlisted],
    ["the missing field before the unknown one", [company], { shoe_size: "42" }, "missing_field", "company_code"],
    ["an interactive field, which is too early", [...listed, otp], { otp: "8888" }, "invalid_input", "otp", tooEarly],
    ["a missing field called like a member of every object", [field("valueOf")], {}, "missing_field", "valueOf"],
  ])("names %s, and sends no login", async (_, fields, typed, code, name, more) => {
    const { service, outcome } = await startWith(fields, typed);
    const error = await outcome.catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(BankError);
    expect({ ...(error as BankError) }).toEqual({ code, field: name, ...more });
    expect(service.lines()).toEqual(["GET /provider/test/"]);
  });

  const type = { ...field("type"), type: "choice", choices: [{ name: "rut" }, { name: "ci" }] };
  const misplaced = { detail: "is not an option: the bank's own fields belong in `fields`" };
  const noChoice = { detail: "is none of the choices that the bank lists" };
  test("refuses a value that is no choice, and sends no login", async () => {
    const { service, outcome } = await startWith([...listed, type], { type: "RUT" });
    await expect(outcome).rejects.toMatchObject({ code: "invalid_input", field: "type", ...noChoice });
    expect(service.lines()).toEqual(["GET /provider/test/"]);
  });

  test("refuses a field beside the credentials, and sends nothing", async () => {
    const service = await startService([]);
    const credentials = { ...person, type: "rut" };
    await expect(login(service.client(), credentials)).rejects.toMatchObject({
      code: "invalid_input",
      field: "type",
      ...misplaced,
    });
    expect(service.lines()).toEqual([]);
  });

  test.each([
    ["a choice is one of the bank's", [...listed, type], { type: "ci" }],
    ["the bank lists the provider as a field", [field("provider"), ...listed], {}],
    ["an optional field is absent", [...listed, field("branch", { optional: true })], {}],
    ["an optional field is there", [...listed, field("branch", { optional: true })], { branch: "north" }],
    ["an interactive field is absent", [...listed, otp], {}],
    ["the bank doesn't list the username and the password", [], {}],
  ])("sends the login if %s", async (_, fields, typed) => {
    const { outcome } = await startWith(fields, typed);
    expect((await outcome).state).toBe("loggedIn");
  });

  test("ends with provider_doesnt_exist for an unknown provider, and sends no login", async () => {
    const sandbox = await startSandbox();
    const outcome = await login(sandbox.client(), { ...person, provider: "nobody" }, { settings: { validate: true } });
    expect(outcome).toStrictEqual({ ...failed("provider_doesnt_exist", { httpStatus: 404 }), provider: "nobody" });
    expect(sandbox.lines()).toEqual(["GET /provider/nobody/"]);
  });

  // A mock of the service mostly has POST /login/ alone.
  test.each<[string, Reply, code: string]>([
    ["are not served", { json: { status: "error", message: "no route" } }, "response_against_contract"],
    ["are not served, with HTTP 404", { http: 404, json: { status: "no_route" } }, "response_against_contract"],
    ["are against the contract", { json: { status: "success", provider: 5 } }, "response_against_contract"],
    ["are down", { http: 503, text: "" }, "service_unavailable"],
    ["break with a page of HTTP 500", { http: 500, text: "<html>" }, "http_failed"],
    ["take too long", { http: 408, text: "<html>" }, "http_failed"],
    ["come too early", { http: 425, text: "" }, "http_failed"],
    ["are empty", { text: "" }, "response_unreadable"],
    ["are half of their JSON", { text: '{"status":"success","prov' }, "response_unreadable"],
    ["are read too often", { http: 429, text: "" }, "rate_limited"],
    ["never come", "broken", "network_failed"],
  ])("goes on unchecked where the fields %s, and says so", async (_, reply, code) => {
    const { service, actor, reaches } = await start([reply, loggedIn("key-1")], { validate: true });
    const said: object[] = [];
    actor.on("fields.unchecked", (event) => said.push(event));
    actor.send(submit);
    await reaches("loggedIn");
    expect(service.lines()).toEqual(["GET /provider/test/", "POST /login/"]);
    expect(said).toMatchObject([{ type: "fields.unchecked", failure: { code } }]);
  });

  test.each<[string, Reply, string]>([
    ["a web page", { text: "<!doctype html><title>Welcome</title>" }, "response_unreadable"],
    ["a page for another address", { http: 404, text: "<html>" }, "http_failed"],
    ["another API's 404", { http: 404, json: { detail: "Not found" } }, "http_failed"],
    ["a proxy that lets nothing through", { http: 403, text: "<html>" }, "http_failed"],
    ["a redirect", { http: 302, headers: { location: "/en/" }, text: "" }, "redirect_refused"],
  ])("sends no password to an address that is not the service: %s", async (_, reply, code) => {
    const { service, actor, reaches } = await start([reply, loggedIn("key-1")], { validate: true });
    actor.send(submit);
    await reaches("failed");
    expect(actor.getSnapshot().context.failure).toMatchObject({
      kind: "fault",
      code,
      request: "GET /provider/{code}/",
    });
    expect(service.lines()).toEqual(["GET /provider/test/"]);
  });

  test("does not read the fields again before the answer is sent", async () => {
    const sandbox = await startSandbox();
    const outcome = await login(
      sandbox.client(),
      { provider: "test", username: "12345otp", password: "asdfg" },
      {
        settings: { validate: true },
        onInteraction: () => "8888",
      },
    );
    expect(outcome.state).toBe("loggedIn");
    expect(sandbox.lines()).toEqual([
      "GET /provider/test/",
      "POST /login/",
      expect.stringMatching(/^POST \/login\/\?key=/),
    ]);
  });
});

describe("fields that the bank has changed since they were kept", () => {
  beforeEach(freezeTime);
  afterEach(() => void vi.useRealTimers());

  const [READ, POST] = ["/provider/test/", "/login/"];
  const company = field("company_code");
  const branch = field("branch");
  const otp = field("otp");
  const answer = field("otp", { interactive: true });

  /** A login half an hour after the fields were kept, at a bank that has others now. */
  async function logInLate(before: { name: string }[], now: Reply, fields: Record<string, string>) {
    const bank = localBank(asking(...before), now, loggedIn("key-1"));
    const client = bank.client();
    await client.getProvider("test");
    vi.setSystemTime(Date.now() + 1_800_000);
    const result = await login(client, { ...person, fields }).then(
      (outcome) => (outcome.state === "failed" ? [outcome.failure.code] : [outcome.state]),
      ({ code, field: name }: BankError) => [code, name],
    );
    return { result, paths: bank.requests.slice(1).map(({ url }) => url) };
  }

  test.each<[string, { name: string }[], Reply, Record<string, string>, readonly unknown[], readonly string[]]>([
    ["one is gone, and it was left out", [...listed, company], asking(...listed), {}, ["loggedIn"], [READ, POST]],
    [
      "one is new, and it was typed",
      listed,
      asking(...listed, company),
      { company_code: "1" },
      ["loggedIn"],
      [READ, POST],
    ],
    [
      "one need not be filled in any more",
      [...listed, company],
      asking(...listed, field("company_code", { optional: true })),
      {},
      ["loggedIn"],
      [READ, POST],
    ],
    [
      "one is asked before the login now",
      [...listed, answer],
      asking(...listed, otp),
      { otp: "1" },
      ["loggedIn"],
      [READ, POST],
    ],
    ["another is needed now", [...listed, company], asking(...listed, branch), {}, ["missing_field", "branch"], [READ]],
    [
      "it is another one that is unknown",
      [...listed, company],
      asking(...listed),
      { branch: "1" },
      ["invalid_input", "branch"],
      [READ],
    ],
    [
      "the bank is gone",
      [...listed, company],
      { json: { status: "provider_doesnt_exist" } },
      {},
      ["provider_doesnt_exist"],
      [READ],
    ],
    ["they can't be read", [...listed, company], { http: 503, json: {} }, {}, ["loggedIn"], [READ, POST]],
    ["what was typed fits what is kept", listed, loggedIn("key-1"), {}, ["loggedIn"], [POST]],
  ])("%s", async (_, before, now, typed, result, paths) => {
    expect(await logInLate(before, now, typed)).toMatchObject({ result, paths });
  });

  test("are read again in a store's place too, and kept", async () => {
    const rows = new Map();
    const store = createMemoryStore({ rows });
    const bank = localBank(asking(...listed, company), asking(...listed), loggedIn("key-1"));
    const client = () => bank.client({ directory: { store } });
    await client().getProvider("test");
    await expect.poll(() => rows.size).toBe(1);
    vi.setSystemTime(Date.now() + 1_800_000);
    const late = client();
    expect((await login(late, person)).state).toBe("loggedIn");
    expect((await login(late, person)).state).toBe("loggedIn");
    expect(bank.requests.map(({ url }) => url)).toEqual([READ, READ, POST, POST]);
  });

  test("pass a relay that keeps them as well", async () => {
    const bank = localBank(asking(...listed, company), asking(...listed), loggedIn("key-1"));
    const relay = createRelay({
      client: bank.client(),
      store: createMemoryStore({ rows: new Map() }),
      allowedOrigins: [],
      checkAppToken: () => true,
      onLogin: () => {},
    });
    const fetch = (input: RequestInfo | URL, init?: RequestInit) => relay(new Request(input, init));
    const page = () =>
      createRelayClient({ baseUrl: "https://relay.example", fetch, headers: { authorization: "Bearer t" } });
    await page().getProvider("test");
    vi.setSystemTime(Date.now() + 1_800_000);
    expect((await login(page(), person)).state).toBe("loggedIn");
    expect(bank.requests.map(({ url }) => url)).toEqual([READ, READ, POST]);
  });
});

test("a refused login reads the fields once, and the next one at the same time likewise", async () => {
  const bank = localBank(asking(...listed, field("company_code")));
  const client = bank.client();
  const refused = { code: "missing_field", field: "company_code" };
  await Promise.all([1, 2].map(() => expect(login(client, person)).rejects.toMatchObject(refused)));
  expect(bank.requests).toHaveLength(1);
});
