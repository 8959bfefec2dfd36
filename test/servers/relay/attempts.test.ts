import { randomBytes } from "node:crypto";
import { type BankClient, createBankClient, createMemoryStore, secret } from "ventanilla";
import { createRateLimit, createRelay, type RelayOptions } from "ventanilla/relay";
import { createSandbox } from "ventanilla/sandbox";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Attempts, MEMORY_FULL } from "../../../src/servers/relay/attempts.ts";
import { promised, respondAs, startService } from "../../bank/service.ts";
import {
  ANSWER,
  API_KEY,
  CHOOSER,
  collectWarnings,
  faulty,
  form,
  interactionKey,
  PAGE,
  PLAIN,
  readResponse,
  refused,
  type Stage,
  sessionKey,
  stage,
} from "./stage.ts";

afterEach(() => void vi.useRealTimers());

const everything = { clientSelection: true, logout: true };
const newId = () => crypto.randomUUID();

const withId = (fields: Record<string, string>, id: string) => form(fields, { "x-attempt-id": id });

/** A request that must reach the bank once: how the bank sees it, and how a browser sends it. */
type SentOnce = readonly [
  name: string,
  line: string,
  prepare: (set: Stage) => Promise<[path: string, init: RequestInit, key?: string]>,
];

const requests: readonly SentOnce[] = [
  ["a login", "POST /login/", async () => ["/login/", form(PLAIN)]],
  ["an answer", "POST /login/", async (set) => ["/login/", form(ANSWER), await interactionKey(set)]],
  ["a choice of client", "GET /client/0/", async (set) => ["/client/0/", {}, await sessionKey(set, CHOOSER)]],
  ["a logout", "GET /logout/", async (set) => ["/logout/", {}, await sessionKey(set)]],
];

/** What the bank got, but for the lists of clients that the relay reads before a choice. */
const linesSentOnce = ({ bank }: Stage) => bank.paths().filter((line) => line !== "GET /client/");

describe.each(requests)("%s", (_, line, prepare) => {
  /** A request that can be sent again and again with one attempt id. */
  async function prepareSend(set: Stage, id: string = newId()) {
    const [path, init, key] = await prepare(set);
    const headers = { ...(init.headers as object), "x-attempt-id": id };
    return ({ send }: Stage = set) => send(path, { ...init, headers }, key);
  }

  test("that comes three times at once, and again, gets one response and reaches the bank once", async () => {
    const set = await stage(everything);
    const send = await prepareSend(set);
    const logins = set.logins.length;
    const responses = await Promise.all([send(), send(), send()]);
    responses.push(await send());
    const texts = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(texts).size).toBe(1);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(linesSentOnce(set)).toEqual([line]);
    expect(set.logins.length - logins).toBeLessThanOrEqual(1);
  });

  test.each([
    ["without an id", ""],
    ["with an id that no client writes", "1"],
    ["with two ids", `${newId()}, ${newId()}`],
  ])("%s is refused, and the bank gets no request", async (_without, id) => {
    const set = await stage(everything);
    const send = await prepareSend(set, id);
    expect(await readResponse(await send())).toEqual(refused(400, "Header X-Attempt-Id missing"));
    expect(set.events.at(-1)).toMatchObject({ reason: "attempt_id_missing" });
    expect(linesSentOnce(set)).toEqual([]);
  });

  test("whose response can't be read has an unknown outcome", async () => {
    const sandbox = createSandbox({ apiKey: API_KEY });
    let unreadable = "";
    const bank = await startService(
      respondAs(async (request) =>
        `${request.method} ${new URL(request.url).pathname}` === unreadable ? new Response("<h1>") : sandbox(request),
      ),
    );
    const set = await stage(everything, { bank });
    const send = await prepareSend(set);
    unreadable = line;
    expect(await readResponse(await send())).toEqual(faulty(409, "outcome_unknown"));
    expect(set.events.at(-1)).toMatchObject({ httpStatus: 409, reason: "outcome_unknown" });
    expect(set.errors).toMatchObject([{ code: "outcome_unknown", detail: "response_unreadable" }]);
    expect(linesSentOnce(set)).toEqual([line]);
  });

  test("that another instance has claimed has an unknown outcome, and is not sent again", async () => {
    const claimStore = createMemoryStore({ rows: new Map() });
    const first = await stage({ ...everything, claimStore });
    const second = await stage({ ...everything, claimStore }, first);
    const send = await prepareSend(first);
    expect((await send()).status).toBe(200);
    expect(await readResponse(await send(second))).toEqual(faulty(409, "outcome_unknown"));
    expect(linesSentOnce(first)).toEqual([line]);
  });
});

const used = newId();
test.each<[string, path: string, init: RequestInit, key?: string]>([
  ["another password", "/login/", withId({ ...PLAIN, password: "other" }, used)],
  ["another field", "/login/", withId({ ...PLAIN, otp: "1" }, used)],
  ["a key", "/login/", withId(PLAIN, used), "x"],
  ["another route", "/logout/", { headers: { "x-attempt-id": used } }, "x"],
  ["another client", "/client/1/", { headers: { "x-attempt-id": used } }, "x"],
])("an attempt id that was used is refused with %s", async (_, path, init, key) => {
  const set = await stage(everything);
  await set.send("/login/", withId(PLAIN, used));
  expect(await readResponse(await set.send(path, init, key))).toEqual(
    refused(403, "Attempt id used for another request"),
  );
  expect(set.bank.requests).toHaveLength(1);
});

test("a login whose browser has gone sends nothing, and its repeat logs in at another instance", async () => {
  const claimStore = createMemoryStore({ rows: new Map() });
  const first = await stage({ claimStore });
  const second = await stage({ claimStore }, first);
  const { headers, ...init } = withId(PLAIN, newId());
  const own = { origin: PAGE, "x-ventanilla": "1", ...headers };
  const gone = new Request(`${first.url}/login/`, { ...init, headers: own, signal: AbortSignal.abort() });
  expect((await first.relay(gone)).status).toBe(499);
  expect((await second.send("/login/", { ...init, headers })).status).toBe(200);
  expect(first.bank.requests).toHaveLength(1);
});

describe("a browser whose connection breaks in the middle of a login", () => {
  /** A login that the bank has received. The test lets the bank respond and the browser leave. */
  async function begin() {
    const { promise: responded, keep: respond } = promised();
    const aborted = vi.fn();
    const bank = await startService(
      respondAs(async (request) => {
        request.signal.addEventListener("abort", aborted);
        await responded;
        return Response.json({ status: "logged_in", key: crypto.randomUUID() });
      }),
    );
    const set = await stage({}, { bank });
    const init = withId(PLAIN, newId());
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
  ])("gets the outcome where it repeats the request %s, and the request to the bank goes on", async (_, isBefore) => {
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

  test("and does not repeat the request aborts that to the bank; the outcome is then unknown", async () => {
    const { set, aborted, leave, repeat } = await begin();
    await leave();
    await expect.poll(() => aborted.mock.calls).toHaveLength(1);
    expect(await readResponse(await repeat())).toEqual(faulty(409, "outcome_unknown"));
    expect(set.events.at(-1)).toMatchObject({ httpStatus: 409, reason: "outcome_unknown" });
    expect(set.bank.requests).toHaveLength(1);
    expect(set.logins).toEqual([]);
    expect(set.errors).toEqual([]);
  });
});

test("a repeat takes nothing from the budget of the rate limit", async () => {
  const set = await stage({ rateLimit: createRateLimit({ login: 1 }) });
  const id = newId();
  for (const _ of [1, 2, 3]) expect((await set.send("/login/", withId(PLAIN, id))).status).toBe(200);
  expect((await set.send("/login/", form(PLAIN))).status).toBe(429);
  expect(set.bank.requests).toHaveLength(1);
});

test("a repeat gets the response for ten minutes, and then an unknown outcome", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const set = await stage();
  const repeat = withId(PLAIN, newId());
  const statuses: number[] = [];
  for (const wait of [0, 599_000, 1_000]) {
    vi.setSystemTime(Date.now() + wait);
    // Old responses are forgotten with the next one.
    await set.send("/login/", form(PLAIN));
    statuses.push((await set.send("/login/", repeat)).status);
  }
  expect(statuses).toEqual([200, 200, 409]);
});

test("a repeat gets the fault of the first request, and onError gets it once", async () => {
  const bank = await startService(() => ({ http: 503, text: "<h1>" }));
  const set = await stage({}, { bank });
  const id = newId();
  for (const _ of [1, 2]) expect((await set.send("/login/", withId(PLAIN, id))).status).toBe(503);
  expect(set.errors).toHaveLength(1);
  expect(bank.requests).toHaveLength(1);
});

test.each(["attempt:", ""])("nothing is sent if the claimStore fails for an id that begins with %j", async (prefix) => {
  const swap = (id: string) => {
    if (id.startsWith("attempt:") === (prefix !== "")) throw new TypeError("a canary");
    return true;
  };
  const set = await stage({ claimStore: { ...createMemoryStore(), swap } });
  const key = prefix ? undefined : await interactionKey(set);
  expect((await set.send("/login/", form(ANSWER), key)).status).toBe(500);
  expect(set.bank.requests).toEqual([]);
  expect(set.errors.map(String)).toEqual(["BankError: handler_failed: claimStore: threw TypeError"]);
});

test("a question's key that is used at once at two relays of one process is good for one answer", async () => {
  collectWarnings();
  const one = await stage({ claimStore: undefined as never });
  const other = await stage({ claimStore: undefined as never }, one);
  const key = await interactionKey(one);
  const responses = await Promise.all([one, other].map(({ send }) => send("/login/", form(ANSWER), key)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect(one.bank.requests).toHaveLength(1);
});

describe("the memory of attempts", () => {
  const { signal } = new AbortController();
  const respond = (attempts: Attempts, id: string, send = async () => ({ httpStatus: 200 })) =>
    attempts.respond({ id, digest: "digest", user: undefined }, signal, send);

  // What a question with its sealed key takes, and the user's credentials in it.
  const question = async () => ({ httpStatus: 200, body: { context: "x".repeat(680) } });
  /** Ends this many attempts each second. @returns those of the last ten minutes that are known. */
  const fill = async (attempts: Attempts, rate: number, seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      for (let index = 0; index < rate; index++) await respond(attempts, `${second} ${index}`, question);
      vi.setSystemTime(Date.now() + 1_000);
    }
    return Array.from({ length: 599 }, (_, second) => attempts.has(`${seconds - 1 - second} 0`)).filter(Boolean).length;
  };

  test("keeps the responses of ten minutes at 30 a second, and those under way until they have ended", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const warn = vi.fn();
    const attempts = new Attempts(warn);
    void respond(attempts, "slow", () => new Promise(() => undefined));
    expect(await fill(attempts, 30, 700)).toBe(599);
    expect(attempts.has("slow")).toBe(true);
    expect(attempts.has("0 0")).toBe(false);
    expect(warn).not.toHaveBeenCalled();
  });

  test("at 60 a second it keeps those of five minutes, and says that it forgets the oldest", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const warn = vi.fn();
    const kept = await fill(new Attempts(warn), 60, 700);
    expect(kept).toBeGreaterThan(300);
    expect(kept).toBeLessThan(400);
    expect(warn).toHaveBeenCalled();
  });

  test("forgets the oldest of large responses first", async () => {
    const attempts = new Attempts(() => {});
    const picture = async () => ({ httpStatus: 200, body: { context: "x".repeat(4 * 1024 * 1024) } });
    for (let index = 0; index < 9; index++) await respond(attempts, `picture ${index}`, picture);
    const kept = Array.from({ length: 9 }, (_, index) => attempts.has(`picture ${index}`));
    expect(kept).toEqual([false, false, ...Array(7).fill(true)]);
    await respond(attempts, "small");
    expect(attempts.has("picture 2")).toBe(true);
  });

  test.each([
    ["says once", {}, 1],
    ["says nothing without users", { readUser: false }, 0],
  ])("a relay that forgets responses too early %s", async (_, options, times) => {
    const warnings = collectWarnings();
    const login = async () => ({
      status: "interaction_required",
      key: secret("key"),
      field: "otp",
      context: "x".repeat(8 * 1024 * 1024),
    });
    const relay = createRelay({
      client: {
        ...createBankClient({ baseUrl: "http://bank.test", apiKey: "key" }),
        login: login as BankClient["login"],
      },
      sealKey: randomBytes(32).toString("base64"),
      allowedOrigins: [PAGE],
      claimStore: createMemoryStore({ rows: new Map() }),
      rateLimit: false,
      onLogin: () => {},
      readUser: () => "ana",
      ...(options as Partial<RelayOptions>),
    });
    for (let index = 0; index < 6; index++) {
      const { body = null, headers, method = "POST" } = withId(PLAIN, newId());
      const sent = { ...(headers as object), origin: PAGE, "x-ventanilla": "1" };
      expect((await relay(new Request(`${PAGE}/login/`, { method, body, headers: sent }))).status).toBe(200);
    }
    expect(warnings).toEqual(Array(times).fill(`ventanilla/relay: ${MEMORY_FULL}`));
  });

  test("keeps a digest of what was sent, which differs in each process", async () => {
    const digest = await new Attempts(() => {}).createDigest(["POST /login/", "canary"]);
    expect(digest).not.toContain("canary");
    expect(await new Attempts(() => {}).createDigest(["POST /login/", "canary"])).not.toBe(digest);
  });
});
