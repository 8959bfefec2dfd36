import { createMemoryClaimStore } from "ventanilla";
import { createRateLimit } from "ventanilla/relay";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Attempts } from "../../src/relay/attempts.ts";
import { form, interactionKey, OTP, PLAIN, type Stage, sessionKey, stage, startService } from "./stage.ts";

afterEach(() => void vi.useRealTimers());

const CHOOSER = { provider: "canal_pa", username: "samekey", password: "s3creto", company_code: "7701" };
const everything = { clientSelection: true, logout: true };
const newId = () => crypto.randomUUID();

/** What must reach the bank once: how a browser sends it, and what the bank then sees. */
type Once = readonly [
  name: string,
  seen: string,
  prepare: (set: Stage) => Promise<(id: string, to?: Stage) => Promise<Response>>,
];

const named = (init: RequestInit, id: string): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), "x-attempt-id": id },
});

const requests: readonly Once[] = [
  [
    "a login",
    "POST /login/",
    async (set) =>
      (id, to = set) =>
        to.send("/login/", named(form(PLAIN), id)),
  ],
  [
    "an answer",
    "POST /login/",
    async (set) => {
      const key = await interactionKey(set);
      return (id, to = set) => to.send(`/login/?key=${key}`, named(form({ ...OTP, otp: "8888" }), id));
    },
  ],
  [
    "a choice of client",
    "GET /client/0/",
    async (set) => {
      const key = await sessionKey(set, CHOOSER);
      return (id, to = set) => to.send(`/client/0/?key=${key}`, named({}, id));
    },
  ],
  [
    "a logout",
    "GET /logout/",
    async (set) => {
      const key = await sessionKey(set);
      return (id, to = set) => to.send(`/logout/?key=${key}`, named({}, id));
    },
  ],
];

const seenBy = ({ bank }: Stage) =>
  bank.requests.map(({ method, url }) => `${method} ${url.pathname}`).filter((line) => line !== "GET /client/");

describe.each(requests)("%s", (_, seen, prepare) => {
  test("that comes again gets the first one's response, and the bank sees one", async () => {
    const set = await stage(everything);
    const send = await prepare(set);
    const logins = set.logins.length;
    const id = newId();
    const first = await send(id);
    const texts = [await first.text()];
    for (const _again of [1, 2]) texts.push(await (await send(id)).text());
    expect(new Set(texts).size).toBe(1);
    expect(first.status).toBe(200);
    expect(seenBy(set)).toEqual([seen]);
    expect(set.logins.length - logins).toBeLessThanOrEqual(1);
  });

  test("that comes three times at once gets one response, and the bank sees one", async () => {
    const set = await stage(everything);
    const send = await prepare(set);
    const id = newId();
    const responses = await Promise.all([1, 2, 3].map(() => send(id)));
    const texts = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(texts).size).toBe(1);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(seenBy(set)).toEqual([seen]);
  });

  test.each([
    ["without an id", ""],
    ["with an id that no client writes", "1"],
    ["with two ids", `${newId()}, ${newId()}`],
  ])("%s is refused, and the bank sees nothing of it", async (_without, id) => {
    const set = await stage(everything);
    const response = await (await prepare(set))(id);
    expect([response.status, await response.json()]).toEqual([
      400,
      { status: "error", message: "Header X-Attempt-Id missing" },
    ]);
    expect(set.events.at(-1)).toMatchObject({ reason: "attempt_id_missing" });
    expect(seenBy(set)).toEqual([]);
  });

  test("that another instance has taken has an unknown outcome, and is not sent again", async () => {
    const claimStore = createMemoryClaimStore();
    const first = await stage({ ...everything, claimStore });
    const second = await stage({ ...everything, claimStore }, { bank: first.bank });
    const send = await prepare(first);
    const id = newId();
    expect((await send(id)).status).toBe(200);
    const again = await send(id, second);
    expect([again.status, await again.json()]).toEqual([409, expect.objectContaining({ error: "outcome_unknown" })]);
    expect(seenBy(first)).toEqual([seen]);
  });
});

describe("an id that was used", () => {
  test.each<[string, (set: Stage, id: string) => Promise<Response>]>([
    ["another password", (set, id) => set.send("/login/", named(form({ ...PLAIN, password: "other" }), id))],
    ["another field", (set, id) => set.send("/login/", named(form({ ...PLAIN, otp: "1" }), id))],
    ["a key", (set, id) => set.send("/login/?key=x", named(form(PLAIN), id))],
    ["another route", (set, id) => set.send("/logout/?key=x", named({}, id))],
    ["another client", (set, id) => set.send("/client/1/?key=x", named({}, id))],
  ])("is refused with %s", async (_, again) => {
    const set = await stage(everything);
    const id = newId();
    await set.send("/login/", named(form(PLAIN), id));
    const response = await again(set, id);
    expect([response.status, await response.json()]).toEqual([
      403,
      { status: "error", message: "Attempt id used for another request" },
    ]);
    expect(set.bank.requests).toHaveLength(1);
  });
});

/** A bank that responds when it is told to, and says whether it was given up. */
async function slowBank() {
  let respond = () => {};
  let aborts = 0;
  const responded = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const bank = await startService(async (request) => {
    request.signal.addEventListener("abort", () => {
      aborts += 1;
    });
    await responded;
    return Response.json({ status: "logged_in", key: crypto.randomUUID() });
  });
  return { bank, respond, aborts: () => aborts };
}

describe("a browser whose connection breaks in the middle of a login", () => {
  const left = (set: Stage, id: string) => {
    const leaving = new AbortController();
    const response = set.send("/login/", { ...named(form(PLAIN), id), signal: leaving.signal });
    response.catch(() => undefined);
    return { response, leave: () => leaving.abort() };
  };

  test("gets the outcome where it comes again, and the request to the bank goes on", async () => {
    const { bank, respond, aborts } = await slowBank();
    const set = await stage({}, { bank });
    const id = newId();
    const first = left(set, id);
    await expect.poll(() => bank.requests).toHaveLength(1);
    first.leave();
    await expect.poll(() => set.events.at(-1)).toMatchObject({ httpStatus: 499 });
    const second = set.send("/login/", named(form(PLAIN), id));
    await expect(first.response).rejects.toThrow();
    respond();
    expect(await (await second).json()).toMatchObject({ status: "logged_in" });
    expect(bank.requests).toHaveLength(1);
    expect(aborts()).toBe(0);
    expect(set.logins).toHaveLength(1);
  });

  test("where the repeat is there before the first one is gone, the same", async () => {
    const { bank, respond, aborts } = await slowBank();
    const set = await stage({}, { bank });
    const id = newId();
    const first = left(set, id);
    const second = set.send("/login/", named(form(PLAIN), id));
    await expect.poll(() => bank.requests).toHaveLength(1);
    first.leave();
    await expect.poll(() => set.events.at(-1)).toMatchObject({ httpStatus: 499 });
    respond();
    expect(await (await second).json()).toMatchObject({ status: "logged_in" });
    expect(bank.requests).toHaveLength(1);
    expect(aborts()).toBe(0);
  });

  test("hears that nobody knows where it comes after the request was given up", async () => {
    const { bank, aborts } = await slowBank();
    const set = await stage({}, { bank });
    const id = newId();
    const first = left(set, id);
    await expect.poll(() => bank.requests).toHaveLength(1);
    first.leave();
    await expect.poll(aborts).toBe(1);
    const again = await set.send("/login/", named(form(PLAIN), id));
    expect([again.status, await again.json()]).toEqual([409, expect.objectContaining({ error: "outcome_unknown" })]);
    expect(set.events.at(-1)).toMatchObject({ httpStatus: 409, reason: "outcome_unknown" });
    expect(bank.requests).toHaveLength(1);
    expect(set.errors).toEqual([]);
  });
});

test("a repeat costs nothing of the rate limit", async () => {
  const set = await stage({ rateLimit: createRateLimit({ login: 1 }) });
  const id = newId();
  for (const _ of [1, 2, 3]) expect((await set.send("/login/", named(form(PLAIN), id))).status).toBe(200);
  expect((await set.send("/login/", form(PLAIN))).status).toBe(429);
  expect(set.bank.requests).toHaveLength(1);
});

test("a fault is the repeat's too, and the relay's owner hears of it once", async () => {
  const bank = await startService(async () => new Response("<h1>", { status: 503 }));
  const set = await stage({}, { bank });
  const id = newId();
  for (const _ of [1, 2]) expect((await set.send("/login/", named(form(PLAIN), id))).status).toBe(503);
  expect(set.errors).toHaveLength(1);
  expect(bank.requests).toHaveLength(1);
});

test("the browser's client reads an unknown outcome as such", async () => {
  const set = await stage({ claimStore: { claim: (id) => !id.startsWith("attempt:") } });
  await expect(set.browser().login(PLAIN)).rejects.toMatchObject({ code: "outcome_unknown", request: "POST /login/" });
  expect(set.bank.requests).toEqual([]);
});

describe("the memory of attempts", () => {
  const answer = { httpStatus: 200 };
  const never = new AbortController().signal;
  const respond = (attempts: Attempts, id: string, send = async () => answer) =>
    attempts.respond(id, "digest", never, send);

  test("keeps a thousand responses, and what is under way as long as it takes", async () => {
    const attempts = new Attempts();
    void respond(attempts, "slow", () => new Promise(() => undefined));
    for (let index = 0; index < 1_001; index++) await respond(attempts, `quick ${index}`);
    expect(attempts.has("slow")).toBe(true);
    expect(attempts.has("quick 0")).toBe(false);
    expect(attempts.has("quick 1000")).toBe(true);
  });

  test("keeps a response for ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const attempts = new Attempts();
    await respond(attempts, "first");
    vi.setSystemTime(Date.now() + 599_000);
    await respond(attempts, "second");
    expect(attempts.has("first")).toBe(true);
    vi.setSystemTime(Date.now() + 1_000);
    await respond(attempts, "third");
    expect(attempts.has("first")).toBe(false);
  });

  test("keeps nothing that was sent", async () => {
    const digest = await new Attempts().createDigest(["POST /login/", "canary"]);
    expect(digest).not.toContain("canary");
    expect(await new Attempts().createDigest(["POST /login/", "canary"])).not.toBe(digest);
  });
});
