import {
  type BankClient,
  createBankClient,
  createCredentials,
  createRelayClient,
  type FailureCode,
  forgetKeptLogins,
  type LinkView,
  linkView,
  loginView,
  secret,
} from "ventanilla";
import { createRelay, type RelayOptions } from "ventanilla/relay";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, onTestFinished, test, vi } from "vitest";
import { waitFor } from "xstate";
import type { LoginStorage } from "../../../src/core/view/kept-login.ts";
import { createLinkActor, createLoginActor, type LinkScreenOptions } from "../../../src/core/view/screen-actor.ts";
import { promised } from "../../bank/service.ts";
import { asWords } from "../../leaks/canaries.ts";

/** `sessionStorage` of a tab, with what a tab before it has left there. */
function createTab(left = "", name = 'ventanilla ["http://relay.test",null,null]') {
  const texts = new Map(left ? [[name, left]] : []);
  const storage: LoginStorage = {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, value) => void texts.set(name, value),
    removeItem: (name) => void texts.delete(name),
  };
  return { ...storage, text: () => [...texts.values()].join(), names: () => [...texts.keys()] };
}

const sandbox = createSandbox();
const sandboxFetch: typeof fetch = (input, init) => sandbox(new Request(input, init));

/** A bank that can be held, a relay before it, and the pages of people. */
function createWorld(options: Partial<RelayOptions> = {}) {
  let logins = 0;
  let ready: Promise<void> = Promise.resolve();
  const relay = createRelay({
    client: createBankClient({
      baseUrl: "http://sandbox.test",
      apiKey: SANDBOX_API_KEY,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (request.method === "POST") {
          logins += 1;
          await ready;
        }
        return sandbox(request);
      },
    }),
    store: createMemoryStore({ rows: new Map() }),
    allowedOrigins: [],
    checkAppToken: () => true,
    readUser: ({ request }) => request.headers.get("x-user") ?? undefined,
    onLogin: () => {},
    rateLimit: false,
    ...options,
  });
  const toRelay: string[] = [];
  const dropped: string[] = [];
  const createClient = (user = "ana") =>
    createRelayClient({
      baseUrl: "http://relay.test",
      headers: { authorization: "Bearer token", "x-user": user },
      directory: false,
      retry: false,
      fetch: (input, init) => {
        const request = new Request(input, init);
        toRelay.push(`${request.method} ${new URL(request.url).pathname}`);
        const [lost] = dropped.splice(dropped.indexOf(request.method) >>> 0, 1);
        if (lost === "GET") return Promise.reject(new TypeError("no connection"));
        return lost ? new Promise(() => undefined) : relay(request);
      },
    });
  return {
    /** What the page has sent. */
    toRelay,
    createClient,
    /** A page of a person, on this tab. */
    open: (tab: LoginStorage, { user, ...screen }: LinkScreenOptions & { user?: string } = {}) =>
      createPage(createLinkActor(createClient(user), { keep: tab, ...screen }).start()),
    /** What the bank counts. */
    countLogins: () => logins,
    /** Lets the bank wait with its responses to logins. @returns what lets it respond. */
    hold: () => {
      const { promise, keep } = promised();
      ready = promise;
      return keep;
    },
    /** The next request of this method does not arrive. */
    drop: (method: "GET" | "POST") => dropped.push(method),
  };
}

type Step<Name> = Extract<LinkView, { state: Name }>;

function createPage(actor: ReturnType<typeof createLinkActor>) {
  const view = () => linkView(actor.getSnapshot(), actor);
  return {
    view,
    async reach<Name extends LinkView["state"]>(step: Name): Promise<Step<Name>> {
      await waitFor(actor, () => view().state === step, { timeout: 60_000 });
      return view() as Step<Name>;
    },
    /** What a reload, a crash or an eviction does: its requests are aborted, and nobody is told. */
    lose: () => actor.stop(),
  };
}
type Page = ReturnType<typeof createPage>;

async function submit(page: Page, username = "12345otp", password = "asdfg", provider = "test"): Promise<void> {
  (await page.reach("choosingProvider")).choose(provider);
  expect((await page.reach("idle")).submit({ username, password })).toBeUndefined();
}

async function answer(page: Page, code = "8888"): Promise<void> {
  expect((await page.reach("awaitingInteraction")).answer(code)).toBeUndefined();
}

test("after a reload at the question the same question shows, and is answered with one request", async () => {
  const world = createWorld();
  const tab = createTab();
  const first = world.open(tab);
  await submit(first);
  const { question, bank } = await first.reach("awaitingInteraction");
  const { version, id, token, number, provider, ...others } = JSON.parse(tab.text());
  expect({ version, number, provider, others }).toEqual({ version: 2, number: 1, provider: "test", others: {} });
  expect([id, token]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.stringMatching(/^[\w-]{43}$/)]);
  first.lose();

  world.toRelay.length = 0;
  const second = world.open(tab);
  const asked = await second.reach("awaitingInteraction");
  expect(asked.question).toEqual({ ...question, expiresAt: expect.any(Number) });
  expect(Number(asked.question.expiresAt) - Number(question.expiresAt)).toBeLessThan(5_000);
  expect(asked.bank).toEqual(bank);
  expect(asked.changeProvider).toBeDefined();
  expect(world.toRelay).toEqual(["GET /provider/", "GET /provider/test/", "GET /submit/"]);
  await answer(second);
  await second.reach("linked");
  expect(world.countLogins()).toBe(2);
  expect(tab.text()).toBe("");
});

test.each([
  ["before the bank has responded", false],
  ["after that", true],
])("after a reload during the login, opened %s, the question shows", async (_, isLate) => {
  const world = createWorld();
  const tab = createTab();
  const respond = world.hold();
  const first = world.open(tab);
  await submit(first);
  await expect.poll(world.countLogins).toBe(1);
  expect(tab.text()).not.toMatch(/12345otp|asdfg/);
  first.lose();
  if (isLate) respond();
  const second = world.open(tab);
  if (!isLate)
    expect(await second.reach("submitting")).toMatchObject({
      busy: true,
      bank: { code: "test" },
      sent: { form: { fields: [] } },
    });
  respond();
  await answer(second);
  await second.reach("linked");
  expect(world.countLogins()).toBe(2);
  expect(tab.text()).toBe("");
});

test.each<[string, code: string, step: LinkView["state"], code?: FailureCode]>([
  ["the session", "8888", "linked"],
  ["the refusal", "0000", "failed", "wrong_credentials"],
])("after a reload during the answer, %s shows", async (_, code, step, failure) => {
  const world = createWorld();
  const tab = createTab();
  const first = world.open(tab);
  await submit(first);
  await first.reach("awaitingInteraction");
  const respond = world.hold();
  await answer(first, code);
  await expect.poll(world.countLogins).toBe(2);
  expect(tab.text()).not.toMatch(asWords("12345otp", "asdfg", "8888", "0000"));
  first.lose();

  const second = world.open(tab);
  await second.reach("submitting");
  respond();
  const end = await second.reach(step);
  if (failure) expect(end).toMatchObject({ failure: { code: failure } });
  expect(world.countLogins()).toBe(2);
  expect(tab.text()).toBe("");
});

test("a wrong password shows after a reload, beside the form", async () => {
  const world = createWorld();
  const tab = createTab();
  const respond = world.hold();
  const first = world.open(tab);
  await submit(first, "12345", "wrong");
  await expect.poll(world.countLogins).toBe(1);
  first.lose();
  respond();
  const second = world.open(tab);
  const failed = await second.reach("failed");
  expect(failed.failure.code).toBe("wrong_credentials");
  failed.submit({ username: "12345", password: "gfdsa" });
  await second.reach("linked");
  expect(world.countLogins()).toBe(2);
});

test("a login that did not arrive says that nothing reached the bank, and the person logs in again at once", async () => {
  const world = createWorld();
  const tab = createTab();
  const first = world.open(tab);
  world.drop("POST");
  await submit(first);
  await expect.poll(() => world.toRelay).toContain("POST /login/");
  first.lose();
  const second = world.open(tab);
  const failed = await second.reach("failed");
  expect(failed.failure).toMatchObject({
    code: "network_failed",
    recovery: "retry",
    text: "Nothing reached the bank. Check your internet connection and try again.",
  });
  failed.submit({ username: "12345", password: "gfdsa" });
  await second.reach("linked");
  expect(world.countLogins()).toBe(1);
});

test("an answer that did not arrive shows the question again, also after another reload", async () => {
  const world = createWorld();
  const tab = createTab();
  const first = world.open(tab);
  await submit(first);
  const asked = await first.reach("awaitingInteraction");
  world.drop("POST");
  await answer(first);
  first.lose();
  const second = world.open(tab);
  const { expiresAt: _, ...question } = asked.question;
  expect(await second.reach("awaitingInteraction")).toMatchObject({ question });
  second.lose();
  const third = world.open(tab);
  await third.reach("awaitingInteraction");
  await answer(third);
  await third.reach("linked");
  expect(world.countLogins()).toBe(2);
});

test("of two tabs that answer one is sent, and both get what came of it", async () => {
  const world = createWorld();
  const tab = createTab();
  const first = world.open(tab);
  await submit(first);
  await first.reach("awaitingInteraction");
  const duplicate = createTab(tab.text());
  const second = world.open(duplicate);
  await second.reach("awaitingInteraction");
  await answer(first);
  await first.reach("linked");
  await answer(second, "0000");
  await second.reach("linked");
  expect(world.countLogins()).toBe(2);
  expect(duplicate.text()).toBe("");
});

test("another user with the copied storage reads what an unknown login reads, and costs nobody anything", async () => {
  const world = createWorld();
  const tab = createTab();
  const first = world.open(tab);
  await submit(first);
  await first.reach("awaitingInteraction");
  const unknown = { ...JSON.parse(tab.text()), id: "00000000-0000-4000-8000-000000000000" };
  const views = [];
  for (const text of [tab.text(), JSON.stringify(unknown)])
    views.push((await world.open(createTab(text), { user: "eva" }).reach("failed")).failure);
  expect(views[0]).toEqual(views[1]);
  expect(views[0]?.text).toMatch(/^Nothing reached the bank/);
  await answer(first);
  await first.reach("linked");
  expect(world.countLogins()).toBe(2);
});

test("two accounts in one tab never see each other's question, and each finds its own again", async () => {
  const world = createWorld();
  const tab = createTab();
  const first = world.open(tab, { account: "1" });
  await submit(first);
  await first.reach("awaitingInteraction");
  first.lose();
  const second = world.open(tab, { account: "2", user: "eva" });
  await second.reach("choosingProvider");
  await submit(second, "12345pq", "asdfg");
  await second.reach("awaitingInteraction");
  second.lose();
  for (const [account, user, code] of [
    ["1", "ana", "8888"],
    ["2", "eva", "prometeo"],
  ] as const) {
    const again = world.open(tab, { account, user });
    await answer(again, code);
    await again.reach("linked");
  }
  expect(tab.text()).toBe("");
  expect(world.countLogins()).toBe(4);
});

test("at sign-out one call forgets what screens have kept of every account, and nothing of the page", async () => {
  const kept = new Map([["cart", "3 books"]]);
  const storage = {
    get length() {
      return kept.size;
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
    clear: () => kept.clear(),
  };
  vi.stubGlobal("sessionStorage", storage);
  onTestFinished(() => void vi.unstubAllGlobals());
  const world = createWorld();
  for (const account of ["1", "2", undefined]) {
    const page = createPage(createLinkActor(world.createClient(), { account }).start());
    await submit(page);
    await page.reach("awaitingInteraction");
    page.lose();
  }
  expect(kept.size).toBe(4);
  const cancelled: Request[] = [];
  const send = (input: RequestInfo | URL, init?: RequestInit) => {
    cancelled.push(new Request(input, init));
    return Promise.resolve(new Response());
  };
  vi.stubGlobal("fetch", send);
  const logins = [...kept.values()].filter((text) => text.startsWith("{")).map((text) => JSON.parse(text));
  forgetKeptLogins();
  expect([...kept]).toEqual([["cart", "3 books"]]);
  expect(cancelled.map(({ method, url, keepalive }) => [method, url, keepalive])).toEqual(
    logins.map(() => ["POST", "http://relay.test/cancel/", true]),
  );
  expect(
    cancelled.map(({ headers }) => [headers.get("x-ventanilla-login"), headers.get("x-ventanilla-token")]),
  ).toEqual(logins.map(({ id, token }) => [id, token]));
  vi.stubGlobal("sessionStorage", undefined);
  forgetKeptLogins();
});

test("a question whose time has run out meanwhile says so", async () => {
  const world = createWorld();
  const tab = createTab();
  const first = world.open(tab);
  await submit(first);
  await first.reach("awaitingInteraction");
  first.lose();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 300_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect((await world.open(tab).reach("failed")).failure.code).toBe("expired");
  expect(tab.text()).toBe("");
  expect(world.countLogins()).toBe(1);
});

test("a question with a picture shows again", async () => {
  const world = createWorld();
  const tab = createTab();
  const first = world.open(tab);
  await submit(first, "captcha", "s3creto", "mirador_gt");
  const { question } = await first.reach("awaitingInteraction");
  first.lose();
  const again = await world.open(tab).reach("awaitingInteraction");
  expect(again.question).toMatchObject({ kind: "picture", picture: question.kind === "picture" && question.picture });
});

test("the clients show again, and the one that is chosen is sent once", async () => {
  const world = createWorld({ clientSelection: true });
  const tab = createTab();
  const settings = { clientSelection: true };
  const first = world.open(tab, { settings });
  (await first.reach("choosingProvider")).choose("canal_pa");
  const form = { username: "samekey", password: "s3creto", company_code: "7701" };
  expect((await first.reach("idle")).submit(form)).toBeUndefined();
  const { clients } = await first.reach("selectClient");
  first.lose();
  const second = world.open(tab, { settings });
  const again = await second.reach("selectClient");
  expect(again.clients).toEqual(clients);
  again.choose(clients[0]?.id ?? "");
  await second.reach("linked");
  expect(world.countLogins()).toBe(1);
});

test.each<[string, (view: Step<"awaitingInteraction">) => void]>([
  ["cancels the login", ({ cancel }) => cancel()],
  ["chooses another bank", ({ changeProvider }) => changeProvider?.()],
  ["leaves the flow", ({ cancelLink }) => cancelLink()],
])("nothing is kept once the person %s, also after a reload", async (_, act) => {
  const world = createWorld();
  const tab = createTab();
  const first = world.open(tab);
  await submit(first);
  await first.reach("awaitingInteraction");
  first.lose();
  const second = world.open(tab);
  act(await second.reach("awaitingInteraction"));
  expect(tab.text()).toBe("");
  await expect.poll(() => world.toRelay).toContain("POST /cancel/");
});

test("where the fields of the bank can't be read after a reload, the question waits for a retry", async () => {
  const world = createWorld();
  const tab = createTab();
  const first = world.open(tab);
  await submit(first);
  await first.reach("awaitingInteraction");
  first.lose();
  world.drop("GET");
  const second = world.open(tab);
  const failed = await second.reach("linkFailed");
  expect(tab.text()).not.toBe("");
  failed.retry();
  await answer(second);
  await second.reach("linked");
});

test.each([
  ["nothing is kept", undefined],
  ["a login is kept for the account that the app gives", "1"],
])("without readUser %s", async (_, account) => {
  const world = createWorld({ readUser: false });
  const tab = createTab();
  const setItem = vi.spyOn(tab, "setItem");
  const first = world.open(tab, { account });
  await submit(first);
  await first.reach("awaitingInteraction");
  first.lose();
  if (account === undefined) expect(setItem).not.toHaveBeenCalled();
  else await world.open(tab, { account }).reach("awaitingInteraction");
});

test("three screens of a page keep a login each; of two that can't be told apart the later one keeps none", async () => {
  const world = createWorld();
  const tab = createTab();
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const names = ["left", "right", "left"];
  const screens = names.map((name) => world.open(tab, { name }));
  for (const screen of screens) {
    await submit(screen);
    await screen.reach("awaitingInteraction");
  }
  expect(tab.names()).toHaveLength(2);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("can't be told apart"));
  for (const screen of screens) screen.lose();
  const [left, right] = ["left", "right"].map((name) => world.open(tab, { name }));
  await left?.reach("awaitingInteraction");
  await right?.reach("awaitingInteraction");
});

test("a storage that throws keeps nothing, and the login goes on", async () => {
  const world = createWorld();
  const fail = () => {
    throw new Error("QuotaExceededError");
  };
  const page = world.open({ getItem: fail, setItem: fail, removeItem: fail });
  await submit(page);
  await answer(page);
  await page.reach("linked");
});

test.each([
  "half of {",
  "null",
  "[]",
  '{"version":1,"id":"a","provider":"test","attempt":{"id":"b","expiresAt":9e15}}',
  '{"version":2,"id":"a","provider":"test","number":1}',
  '{"version":2,"id":"a","token":"b","provider":"test","number":0}',
])("a page that finds $0 begins with the list of banks", async (text) => {
  const world = createWorld();
  await world.open(createTab(text)).reach("choosingProvider");
});

test("a screen for one bank leaves the login at another one alone", async () => {
  const world = createWorld();
  const tab = createTab();
  const first = world.open(tab);
  await submit(first);
  await first.reach("awaitingInteraction");
  const text = tab.text();
  await world.open(tab, { settings: { provider: "quetzal_mx" } }).reach("idle");
  expect(tab.text()).toBe(text);
});

test("a login without the flow around it goes on too", async () => {
  const world = createWorld();
  const tab = createTab();
  const client = world.createClient();
  const first = createLoginActor(client, { provider: "test", keep: tab }).start();
  const credentials = createCredentials({ provider: "test", username: "12345otp", password: "asdfg" });
  first.send({ type: "credentials.submit", credentials });
  await waitFor(first, (snapshot) => snapshot.matches("awaitingInteraction"));
  first.stop();
  const second = createLoginActor(client, { provider: "test", keep: tab }).start();
  await waitFor(second, (snapshot) => snapshot.matches("awaitingInteraction"));
  const view = loginView(second.getSnapshot(), second, { provider: "test" });
  if (view.state === "awaitingInteraction") view.answer("8888");
  await waitFor(second, (snapshot) => snapshot.matches("loggedIn"));
  expect(world.countLogins()).toBe(2);
  expect(tab.text()).toBe("");
});

const createServerClient = () =>
  createBankClient({ baseUrl: "http://sandbox.test", apiKey: SANDBOX_API_KEY, fetch: sandboxFetch });

test.each<[string, () => BankClient, LinkScreenOptions]>([
  ["keep: false", () => createWorld().createClient(), { keep: false }],
  ["a client with an API key", createServerClient, {}],
])("with %s nothing is kept", async (_, createClient, screen) => {
  const tab = createTab();
  vi.stubGlobal("sessionStorage", tab);
  onTestFinished(() => void vi.unstubAllGlobals());
  const setItem = vi.spyOn(tab, "setItem");
  const page = createPage(createLinkActor(createClient(), screen).start());
  await submit(page);
  await answer(page);
  await page.reach("linked");
  expect(setItem).not.toHaveBeenCalled();
});

test("by default the tab's own storage keeps it", async () => {
  const tab = createTab();
  vi.stubGlobal("sessionStorage", tab);
  onTestFinished(() => void vi.unstubAllGlobals());
  const page = createPage(createLinkActor(createWorld().createClient(), {}).start());
  await submit(page);
  await page.reach("awaitingInteraction");
  expect(JSON.parse(tab.text())).toMatchObject({ version: 2, number: 1 });
});

/** A login at a bank that asks for a confirmation in its app, and lets nobody in for as long as it is early. */
async function openConfirming(app: Pick<BankClient, "awaitApproval"> = {}) {
  const { promise: responded, keep: respond } = promised();
  const confirmations: string[] = [];
  const world = createWorld({
    client: {
      ...createServerClient(),
      ...app,
      async login(fields) {
        const asked = { status: "interaction_required", field: "app_confirmation", context: "In your app" } as const;
        const answer = (fields as Readonly<Record<string, unknown>>)["app_confirmation"];
        if (answer === undefined) return { ...asked, key: secret("key-1") };
        confirmations.push(String(answer));
        await responded;
        return app.awaitApproval ? { status: "logged_in", key: secret("key-2") } : asked;
      },
    },
  });
  const tab = createTab();
  const open = () => createLoginActor(world.createClient(), { provider: "test", keep: tab }).start();
  const first = open();
  const credentials = createCredentials({ provider: "test", username: "ana", password: "1234" });
  first.send({ type: "credentials.submit", credentials });
  return { first, open, respond, confirmations };
}

test("after a reload during the login that an approval has sent, its session shows; it is sent once", async () => {
  const { first, open, respond, confirmations } = await openConfirming({
    awaitApproval: async () => ({ status: "approved" }),
  });
  await expect.poll(() => confirmations).toHaveLength(1);
  first.stop();
  const second = open();
  await waitFor(second, (snapshot) => snapshot.matches("submitting"));
  respond();
  await waitFor(second, (snapshot) => snapshot.matches("loggedIn"));
  expect(confirmations).toHaveLength(1);
});

test("after a reload during a confirmation that came too early, it is still no wrong answer", async () => {
  const { first, open, respond, confirmations } = await openConfirming();
  await waitFor(first, (snapshot) => snapshot.matches("awaitingInteraction"));
  const view = loginView(first.getSnapshot(), first, { provider: "test" });
  if (view.state !== "awaitingInteraction") expect.fail(view.state);
  view.answer("true");
  await expect.poll(() => confirmations).toHaveLength(1);
  first.stop();
  const second = open();
  await waitFor(second, (snapshot) => snapshot.matches("submitting"));
  respond();
  await waitFor(second, (snapshot) => snapshot.matches("awaitingInteraction"));
  expect(second.getSnapshot().context.interaction).toMatchObject({
    isRepeat: true,
    answersSent: 0,
    confirmationsSent: 1,
  });
});

/** A page whose approval was in vain once. @param toLose the response to the answer that it has sent by itself does not come. */
async function approveInVain(toLose = false) {
  let posts = 0;
  const asked = { status: "interaction_required", key: "key-1", field: "app_confirmation", context: "In your app" };
  const bank = createBankClient({
    baseUrl: "http://bank.test",
    apiKey: SANDBOX_API_KEY,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (request.method !== "POST") return sandbox(request);
      posts += 1;
      return Response.json(asked);
    },
  });
  const world = createWorld({ client: { ...bank, awaitApproval: async () => ({ status: "approved" }) } });
  const tab = createTab();
  const first = world.open(tab);
  await submit(first);
  if (toLose) await expect.poll(() => posts).toBe(2);
  else await expect.poll(() => first.view()).toMatchObject({ state: "awaitingInteraction", question: { number: 2 } });
  first.lose();
  return { world, tab, countPosts: () => posts };
}

test.each([
  ["after it", false],
  ["while its response is on the way", true],
])("a page that is reloaded five times %s answers an approval in vain once", async (_, toLose) => {
  const { world, tab, countPosts } = await approveInVain(toLose);
  for (let reloads = 1; reloads <= 5; reloads += 1) {
    const page = world.open(tab);
    const { question } = await page.reach("awaitingInteraction");
    expect(question).toMatchObject({ isRepeat: true, answersSent: 0, awaitsApproval: false });
    await new Promise((resolve) => setTimeout(resolve, 50));
    page.lose();
  }
  expect(countPosts()).toBe(2);
});
