import { randomBytes } from "node:crypto";
import {
  type BankClient,
  createBankClient,
  createRelayClient,
  type RefusalMemory,
  rememberRefusals,
  reveal,
} from "ventanilla";
import { batch } from "ventanilla/batch";
import { createMemoryStore } from "ventanilla/tokens";
import { afterEach, describe, expect, test, vi } from "vitest";
import { defineClient } from "../../../src/core/api/client.ts";
import {
  asks,
  expectedSecret,
  failed,
  type Line,
  type LoginCase,
  loggedIn,
  loginUnread,
  openQuestion,
  person,
  selectClient,
  startService,
  toLogin,
} from "../../bank/service.ts";
import { createMemoryJournal } from "../batch/memory-journal.ts";

afterEach(() => vi.useRealTimers());

const wrong: Line = { http: 403, json: { status: "wrong_credentials" } };
const key = randomBytes(32).toString("base64");
const remembering = (more: Partial<RefusalMemory> = {}): RefusalMemory => ({
  store: createMemoryStore({ rows: new Map() }),
  key,
  ...more,
});

/** A run of a job: its login, and what it remembers. */
type Run = LoginCase & { readonly refusals?: RefusalMemory; readonly ignoreKnownRefusal?: boolean };

/** The logins of one job, each with a client of its own, as a process that starts again has it. */
async function startJob(script: readonly Line[]) {
  const service = await startService(script);
  const run = ({ refusals, ignoreKnownRefusal = false, ...login }: Run = {}) => {
    const client = service.client();
    const careful = refusals ? rememberRefusals(client, refusals, { ignoreKnownRefusal }) : client;
    return loginUnread(careful, ...toLogin(login));
  };
  return { service, run };
}

test("five runs of a job with a wrong password are one try at the bank, and say when it was refused", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { service, run } = await startJob([wrong]);
  const refusals = remembering();
  const refusedAt = Date.now();
  expect(await run({ refusals })).toEqual(failed("wrong_credentials", { httpStatus: 403 }));
  for (let runs = 2; runs <= 5; runs += 1) {
    vi.setSystemTime(refusedAt + runs * 3_600_000);
    expect(await run({ refusals })).toEqual(failed("known_wrong", { refusedAt }));
  }
  expect(service.lines()).toEqual(["POST /login/"]);
});

test("a refusal that has a time in the future, of a process with a wrong clock, stands: its time is now", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { service, run } = await startJob([wrong]);
  const refusals = remembering();
  const now = Date.now();
  vi.setSystemTime(now + 3_600_000);
  await run({ refusals });
  vi.setSystemTime(now);
  expect(await run({ refusals })).toEqual(failed("known_wrong", { refusedAt: now }));
  expect(service.lines()).toHaveLength(1);
});

test("a form that was refused under one API key is not sent under another one: its bank counts both tries", async () => {
  const { service, run } = await startJob([wrong]);
  const refusals = remembering();
  await run({ refusals });
  const client = createBankClient({ baseUrl: service.url, apiKey: "another-api-key" });
  expect(await loginUnread(rememberRefusals(client, refusals), person)).toMatchObject(failed("known_wrong"));
  expect(service.lines()).toHaveLength(1);
});

test("the same form at another service is sent", async () => {
  const [one, other] = [await startJob([wrong]), await startJob([loggedIn("key-1")])];
  const refusals = remembering();
  await one.run({ refusals });
  expect(await other.run({ refusals })).toMatchObject({ state: "loggedIn" });
});

test("with the check of its fields, not even those are read", async () => {
  const { service, run } = await startJob([
    { json: { status: "success", provider: { name: "Test", country: "UY", auth_fields: [] } } },
    wrong,
  ]);
  const refusals = remembering();
  expect(await run({ refusals, settings: { validate: true } })).toMatchObject(failed("wrong_credentials"));
  expect(await run({ refusals, settings: { validate: true } })).toMatchObject(failed("known_wrong"));
  expect(service.lines()).toEqual(["GET /provider/test/", "POST /login/"]);
});

test("without the option each run is a try", async () => {
  const { service, run } = await startJob([wrong, wrong]);
  await run();
  expect(await run()).toMatchObject(failed("wrong_credentials"));
  expect(service.lines()).toHaveLength(2);
});

describe("what was refused is sent", () => {
  test.each([
    ["with another password", { password: "hunter three" }],
    ["for another user", { username: "bea" }],
    ["at another bank", { provider: "other" }],
    ["with another field of the form", { fields: { type: "passport" } }],
    ["with ignoreKnownRefusal", { ignoreKnownRefusal: true }],
    ["with the store of another program", { refusals: remembering() }],
  ])("%s", async (_, change) => {
    const { service, run } = await startJob([wrong, loggedIn("key-1")]);
    const refusals = remembering();
    await run({ refusals });
    expect(await run({ refusals, ...change })).toMatchObject({ state: "loggedIn" });
    expect(service.lines()).toHaveLength(2);
  });

  test("a year later", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { service, run } = await startJob([wrong, wrong]);
    const refusals = remembering();
    await run({ refusals });
    vi.setSystemTime(Date.now() + 366 * 86_400_000);
    expect(await run({ refusals })).toMatchObject(failed("wrong_credentials"));
    expect(service.lines()).toHaveLength(2);
  });
});

describe("a refusal is forgotten as soon as the bank takes the same form:", () => {
  test.each<[string, Line]>([
    ["it starts a session", loggedIn("key-1")],
    ["it asks to choose a client", selectClient("key-1")],
    ["it asks for a code", asks("otp", "key-1")],
  ])("%s", async (_, accepted) => {
    const { service, run } = await startJob([wrong, accepted, wrong]);
    const refusals = remembering();
    await run({ refusals });
    await run({ refusals, ignoreKnownRefusal: true });
    expect(await run({ refusals })).toMatchObject(failed("wrong_credentials"));
    expect(service.lines()).toHaveLength(3);
  });

  test("one that is refused again is remembered, with the new time", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { service, run } = await startJob([wrong, wrong]);
    const refusals = remembering();
    await run({ refusals });
    vi.setSystemTime(Date.now() + 1000);
    await run({ refusals, ignoreKnownRefusal: true });
    expect(await run({ refusals })).toMatchObject(failed("known_wrong", { refusedAt: Date.now() }));
    expect(service.lines()).toHaveLength(2);
  });
});

describe("nothing is remembered of", () => {
  test("an answer that was wrong: it says nothing of the password", async () => {
    const { service, run } = await startJob([asks("otp", "key-1"), wrong, loggedIn("key-2")]);
    const refusals = remembering();
    expect(await openQuestion(await run({ refusals })).answer("1")).toMatchObject(failed("wrong_credentials"));
    expect(await run({ refusals })).toMatchObject({ state: "loggedIn", key: expectedSecret("key-2") });
    expect(service.lines()).toHaveLength(3);
  });

  test.each<[string, Line]>([
    ["a user who is blocked, since only the bank knows for how long", { json: { status: "user_blocked" } }],
    ["a field that is missing", { json: { status: "missing_credentials" } }],
    ["a bank that is down", { http: 503, json: { status: "provider_unavailable" } }],
    ["a status that is not known", { json: { status: "under_review" } }],
  ])("%s", async (_, refusal) => {
    const { service, run } = await startJob([refusal, loggedIn("key-1")]);
    const refusals = remembering();
    await run({ refusals });
    expect(await run({ refusals })).toMatchObject({ state: "loggedIn" });
    expect(service.lines()).toHaveLength(2);
  });
});

describe("a store that fails stops no login, and its fault is told:", () => {
  const broken = new Error("READONLY");
  const fails = () => Promise.reject(broken);
  const fault = { code: "handler_failed", field: "refusals", cause: broken };

  test("it can't be read", async () => {
    const { service, run } = await startJob([loggedIn("key-1")]);
    const onError = vi.fn();
    const refusals = remembering({ store: { ...createMemoryStore({ rows: new Map() }), read: fails }, onError });
    expect(await run({ refusals })).toMatchObject({ state: "loggedIn", key: expectedSecret("key-1") });
    expect(onError).toHaveBeenCalledWith(expect.objectContaining(fault));
    expect(service.lines()).toEqual(["POST /login/"]);
  });

  test("it can't be written, and whoever is told throws", async () => {
    const { run } = await startJob([wrong]);
    const onError = vi.fn(() => {
      throw new Error("a log that is full");
    });
    const refusals = remembering({ store: { ...createMemoryStore({ rows: new Map() }), swap: fails }, onError });
    expect(await run({ refusals })).toMatchObject(failed("wrong_credentials"));
    expect(onError).toHaveBeenCalledWith(expect.objectContaining(fault));
  });

  test("it could not be read when the bank took a form: what it had of it is forgotten all the same", async () => {
    const { service, run } = await startJob([wrong, loggedIn("key-1"), loggedIn("key-2")]);
    const store = createMemoryStore({ rows: new Map() });
    await run({ refusals: remembering({ store }) });
    await run({ refusals: remembering({ store: { ...store, read: fails } }) });
    expect(await run({ refusals: remembering({ store }) })).toMatchObject({ state: "loggedIn" });
    expect(service.lines()).toHaveLength(3);
  });
});

test("a program that knows every password but not the key finds none in the store", async () => {
  const kept: string[] = [];
  const store = createMemoryStore({ rows: new Map() });
  const spied = {
    ...store,
    swap(...change: Parameters<typeof store.swap>) {
      kept.push(change[0], change[2]);
      return store.swap(...change);
    },
  };
  const { run } = await startJob([wrong, wrong]);
  await run({ refusals: remembering({ store: spied }) });
  await run({ refusals: remembering({ store: spied, key: randomBytes(32).toString("base64") }) });
  const [id, , other] = kept;
  expect(kept.join(" ")).not.toMatch(/hunter|ana|test/);
  expect(id).toMatch(/^refused:[\da-f]{64}$/);
  // The same form with another key.
  expect(other).not.toBe(id);
});

describe("a memory that can't be used is refused:", () => {
  const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" });
  test.each<[string, refusals: unknown, options?: unknown]>([
    ["refusals", true],
    ["refusals.store", { key }],
    ["ignoreKnownRefusal", remembering(), { ignoreKnownRefusal: "false" }],
    ["again", remembering(), { again: true }],
    ["refusals.key", { ...remembering(), key: "short" }],
    ["refusals.keys", { ...remembering(), keys: key }],
  ])("%s", (field, refusals, options) => {
    const remember = () => rememberRefusals(client, refusals as RefusalMemory, options as object);
    expect(remember).toThrow(expect.objectContaining({ code: "invalid_input", field }));
  });
});

test.each(["Ana", "ana ", " A.N.A"])("%j is the same person as ana: the form is not sent again", async (username) => {
  const { service, run } = await startJob([wrong]);
  const refusals = remembering();
  await run({ refusals, username: "ana" });
  expect(await run({ refusals, username })).toMatchObject(failed("known_wrong"));
  expect(service.lines()).toHaveLength(1);
});

describe("a bank that refuses everyone", () => {
  const rows = (count: number, line: Line = wrong): readonly Line[] => Array.from({ length: count }, () => line);
  const asUser = (number: number) => ({ username: `user${number}` });

  /** Logins of different people, one after another, each in a process of its own. */
  async function startCrowd(script: readonly Line[]) {
    const { service, run } = await startJob(script);
    const store = createMemoryStore({ rows: new Map() });
    const onEvent = vi.fn();
    const logIn = (number: number, more: object = {}) =>
      run({ refusals: remembering({ store, onEvent }), ...asUser(number), ...more });
    const refuse = async (from: number, to: number) => {
      for (let number = from; number <= to; number += 1) await logIn(number);
    };
    return { service, logIn, refuse, onEvent, events: () => onEvent.mock.calls.map(([{ type }]) => type) };
  }

  test("for ten forms in a row has none of them remembered, and an event says so", async () => {
    const { service, logIn, refuse, events, onEvent } = await startCrowd([...rows(11), loggedIn("key-1")]);
    await refuse(1, 10);
    expect(onEvent.mock.calls).toEqual([[{ type: "suspended", provider: person.provider }]]);
    await refuse(11, 11);
    // The outage is over.
    expect(await logIn(1)).toMatchObject({ state: "loggedIn" });
    expect(events()).toEqual(["suspended", "resumed"]);
    expect(service.lines()).toHaveLength(12);
  });

  test("is remembered of again once it has accepted a form", async () => {
    const { service, logIn, refuse } = await startCrowd([...rows(10), loggedIn("key-1"), wrong]);
    await refuse(1, 10);
    await logIn(11);
    await refuse(12, 12);
    expect(await logIn(12)).toMatchObject(failed("known_wrong"));
    expect(service.lines()).toHaveLength(12);
  });

  test.each<[string, readonly Line[], (crowd: Awaited<ReturnType<typeof startCrowd>>) => Promise<unknown>]>([
    [
      "one form in between is accepted",
      [...rows(9), loggedIn("key-1"), ...rows(9)],
      async ({ refuse, logIn }) => {
        await refuse(1, 9);
        await logIn(99);
        await refuse(11, 19);
      },
    ],
    [
      "the same form is sent ten times on purpose",
      rows(10),
      async ({ logIn }) => {
        for (let tries = 1; tries <= 10; tries += 1) await logIn(1, { ignoreKnownRefusal: true });
      },
    ],
  ])("is not meant where %s", async (_, script, act) => {
    const crowd = await startCrowd(script);
    await act(crowd);
    expect(crowd.events()).toEqual([]);
    expect(await crowd.logIn(1)).toMatchObject(failed("known_wrong"));
  });

  test("at once, in many processes, loses none of the ten", async () => {
    const { logIn, onEvent, service } = await startCrowd([...rows(25), ...rows(10, loggedIn("key-1"))]);
    await Promise.all(Array.from({ length: 25 }, (_, number) => logIn(number)));
    expect(onEvent).toHaveBeenCalled();
    const before = service.lines().length;
    for (let number = 0; number < 10; number += 1) {
      expect(await logIn(number), `user ${number}`).toMatchObject({ state: "loggedIn" });
    }
    expect(service.lines()).toHaveLength(before + 10);
  });
});

test("the client around another one has each of its members", () => {
  const client = createRelayClient({ baseUrl: "http://relay.test" });
  const around = rememberRefusals(client, remembering());
  expect(Object.keys(around)).toEqual(expect.arrayContaining(Object.keys(client)));
  expect(around.kind).toBe("relay");
  // @ts-expect-error One that forgets what a client need not have does not compile.
  expect(defineClient<BankClient>({ ...createBankClient({ baseUrl: "http://bank.test", apiKey: "k" }) })).toBeDefined();
});

test("an approval in the bank's app finishes a login whose refusals are remembered", async () => {
  const asked = { status: "interaction_required", key: "key-1", field: "app_confirmation", context: "In your app" };
  const service = await startService([{ json: asked }, { http: 404, json: { status: "error" } }, loggedIn("key-2")]);
  const awaitApproval = vi.fn(async () => ({ status: "approved" as const }));
  const client = rememberRefusals({ ...service.client(), awaitApproval }, remembering());
  const outcome = await loginUnread(client, person, { onInteraction: () => new Promise<never>(() => {}) });
  expect(outcome).toMatchObject({ state: "loggedIn", key: expectedSecret("key-2") });
  expect(service.lines().filter((line) => line.startsWith("POST"))).toHaveLength(2);
  expect(awaitApproval).toHaveBeenCalledTimes(1);
});

test("batches that share a store send a refused password once; the row of the next one was not sent", async () => {
  const { service } = await startJob([wrong, loggedIn("key-1")]);
  const refusals = remembering();
  const row = { id: "a", ...person, settings: { validate: false } };
  const run = async (options: Parameters<typeof rememberRefusals>[2] = {}) => {
    const careful = rememberRefusals(service.client(), refusals, options);
    const rows = batch(careful, [row], { journal: createMemoryJournal() });
    return (await rows.next()).value;
  };
  expect(await run()).toMatchObject({ sent: true, outcome: { failure: { code: "wrong_credentials" } } });
  expect(await run()).toMatchObject({
    sent: false,
    outcome: { failure: { code: "known_wrong" } },
  });
  expect(service.lines()).toEqual(["POST /login/"]);
  const last = await run({ ignoreKnownRefusal: true });
  expect(last).toMatchObject({ sent: true, outcome: { state: "loggedIn" } });
  if (last?.outcome?.state === "loggedIn") expect(reveal(last.outcome.key)).toBe("key-1");
});
