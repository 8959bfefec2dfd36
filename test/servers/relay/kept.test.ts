import { createRelayClient } from "ventanilla";
import { createRelay, type RelayOptions } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { RelayLogin } from "../../../src/core/api/relay-login.ts";
import { promised } from "../../bank/service.ts";
import {
  ANSWER,
  CHOOSER,
  collectWarnings,
  createLogin,
  faulty,
  form,
  OTP,
  PAGE,
  PLAIN,
  readResponse,
  refused,
  type Stage,
  type StatusAndBody,
  stage,
} from "./stage.ts";

const BLOCKED = { provider: "faro_uy", username: "sessions", password: "s3creto" };
const invalidKey = refused(403, "Invalid key");
const unknownSubmit: StatusAndBody = [404, { status: "unknown_submit" }];
const outcomeUnknown = faulty(409, "outcome_unknown");
const loggedIn = (number: number): StatusAndBody => [200, { status: "logged_in", key: `step-${number}` }];
const cancelled = (may_have_arrived: boolean): StatusAndBody => [200, { status: "cancelled", may_have_arrived }];

/** What a page sends of one login, as its headers are written. */
function createPage({ send }: Pick<Stage, "send">, headers: Record<string, string> = {}, login = createLogin()) {
  const name = { "x-ventanilla-login": login.id, "x-ventanilla-token": login.token };
  const request = async (path: string, init: RequestInit, number: number, step?: number): Promise<StatusAndBody> => {
    const own = {
      ...name,
      "x-ventanilla-submit": String(number),
      ...(step && { "x-session-key": `step-${step}` }),
      ...headers,
    };
    return readResponse(
      await send(path, { ...init, headers: { ...own, ...(init.headers as Record<string, string>) } }),
    );
  };
  return {
    login,
    submit: (fields: Record<string, string>, number: number, step?: number) =>
      request("/login/", form(fields), number, step),
    read: (path: string, number: number, step?: number) => request(path, {}, number, step),
    ask: (number: number) => request("/submit/", {}, number),
    cancel: () => request("/cancel/", { method: "POST" }, 1),
  };
}

/** A relay whose store is looked into. @param isShared whether other processes could have it. */
function createStore(isShared = false) {
  const rows = new Map<string, { readonly text: string; readonly expiresAt: number }>();
  const { startedAt: _, ...shared } = createMemoryStore({ rows });
  return { rows, store: isShared ? shared : createMemoryStore({ rows }) };
}

const users: Partial<RelayOptions> = { readUser: ({ request }) => request.headers.get("x-user") ?? undefined };

/** Lets the bank wait with its responses to logins. */
async function stageHeld(options: Partial<RelayOptions> = {}) {
  const { promise, keep: respond } = promised();
  const set = await stage();
  const client = {
    ...set.client,
    login: (...call: Parameters<typeof set.client.login>) => promise.then(() => set.client.login(...call)),
  };
  return { respond, set: await stage({ client, ...options }, { bank: set.bank }) };
}

describe("a submit", () => {
  test("that the browser repeats, or a second tab sends, reaches the bank once, and each gets its result", async () => {
    const set = await stage();
    const page = createPage(set);
    const [first, ...repeats] = await Promise.all([1, 2, 3].map(() => page.submit(OTP, 1)));
    expect(first).toMatchObject([200, { status: "interaction_required", key: "step-1", number: 1, field: "otp" }]);
    for (const [http, body] of repeats)
      expect([http, { ...Object(body), time_left: 0 }]).toEqual([200, { ...Object(first?.[1]), time_left: 0 }]);
    expect(await Promise.all(["8888", "0000"].map((otp) => page.submit({ provider: "test", otp }, 2, 1)))).toEqual([
      loggedIn(2),
      loggedIn(2),
    ]);
    expect(set.bank.paths().filter((path) => path.startsWith("POST"))).toHaveLength(2);
    expect(set.logins).toHaveLength(1);
  });

  test("waits at another instance for what the first one has sent", async () => {
    const { store } = createStore(true);
    const { set, respond } = await stageHeld({ store });
    const other = await stage({ store }, { bank: set.bank });
    const page = createPage(set);
    const first = page.submit(PLAIN, 1);
    await expect.poll(() => store.read(`login:${page.login.id}`)).toBeDefined();
    const second = createPage(other, {}, page.login).submit(PLAIN, 1);
    respond();
    expect(await Promise.all([first, second])).toEqual([loggedIn(1), loggedIn(1)]);
    expect(set.bank.requests).toHaveLength(1);
  });

  test("that has not come is refused when it comes, and the next one is sent", async () => {
    const set = await stage();
    const page = createPage(set);
    expect(await page.ask(1)).toEqual(unknownSubmit);
    expect(await page.submit(PLAIN, 1)).toEqual(unknownSubmit);
    expect(set.bank.requests).toEqual([]);
    expect(await page.submit(PLAIN, 2)).toEqual(loggedIn(2));
  });

  test("after a restart of a relay with the memory store warns once, and nothing is sent", async () => {
    const before = await stage();
    const pages = [createPage(before), createPage(before)];
    for (const page of pages) expect(await page.submit(OTP, 1)).toMatchObject([200, { key: "step-1" }]);
    const warnings = collectWarnings();
    const set = await stage({}, { bank: before.bank });
    set.bank.requests.length = 0;
    for (const { login } of pages) {
      const page = createPage(set, {}, login);
      expect(await page.submit(ANSWER, 2, 1)).toEqual(invalidKey);
      expect(await page.ask(2)).toEqual(outcomeUnknown);
    }
    expect(warnings.filter((text) => text.includes("several instances need one store"))).toHaveLength(1);
    expect(set.bank.requests).toEqual([]);
  });

  test("of a process that has ended is not called unsent by the next one, whose store began with it", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const set = await stage({ store: { ...createStore().store, startedAt: 1_000_000 } });
    expect(await createPage(set).ask(1)).toEqual(outcomeUnknown);
    vi.setSystemTime(1_300_000);
    expect(await createPage(set).ask(1)).toEqual(unknownSubmit);
  });

  test("needs the name of its login, and its number", async () => {
    const { send } = await stage();
    const answers = ["x-ventanilla-login", "x-ventanilla-token", "x-ventanilla-submit"].map(async (name) =>
      readResponse(await send("/login/", form(PLAIN, { [name]: "" }))),
    );
    expect(await Promise.all(answers)).toEqual([
      refused(400, "Headers X-Ventanilla-Login and X-Ventanilla-Token missing"),
      refused(400, "Headers X-Ventanilla-Login and X-Ventanilla-Token missing"),
      refused(400, "Header X-Ventanilla-Submit missing"),
    ]);
  });
});

test("another user, another token and an unknown id read the same, and write nothing", async () => {
  const { rows, store } = createStore();
  const set = await stage({ ...users, clientSelection: true, logout: true, store });
  const page = createPage(set, { "x-user": "ana" });
  await page.submit(OTP, 1);
  const reached = createPage(set, { "x-user": "ana" });
  await reached.submit(PLAIN, 1);
  set.bank.requests.length = 0;
  const before = JSON.stringify([...rows]);
  const token = "0".repeat(64);
  const strangers = [page, reached].flatMap(({ login }) => [
    createPage(set, { "x-user": "eva" }, login),
    createPage(set, { "x-user": "ana" }, { ...login, token }),
  ]);
  const unknown = createPage(set, { "x-user": "eva" });
  const look = async ({ submit, read, ask }: ReturnType<typeof createPage>, hasNumberOne: boolean) => [
    await submit(ANSWER, 2, 1),
    await ask(2),
    await read("/transfer/destinations", 1, 1),
    await read("/client/", 1, 1),
    await read("/client/0/", 2, 1),
    await read("/logout/", 2, 1),
    // The first number of an unknown one is written down.
    ...(hasNumberOne ? [await ask(1)] : []),
  ];
  const expected = await look(unknown, false);
  for (const stranger of strangers) expect(await look(stranger, true)).toEqual([...expected, unknownSubmit]);
  for (const stranger of strangers) expect(await stranger.submit(PLAIN, 1)).toEqual(invalidKey);
  expect(JSON.stringify([...rows])).toBe(before);
  expect(set.bank.requests).toEqual([]);
  expect(await page.submit(ANSWER, 2, 1)).toEqual(loggedIn(2));
});

describe("a login that its person leaves", () => {
  test("while the bank works says that, again too; the result is dropped, and the app gets nothing", async () => {
    const { store } = createStore();
    const { set, respond } = await stageHeld({ ...users, store });
    const page = createPage(set, { "x-user": "ana" });
    const response = page.submit(PLAIN, 1);
    await expect.poll(() => store.read(`login:${page.login.id}`)).toBeDefined();
    // Signed out: the token is enough.
    const left = createPage(set, {}, page.login);
    expect(await left.cancel()).toEqual(cancelled(true));
    respond();
    expect(await response).toEqual(invalidKey);
    expect(await left.cancel()).toEqual(cancelled(true));
    expect(set.logins).toEqual([]);
  });

  test("at a question can't be answered any more", async () => {
    const set = await stage();
    const page = createPage(set);
    await page.submit(OTP, 1);
    expect(await page.cancel()).toEqual(cancelled(false));
    expect(await page.submit(ANSWER, 2, 1)).toEqual(invalidKey);
    expect(set.bank.requests).toHaveLength(1);
  });

  test("after its session was reached leaves the session at the bank open", async () => {
    const set = await stage({ logout: true });
    const page = createPage(set);
    await page.submit(PLAIN, 1);
    await page.cancel();
    expect(await page.read("/transfer/destinations", 1, 1)).toEqual(invalidKey);
    expect(set.bank.paths()).toEqual(["POST /login/"]);
    expect(set.logins).toHaveLength(1);
  });

  test("of somebody else says what an unknown one does, and changes nothing", async () => {
    const { rows, store } = createStore();
    const set = await stage({ store });
    const page = createPage(set);
    await page.submit(OTP, 1);
    const before = JSON.stringify([...rows]);
    const stranger: RelayLogin = { ...page.login, token: "0".repeat(64) };
    expect(await createPage(set, {}, stranger).cancel()).toEqual(cancelled(false));
    expect(JSON.stringify([...rows])).toBe(before);
    expect(await createPage(set).cancel()).toEqual(cancelled(false));
  });
});

test("an erased user has nothing left, a repeat says the same, and no request of the logins is sent", async () => {
  const { rows, store } = createStore();
  const set = await stage({ ...users, store });
  const pages = [OTP, PLAIN].map((fields) => ({ fields, page: createPage(set, { "x-user": "ana" }) }));
  for (const { page, fields } of pages) await page.submit(fields, 1);
  expect(await set.relay.erase("ana")).toEqual({ logins: 2, mayHaveArrived: 2 });
  expect(await set.relay.erase("ana")).toEqual({ logins: 0, mayHaveArrived: 2 });
  expect(await set.relay.erase("eva")).toEqual({ logins: 0, mayHaveArrived: 0 });
  set.bank.requests.length = 0;
  for (const { page, fields } of pages) {
    expect(await page.submit(fields, 1)).toEqual(invalidKey);
    expect(await page.submit(ANSWER, 2, 1)).toEqual(invalidKey);
    expect(await page.ask(1)).toEqual(outcomeUnknown);
    expect(await createPage(set, { "x-user": "eva" }, page.login).ask(1)).toEqual(unknownSubmit);
    expect(await createPage(set, { "x-user": "eva" }, page.login).submit(fields, 1)).toEqual(invalidKey);
  }
  expect(await set.relay.erase("eva")).toEqual({ logins: 0, mayHaveArrived: 0 });
  expect(set.bank.requests).toEqual([]);
  expect(JSON.stringify([...rows])).not.toMatch(/12345|asdfg|gfdsa/);
});

describe("a session", () => {
  test("has its destinations, also after a repeat of its login, and one logout closes it", async () => {
    const set = await stage({ logout: true });
    const page = createPage(set);
    await page.submit(PLAIN, 1);
    expect(await page.submit(PLAIN, 1)).toEqual(loggedIn(1));
    expect(await page.read("/transfer/destinations", 1, 1)).toMatchObject([200, { status: "success" }]);
    expect(await Promise.all([1, 2].map(() => page.read("/logout/", 2, 1)))).toEqual(
      Array(2).fill([200, { status: "logged_out" }]),
    );
    expect(await page.ask(2)).toEqual([200, { status: "logged_out" }]);
    expect(await page.read("/transfer/destinations", 1, 1)).toEqual(invalidKey);
    expect(set.bank.paths().filter((path) => path.startsWith("GET /logout/"))).toHaveLength(1);
  });

  test("that the app can't take does not start for the page", async () => {
    const set = await stage({ onLogin: () => Promise.reject(new Error("full")) });
    const page = createPage(set);
    expect(await page.submit(PLAIN, 1)).toEqual(faulty(500, "http_failed"));
    expect(await page.ask(1)).toEqual(faulty(500, "http_failed"));
    expect(await page.read("/transfer/destinations", 1, 1)).toEqual(invalidKey);
    expect(set.errors).toMatchObject([{ code: "handler_failed", field: "onLogin" }]);
  });

  test("of a chosen client is reached once, and a choice that the bank does not know leaves the others", async () => {
    const set = await stage({ clientSelection: true });
    const page = createPage(set);
    expect(await page.submit(CHOOSER, 1)).toEqual([200, { status: "select_client", key: "step-1" }]);
    const [, { clients }] = (await page.read("/client/", 1, 1)) as [number, { clients: object }];
    const [first = ""] = Object.keys(clients);
    expect((await page.read("/client/nobody/", 2, 1))[0]).toBe(404);
    const chosen: StatusAndBody = [200, { status: "success", key: "step-2" }];
    expect(await page.read(`/client/${first}/`, 2, 1)).toEqual(chosen);
    expect(await page.read(`/client/${first}/`, 2, 1)).toEqual(chosen);
    expect(set.logins).toHaveLength(1);
  });

  test("that stands in the way is closed, and the same login is sent again under its id", async () => {
    const set = await stage({ logout: true });
    const page = createPage(set);
    expect(await page.submit(BLOCKED, 1)).toMatchObject([403, { key: "step-1" }]);
    expect(await page.read("/logout/", 2, 1)).toEqual([200, { status: "logged_out" }]);
    expect(await page.submit(BLOCKED, 3)).toEqual(loggedIn(3));
    expect(set.logins).toMatchObject([{ id: page.login.id }]);
  });
});

test("a store that is full sends nothing, and says so", async () => {
  const set = await stage({ store: createMemoryStore({ rows: new Map(), limit: 1 }) });
  await createPage(set).submit(OTP, 1);
  expect((await createPage(set).submit(PLAIN, 1))[0]).toBe(500);
  expect(set.errors).toMatchObject([{ code: "handler_failed", field: "store" }]);
  expect(set.bank.requests).toHaveLength(1);
});

test.each([
  ["without users", {}, 7],
  ["with users", users, 9],
])("a login with a question costs at most ten operations of the store: %s", async (_, options, most) => {
  const { store } = createStore(true);
  let operations = 0;
  const counted = Object.fromEntries(
    Object.entries(store).map(([name, operate]) => [
      name,
      (...parameters: never[]) => {
        operations += 1;
        return (operate as (...parameters: never[]) => unknown)(...parameters);
      },
    ]),
  ) as typeof store;
  const set = await stage({ ...options, store: counted });
  const page = createPage(set, { "x-user": "ana" });
  await page.submit(OTP, 1);
  expect(await page.submit(ANSWER, 2, 1)).toEqual(loggedIn(2));
  expect(operations).toBeLessThanOrEqual(most);
});

test("a store that other processes can have needs a seal key", () => {
  const options = {
    client: createRelayClient({ baseUrl: "http://bank.test" }),
    allowedOrigins: [PAGE],
    readUser: false as const,
  };
  const create = () => createRelay({ ...options, store: createStore(true).store, onLogin: () => undefined });
  expect(create).toThrow(expect.objectContaining({ code: "invalid_input", field: "sealKey" }));
});
