import { createBankClient } from "ventanilla";
import { createDurableLoginClient, DURABLE_LOGIN_VERSION, durableLogin } from "ventanilla/restate";
import { type LifecycleEvent, onLifecycle } from "ventanilla/telemetry";
import { expect, onTestFinished, test, vi } from "vitest";
import { openQuestion } from "../../../bank/service.ts";
import { readFailure } from "../../../core/pause/paused.ts";

const sealKey = Buffer.alloc(32, 7).toString("base64");
const [username, password] = ["somebody-at-the-bank", "password-of-hers-4711"];
const form = { provider: "test", username, password };

/** A client whose calls of Restate get this state. `sent` holds their bodies, `addresses` where they went. */
function createClient(state: object, status = 200) {
  const sent: Record<string, unknown>[] = [];
  const addresses: string[] = [];
  const logins = createDurableLoginClient({
    ingress: "http://restate.test",
    sealKey,
    fetch: async (address, init) => {
      addresses.push(String(address));
      sent.push(JSON.parse(new TextDecoder().decode(init?.body as Uint8Array)));
      return Response.json(state, { status });
    },
  });
  return { logins, sent, addresses };
}

test("a setting of infinity is sent as the longest possible, since JSON has no infinity", async () => {
  const { logins, sent } = createClient({ state: "submitting" });
  const endless = Number.POSITIVE_INFINITY;
  const settings = { answerTimeout: endless, deadline: endless, interactionLimit: endless, validate: true };
  await logins.start({ ...form, settings });
  const finite = { answerTimeout: 2 ** 31 - 1, interactionLimit: Number.MAX_SAFE_INTEGER, validate: true };
  expect(sent).toMatchObject([{ settings: finite }]);
  expect(sent[0]?.["settings"]).not.toHaveProperty("deadline");
});

test.each(["", "a b", "a/b", "ñ", "a".repeat(65)])(
  "the name $0 is refused, since ids stand in addresses",
  async (name) => {
    const { logins, sent } = createClient({});
    await expect(logins.start({ ...form, name })).rejects.toMatchObject({ code: "invalid_input", field: "name" });
    expect(sent).toEqual([]);
  },
);

test.each<[field: string, values: unknown[], create: (options: never) => unknown]>([
  ["ingress", [undefined, "", "localhost:8080", "/restate"], createDurableLoginClient],
  ["retryTimeout", ["30", Number.NaN], createDurableLoginClient],
  ["version", ["", "6.1", "a".repeat(17)], createDurableLoginClient],
  ["version", ["", "6.1", "a".repeat(17)], durableLogin],
  ["client", [undefined, {}], durableLogin],
  ["journalRetention", [Number.NaN], durableLogin],
])("the option %s is refused by its name: %o", (field, values, create) => {
  const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "key" });
  for (const value of values) {
    const options = { ingress: "http://restate.test", client, sealKey, [field]: value };
    expect(() => create(options as never)).toThrow(expect.objectContaining({ code: "invalid_input", field }));
  }
});

test.each(["state", "wait"] as const)(
  "%s is given up where every connection takes 10 seconds to fail",
  async (handler) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const fetch = vi.fn(() => new Promise<never>((_, fail) => setTimeout(fail, 10_000, new TypeError("fetch failed"))));
    const failure = readFailure(
      createDurableLoginClient({ ingress: "http://restate.test", sealKey, fetch })[handler]("5.x"),
    );
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await failure).toMatchObject({ code: "network_failed" });
    const tries = fetch.mock.calls.length;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(fetch).toHaveBeenCalledTimes(tries);
  },
);

test("a server that does not know the service says what to look at", async () => {
  const { logins, sent } = createClient({ message: "service 'ventanilla-login-7' not found" }, 404);
  await expect(logins.start(form)).rejects.toThrow(
    /HTTP 404 .*: is this the ingress, and is a worker .* registered\?$/,
  );
  expect(sent).toHaveLength(1);
});

const interaction = { field: "otp", context: "Code?", number: 3, isRepeat: true, answersSent: 2 };
const state = { state: "awaitingInteraction", over: false, provider: "test", settings: {}, interaction };

test("an answer names the question that was shown, where other callers have answered those before it", async () => {
  const { logins, sent } = createClient(state);
  await openQuestion(await logins.login(form)).answer("8888");
  expect(sent.filter((message) => "interaction" in message)).toMatchObject([{ interaction: 3 }]);
});

test("a login has the id of the durable login, in its outcomes, its events and the token of a pause", async () => {
  const events: LifecycleEvent[] = [];
  const inspect = onLifecycle((event) => void events.push(event));
  const { logins } = createClient(state);
  const id = `${DURABLE_LOGIN_VERSION}.order-17`;
  const asked = openQuestion(await logins.login({ ...form, name: "order-17", inspect }));
  const resumed = openQuestion(await logins.resume(await asked.pause({ key: sealKey }), { key: sealKey, inspect }));
  expect([asked.id, resumed.id]).toEqual([id, id]);
  expect(new Set(events.map((event) => event.id))).toEqual(new Set([id]));
});

test("a login is taken up by its name, in any process that knows it", async () => {
  const { logins, addresses } = createClient(state);
  const taken = openQuestion(await logins.resume({ name: "order-17" }));
  expect(taken.id).toBe(`${DURABLE_LOGIN_VERSION}.order-17`);
  expect(addresses).toEqual([expect.stringMatching(`/${DURABLE_LOGIN_VERSION}\\.order-17/settled$`)]);
  await expect(logins.resume({ name: "order 17" })).rejects.toMatchObject({ code: "invalid_input", field: "name" });
  expect(addresses).toHaveLength(1);
});

/** The error of a login whose handler throws this. */
function failInHandler(thrown: Error): Promise<Error> {
  const onInteraction = () => {
    throw thrown;
  };
  return readFailure(createClient(state).logins.login({ ...form, onInteraction })) as Promise<Error>;
}

test("the error of a handler is the cause, for its author", async () => {
  const thrown = new Error("The mailbox is closed.");
  expect(await failInHandler(thrown)).toMatchObject({ code: "handler_failed", cause: thrown });
});

test("an answer that the worker can't open rejects, and the login is still there to be answered", async () => {
  const interaction = { field: "otp", fields: ["otp"], context: "Code?", number: 1, isRepeat: false, answersSent: 0 };
  const state = { state: "awaitingInteraction", over: false, provider: "test", settings: {}, interaction };
  let isOpened = false;
  const calls: string[] = [];
  const logins = createDurableLoginClient({
    ingress: "http://restate.test",
    sealKey,
    fetch: async (address) => {
      const handler = String(address).split("/").at(-1) ?? "";
      calls.push(handler);
      if (handler !== "answer") return Response.json(isOpened ? { ...state, state: "cancelled", over: true } : state);
      return isOpened
        ? Response.json(state)
        : Response.json({ code: 400, message: "token_invalid: of another version" }, { status: 400 });
    },
  });
  const id = `${DURABLE_LOGIN_VERSION}.a`;
  const fault = openQuestion(await logins.resume(id)).answer("8888");
  await expect(fault).rejects.toMatchObject({ code: "token_invalid", detail: "of another version" });
  expect(calls).toEqual(["settled", "answer"]);
  const again = openQuestion(await logins.resume(id));
  isOpened = true;
  expect((await again.answer("8888")).status).toBe("cancelled");
});
