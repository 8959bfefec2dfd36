import { randomUUID } from "node:crypto";
import { createMemoryStore, type Store } from "ventanilla";
import type { RelayOptions, RelaySender } from "ventanilla/relay";
import { createSandbox } from "ventanilla/sandbox";
import { describe, expect, test } from "vitest";
import { promised, respondAs, startService } from "../../bank/service.ts";
import { asWords } from "../../leaks/canaries.ts";
import {
  API_KEY,
  faulty,
  form,
  OTP,
  PLAIN,
  readResponse,
  refused,
  type Stage,
  type StatusAndBody,
  stage,
} from "./stage.ts";

const readUser = ({ request }: RelaySender) => request.headers.get("x-user") ?? undefined;
const loggedIn: StatusAndBody = [200, { status: "logged_in", key: expect.any(String) }];
const unknown = faulty(409, "outcome_unknown");
const notFound = refused(404, "Not found");
const notSent: StatusAndBody = [404, { status: "unknown_attempt" }];

/** A store in memory, as instances share one. */
function createStore() {
  const texts = new Map<string, string>();
  const store: Store = {
    ...createMemoryStore(),
    read: async (id) => texts.get(id),
    swap: async (id, _expected, text) => texts.size < texts.set(id, text).size,
  };
  return { texts, store };
}

/** A bank that responds to logins when it is let. */
async function holdBank() {
  const { promise: responded, keep: respond } = promised();
  const sandbox = createSandbox({ apiKey: API_KEY });
  const bank = await startService(
    respondAs(async (request) => {
      if (request.method === "POST") await responded;
      return sandbox(request);
    }),
  );
  return { bank, respond };
}

/** What a page of a user sends. Its connection can break. */
const send = async (set: Stage, fields: Record<string, string>, id: string, { key = "", user = "ana" } = {}) =>
  readResponse(await set.send("/login/", form(fields, { "x-user": user, "x-attempt-id": id }), key || undefined));
const read = async ({ send }: Stage, id: string, user = "ana") =>
  readResponse(await send(`/attempt/${id}/`, { headers: { "x-user": user, "x-attempt-id": "" } }));

async function leave(set: Stage, fields: Record<string, string>, id: string) {
  const leaving = new AbortController();
  const init = form(fields, { "x-user": "ana", "x-attempt-id": id });
  const left = set.send("/login/", { ...init, signal: leaving.signal }).catch(() => "left");
  await expect.poll(() => set.bank.requests).toHaveLength(1);
  leaving.abort();
  expect(await left).toBe("left");
  await expect.poll(() => set.events.at(-1)).toMatchObject({ httpStatus: 499 });
}

describe("a page that lost the response to", () => {
  test.each<[string, Record<string, string>, number]>([
    ["a login", PLAIN, 200],
    ["a login that the bank asks about", OTP, 200],
    ["a wrong password", { ...PLAIN, password: "wrong" }, 403],
    ["a login at no bank", { ...PLAIN, provider: "nobank" }, 404],
  ])("%s gets the same one, and the bank counts one login", async (_, fields, http) => {
    const set = await stage({ readUser });
    const id = randomUUID();
    const response = await send(set, fields, id);
    expect(response[0]).toBe(http);
    expect(await read(set, id)).toEqual(response);
    expect(set.bank.requests).toHaveLength(1);
  });
});

test("an attempt that did not come is not known, and is refused when it comes", async () => {
  const set = await stage({ readUser });
  const id = randomUUID();
  expect(await read(set, id)).toEqual(notSent);
  expect(await send(set, PLAIN, id)).toEqual(unknown);
  expect(set.bank.requests).toEqual([]);
});

test("another user gets nothing of an attempt, nor who is not signed in", async () => {
  const set = await stage({ readUser });
  const id = randomUUID();
  await send(set, PLAIN, id);
  expect(await read(set, id, "eva")).toEqual(unknown);
  expect(await read(set, id, "")).toEqual(faulty(401, "not_signed_in"));
  expect(await read(set, id)).toEqual(loggedIn);
});

test.each(["x", "..", "%2e%2e", `${randomUUID()}.3`])("an id that no client writes, %s, is not known", async (id) => {
  const set = await stage({ readUser });
  expect((await read(set, id))[0]).toBe(404);
});

test("a relay without readUser knows of no attempt, and says of no question that it can be resumed", async () => {
  const set = await stage();
  const id = randomUUID();
  const [, asked] = await send(set, OTP, id);
  expect(asked).not.toHaveProperty("resumable");
  expect(await read(set, id)).toEqual(notFound);
  await expect(set.browser().readAttempt?.(id)).rejects.toMatchObject({ code: "outcome_unknown" });
});

test("the client reads an attempt as it reads the login", async () => {
  const set = await stage({ readUser: () => "ana" });
  const client = set.browser();
  const attemptId = randomUUID();
  const response = await client.login(OTP, { attemptId });
  expect(response).toMatchObject({ status: "interaction_required", field: "otp", resumable: true });
  expect(await client.readAttempt?.(attemptId)).toEqual(response);
  expect(await client.readAttempt?.(randomUUID())).toEqual({ status: "unknown_attempt" });
  await expect(client.readAttempt?.("a/b")).rejects.toMatchObject({ code: "invalid_input", field: "attemptId" });
  // That of a bank.
  expect(set.client).not.toHaveProperty("readAttempt");
  expect(set.bank.paths()).toEqual(["POST /login/"]);
});

test("a bank that says that a question can be resumed is not believed", async () => {
  const bank = await startService(
    respondAs(async () =>
      Response.json({ status: "interaction_required", key: "k", field: "otp", context: "", resumable: true }),
    ),
  );
  const set = await stage({}, { bank });
  expect(await set.client.login(OTP)).not.toHaveProperty("resumable");
  expect(await set.browser().login(OTP)).not.toHaveProperty("resumable");
});

describe("of several instances", () => {
  async function stageTwo(options: Partial<RelayOptions> = {}) {
    const { bank, respond } = await holdBank();
    const { texts, store } = createStore();
    const claimStore = createMemoryStore({ rows: new Map() });
    const shared: Partial<RelayOptions> = { readUser, claimStore, responseStore: store, ...options };
    return { texts, respond, first: await stage(shared, { bank }), second: await stage(shared, { bank }) };
  }

  test("another one says how the attempt ended, and waits until it has", async () => {
    const { texts, respond, first, second } = await stageTwo();
    const id = randomUUID();
    await leave(first, PLAIN, id);
    const reading = read(second, id);
    respond();
    const response = await reading;
    expect(response).toEqual(loggedIn);
    expect(await read(first, id)).toEqual(response);
    expect(second.events.at(-1)).toMatchObject({ id, status: "logged_in" });
    expect(first.bank.paths()).toEqual(["POST /login/"]);
    expect([...texts.keys()]).toEqual([`response:${id}`]);
    expect([...texts.values()].join()).not.toMatch(asWords("ana", "logged_in"));
  });

  test("another one says nothing to another user", async () => {
    const { respond, first, second } = await stageTwo();
    respond();
    const id = randomUUID();
    await send(first, PLAIN, id);
    expect(await read(second, id, "eva")).toEqual(unknown);
  });

  test("a browser's own repeat at another one gets the response of the first", async () => {
    const { respond, first, second } = await stageTwo();
    respond();
    const id = randomUUID();
    const response = await send(first, PLAIN, id);
    expect(await send(second, PLAIN, id)).toEqual(response);
    expect(await read(second, id)).toEqual(response);
    expect(first.bank.requests).toHaveLength(1);
  });

  test("without a store another one does not know the outcome", async () => {
    const { respond, first, second } = await stageTwo({ responseStore: undefined as never });
    respond();
    const id = randomUUID();
    await send(first, PLAIN, id);
    expect(await read(second, id)).toEqual(unknown);
  });

  test("an attempt that one of them has asked about is sent by none", async () => {
    const { first, second } = await stageTwo();
    const id = randomUUID();
    expect(await read(second, id)).toEqual(notSent);
    void send(first, PLAIN, id).catch(() => undefined);
    await expect.poll(() => second.events).toHaveLength(1);
    expect(first.bank.requests).toEqual([]);
  });

  test("a store that throws costs the page nothing but the outcome at another instance", async () => {
    const fail = () => Promise.reject(new TypeError("a canary"));
    const { respond, first, second } = await stageTwo({
      responseStore: { ...createMemoryStore(), read: fail, swap: fail },
    });
    respond();
    const id = randomUUID();
    expect(await send(first, PLAIN, id)).toEqual(loggedIn);
    expect(await read(first, id)).toEqual(loggedIn);
    expect(await read(second, id)).toEqual(unknown);
    const errors = [...first.errors, ...second.errors].map(String);
    expect(errors).toEqual(Array(2).fill("BankError: handler_failed: responseStore: threw TypeError"));
  });

  test("a response that was altered, or sealed with another key, is not passed on", async () => {
    const { texts, respond, first, second } = await stageTwo();
    respond();
    const id = randomUUID();
    await send(first, PLAIN, id);
    for (const [name, text] of texts) texts.set(name, `${text.slice(0, -4)}AAAA`);
    expect(await read(second, id)).toEqual(unknown);
    expect(second.errors).toMatchObject([{ code: "token_invalid", detail: "altered" }]);
  });
});
