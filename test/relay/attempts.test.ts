import { createMemoryClaimStore } from "ventanilla";
import { createRateLimit } from "ventanilla/relay";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Attempts } from "../../src/relay/attempts.ts";
import { promised } from "../bank/service.ts";
import {
  CHOOSER,
  faulty,
  form,
  interactionKey,
  OTP,
  PLAIN,
  readAnswer,
  refused,
  type Stage,
  sessionKey,
  stage,
  startService,
} from "./stage.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const everything = { clientSelection: true, logout: true };
const newId = () => crypto.randomUUID();

const named = (init: RequestInit, id: string): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), "x-attempt-id": id },
});

/** What must reach the bank once: what the bank then sees of it, and how a browser sends it. */
type Once = readonly [name: string, seen: string, prepare: (set: Stage) => Promise<[path: string, init: RequestInit]>];

const requests: readonly Once[] = [
  ["a login", "POST /login/", async () => ["/login/", form(PLAIN)]],
  [
    "an answer",
    "POST /login/",
    async (set) => [`/login/?key=${await interactionKey(set)}`, form({ ...OTP, otp: "8888" })],
  ],
  ["a choice of client", "GET /client/0/", async (set) => [`/client/0/?key=${await sessionKey(set, CHOOSER)}`, {}]],
  ["a logout", "GET /logout/", async (set) => [`/logout/?key=${await sessionKey(set)}`, {}]],
];

const seenBy = ({ bank }: Stage) =>
  bank.requests.map(({ method, url }) => `${method} ${url.pathname}`).filter((line) => line !== "GET /client/");

describe.each(requests)("%s", (_, seen, prepare) => {
  test("that comes three times at once, and again, gets one response, and the bank sees one", async () => {
    const set = await stage(everything);
    const [path, init] = await prepare(set);
    const logins = set.logins.length;
    const again = named(init, newId());
    const responses = await Promise.all([1, 2, 3].map(() => set.send(path, again)));
    responses.push(await set.send(path, again));
    const texts = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(texts).size).toBe(1);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(seenBy(set)).toEqual([seen]);
    expect(set.logins.length - logins).toBeLessThanOrEqual(1);
  });

  test.each([
    ["without an id", ""],
    ["with an id that no client writes", "1"],
    ["with two ids", `${newId()}, ${newId()}`],
  ])("%s is refused, and the bank sees nothing of it", async (_without, id) => {
    const set = await stage(everything);
    const [path, init] = await prepare(set);
    const response = await set.send(path, named(init, id));
    expect(await readAnswer(response)).toEqual(refused(400, "Header X-Attempt-Id missing"));
    expect(set.events.at(-1)).toMatchObject({ reason: "attempt_id_missing" });
    expect(seenBy(set)).toEqual([]);
  });

  test("that another instance has taken has an unknown outcome, and is not sent again", async () => {
    const claimStore = createMemoryClaimStore();
    const first = await stage({ ...everything, claimStore });
    const second = await stage({ ...everything, claimStore }, { bank: first.bank });
    const [path, init] = await prepare(first);
    const again = named(init, newId());
    expect((await first.send(path, again)).status).toBe(200);
    const response = await second.send(path, again);
    expect(await readAnswer(response)).toEqual(faulty(409, "outcome_unknown"));
    expect(seenBy(first)).toEqual([seen]);
  });
});

describe("an id that was used", () => {
  test.each<[string, path: string, init: RequestInit]>([
    ["another password", "/login/", form({ ...PLAIN, password: "other" })],
    ["another field", "/login/", form({ ...PLAIN, otp: "1" })],
    ["a key", "/login/?key=x", form(PLAIN)],
    ["another route", "/logout/?key=x", {}],
    ["another client", "/client/1/?key=x", {}],
  ])("is refused with %s", async (_, path, init) => {
    const set = await stage(everything);
    const id = newId();
    await set.send("/login/", named(form(PLAIN), id));
    const response = await set.send(path, named(init, id));
    expect(await readAnswer(response)).toEqual(refused(403, "Attempt id used for another request"));
    expect(set.bank.requests).toHaveLength(1);
  });
});

describe("a browser whose connection breaks in the middle of a login", () => {
  /** A login whose bank responds when it is told to, and whose browser leaves when it is told to. */
  async function begin() {
    const { promise: responded, keep: respond } = promised();
    const aborted = vi.fn();
    const bank = await startService(async (request) => {
      request.signal.addEventListener("abort", aborted);
      await responded;
      return Response.json({ status: "logged_in", key: crypto.randomUUID() });
    });
    const set = await stage({}, { bank });
    const init = named(form(PLAIN), newId());
    const leaving = new AbortController();
    const left = set.send("/login/", { ...init, signal: leaving.signal }).catch(() => "left");
    await expect.poll(() => bank.requests).toHaveLength(1);
    const leave = async () => {
      leaving.abort();
      expect(await left).toBe("left");
      await expect.poll(() => set.events.at(-1)).toMatchObject({ route: "POST /login/", httpStatus: 499 });
    };
    return { set, respond, aborted, leave, repeat: () => set.send("/login/", init) };
  }

  test.each([
    ["after that", false],
    ["before that", true],
  ])("gets the outcome where it comes again %s, and the request to the bank goes on", async (_, isBefore) => {
    const { set, respond, aborted, leave, repeat } = await begin();
    const early = isBefore ? repeat() : undefined;
    await leave();
    const second = early ?? repeat();
    respond();
    expect(await (await second).json()).toMatchObject({ status: "logged_in" });
    expect(set.bank.requests).toHaveLength(1);
    expect(aborted).not.toHaveBeenCalled();
    expect(set.logins).toHaveLength(1);
  });

  test("stops the request to the bank where it stays away, and hears afterwards that nobody knows", async () => {
    const { set, aborted, leave, repeat } = await begin();
    await leave();
    await expect.poll(() => aborted.mock.calls).toHaveLength(1);
    const again = await repeat();
    expect(await readAnswer(again)).toEqual(faulty(409, "outcome_unknown"));
    expect(set.events.at(-1)).toMatchObject({ httpStatus: 409, reason: "outcome_unknown" });
    expect(set.bank.requests).toHaveLength(1);
    expect(set.logins).toEqual([]);
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

test.each(["attempt:", ""])(
  "nothing is sent where the claim store fails at an id that begins with %j",
  async (prefix) => {
    const claim = (id: string) => {
      if (id.startsWith("attempt:") === (prefix !== "")) throw new TypeError("a canary");
      return true;
    };
    const set = await stage({ claimStore: { claim } });
    const key = prefix ? "" : `?key=${await interactionKey(set)}`;
    expect((await set.send(`/login/${key}`, form({ ...OTP, otp: "8888" }))).status).toBe(500);
    expect(set.bank.requests).toEqual([]);
    expect(set.errors.map(String)).toEqual(["HandlerError: handler_failed: claimStore: threw TypeError"]);
  },
);

test("a question's key used twice at once, at two relays of one process, is good for one answer", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  const one = await stage({ claimStore: undefined as never });
  const other = await stage({ claimStore: undefined as never }, { bank: one.bank });
  const key = await interactionKey(one);
  const answers = [one, other].map(({ send }) => send(`/login/?key=${key}`, form({ ...OTP, otp: "8888" })));
  expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 403]);
  expect(one.bank.requests).toHaveLength(1);
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
