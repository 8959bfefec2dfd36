import { setImmediate } from "node:timers/promises";
import { createBankClient } from "ventanilla";
import { createDurableLoginClient, DURABLE_LOGIN_VERSION, durableLogin } from "ventanilla/restate";
import { expect, onTestFinished, test, vi } from "vitest";
import { readFailure } from "../../../core/pause/paused.ts";
import { openInteraction } from "../open-interaction.ts";

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
    const needed = create === durableLogin ? { client } : { ingress: "http://restate.test" };
    const options = { ...needed, sealKey, [field]: value };
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

const interaction = { field: "otp", fields: ["otp"], context: "Code?", number: 3, isRepeat: true, answersSent: 2 };
const state = { state: "awaitingInteraction", over: false, provider: "test", settings: {}, interaction };

test("an answer names the interaction that was shown, whatever other callers have answered since", async () => {
  const { logins, sent, addresses } = createClient(state);
  const id = `${DURABLE_LOGIN_VERSION}.order-17`;
  const { interaction } = await logins.settled(id);
  if (!interaction) throw new Error("It waits for nothing.");
  expect(interaction.kind).toBe("code");
  await logins.answer(id, { ...interaction, number: 2 }, "8888");
  expect(sent.filter((message) => "interaction" in message)).toMatchObject([{ interaction: 2 }]);
  expect(addresses.map((address) => address.split("/").slice(-2))).toEqual([
    [id, "settled"],
    [id, "answer"],
    [id, "settled"],
  ]);
  for (const text of ["", "the code is 8888 today"]) {
    await expect(logins.answer(id, interaction, text)).rejects.toMatchObject({ code: "invalid_input", field: "otp" });
  }
  expect(addresses).toHaveLength(3);
});

test("a confirmation that comes too early is told so after three seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { logins } = createClient({
    ...state,
    interaction: { ...interaction, field: "confirmation", fields: ["confirmation"], context: "Confirm" },
  });
  const shown = await logins.settled("1.a");
  if (shown.interaction?.kind !== "confirmation") throw new Error(shown.interaction?.kind);
  let isAnswered = false;
  const answered = logins.answer("1.a", shown.interaction, shown.interaction.answer).then(() => {
    isAnswered = true;
  });
  while (vi.getTimerCount() === 0) await setImmediate();
  await vi.advanceTimersByTimeAsync(2_900);
  expect(isAnswered).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  await answered;
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
  const asked = await openInteraction(logins, id);
  await expect(asked.answer("8888")).rejects.toMatchObject({ code: "token_invalid", detail: "of another version" });
  expect(calls).toEqual(["settled", "answer"]);
  isOpened = true;
  expect((await asked.answer("8888")).state).toBe("cancelled");
});
