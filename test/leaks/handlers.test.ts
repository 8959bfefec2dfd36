import { runInNewContext } from "node:vm";
import { HandlerError, type LoginOptions, login, reveal, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import { localBank } from "../api/server.ts";
import { loggedIn, selectClient } from "../bank/service.ts";
import { watch } from "./channels.ts";
import { first, flowCanaries, type Name, toForm } from "./flows.ts";

const clients = { json: { status: "success", clients: { 0: "First Client" } } };

/** A login with an interaction and a choice of client, in which a function of the caller throws at one place. */
async function loginThatThrowsAt(place: string, createError: (canaries: ReturnType<typeof flowCanaries>) => unknown) {
  const canaries = flowCanaries();
  const watching = watch(Object.values(canaries));
  const { firstKey, sessionKey, firstAnswer, apiKey } = canaries;
  const bank = localBank(first(canaries), selectClient(sessionKey.value), clients, loggedIn(firstKey.value));
  const thrown = createError(canaries);
  let calls = 0;
  // A place is the name of a function, and which of its calls throws.
  const at = (name: string, call = "") => {
    if (`${name} ${call}`.trim() === place) throw thrown;
  };
  const options: LoginOptions = {
    ...toForm(canaries),
    onInteraction: () => {
      at("onInteraction");
      return firstAnswer.value;
    },
    onSelectClient: () => {
      at("onSelectClient");
      return "0";
    },
    onTransition: (state) => at("onTransition", state),
    inspect: (event) => {
      if (event.type !== "@xstate.event") return;
      if (event.event.type === "interaction.answer") at("inspect", "answer");
      if (event.event.type === "xstate.done.actor.submitCredentials" && calls++ > 0) at("inspect", "session key");
    },
  };
  const client = bank.client({
    apiKey: apiKey.value,
    onRequest: () => at("onRequest", String(bank.requests.length)),
    onResponse: () => at("onResponse", String(bank.requests.length)),
  });
  const error: unknown = await login(client, options).catch((fault: unknown) => fault);
  watching.see("error", error);
  await new Promise((resolve) => setImmediate(resolve));
  expect(error).toBeInstanceOf(HandlerError);
  return { error: error as HandlerError, thrown, findings: watching.findings() };
}

// The places, each with the secrets that the login knows there.
const credentials = ["apiKey", "username", "password", "companyCode"] as const;
const interaction = [...credentials, "firstKey"] as const;
const answered = [...interaction, "firstAnswer"] as const;
const places: readonly (readonly [string, readonly Name[]])[] = [
  ["onTransition idle", credentials],
  ["onRequest 0", credentials],
  ["onResponse 1", credentials],
  ["onTransition awaitingInteraction", interaction],
  ["onInteraction", interaction],
  ["inspect answer", answered],
  ["onRequest 1", answered],
  ["onResponse 2", answered],
  ["inspect session key", [...answered, "sessionKey"]],
  ["onSelectClient", [...answered, "sessionKey"]],
  ["onResponse 4", [...answered, "sessionKey"]],
];

describe("an error thrown by a function of the caller", () => {
  test.each(places)("at %s is the cause if it contains no secret", async (place) => {
    const harmless = Object.assign(new RangeError("no such row", { cause: new Error("closed") }), {
      code: "E42",
      rows: [{ id: 7, at: null }],
      key: secret("a secret shows nothing"),
    });
    const { error, thrown, findings } = await loginThatThrowsAt(place, () => harmless);
    expect(error.cause).toBe(thrown);
    expect(error.message).toBe(`handler_failed: ${place.split(" ")[0]}: threw RangeError`);
    expect(findings).toEqual([]);
  });

  const each = places.flatMap(([place, names]) => names.map((name) => [place, name] as const));
  test.each(each)("at %s is reported by its class name alone if it contains the %s", async (place, name) => {
    const { error, findings } = await loginThatThrowsAt(place, (canaries) => new RangeError(canaries[name].value));
    expect(error).not.toHaveProperty("cause");
    expect(error.detail).toBe("threw RangeError");
    expect(findings).toEqual([]);
  });

  class Sealed extends Error {
    readonly #value: string;
    constructor(value: string) {
      super("sealed");
      this.#value = value;
    }
    toJSON(): string {
      return this.#value;
    }
  }

  test.each<[string, (value: string) => unknown]>([
    ["a string that is thrown", (value) => value],
    ["its name", (value) => Object.assign(new Error("no"), { name: value })],
    [
      "the name from its class",
      (value) =>
        new (class extends Error {
          override get name() {
            return value;
          }
        })("no"),
    ],
    ["its stack", (value) => Object.assign(new Error("no"), { stack: `at ${value}` })],
    ["a part of a word of its message", (value) => new Error(`for x${value}y`)],
    ["its message, encoded for an address", (value) => new Error(`/?p=${encodeURIComponent(value)}`)],
    ["its message, as JSON", (value) => new Error(JSON.stringify({ value }))],
    ["a member", (value) => Object.assign(new Error("no"), { form: { fields: [value] } })],
    ["the name of a member", (value) => Object.assign(new Error("no"), { [value]: 1 })],
    ["a member that is not enumerable", (value) => Object.defineProperty(new Error("no"), "kept", { value })],
    ["the description of a symbol", (value) => Object.assign(new Error("no"), { [Symbol(value)]: 1 })],
    ["its cause", (value) => new Error("no", { cause: new Error(value) })],
    ["one of its aggregated errors", (value) => new AggregateError([new Error("no"), new Error(value)], "both")],
    ["a Map, which is not searched", (value) => Object.assign(new Error("no"), { kept: new Map([[1, value]]) })],
    ["a function, which is not searched", (value) => Object.assign(new Error("no"), { retry: () => value })],
    ["a getter, which is not called", (value) => Object.defineProperty(new Error("no"), "kept", { get: () => value })],
    ["the result of toJSON, which is not called", (value) => new Sealed(value)],
    [
      "the result of inspect, which is not called",
      (value) => ({ [Symbol.for("nodejs.util.inspect.custom")]: () => value }),
    ],
    ["one of more members than are searched", (value) => ({ list: [...Array.from({ length: 1_000 }, String), value] })],
    ["a proxy whose trap throws", (value) => new Proxy(new Error(value), { ownKeys: () => [][0] as never })],
  ])("is reported by its class name alone if the password is in %s", async (_, shape) => {
    const { error, findings } = await loginThatThrowsAt("onInteraction", ({ password }) => shape(password.value));
    expect(error).not.toHaveProperty("cause");
    expect(error.detail).toMatch(/^threw \w+$/);
    expect(findings).toEqual([]);
  });

  test("is the cause if it comes from another realm", async () => {
    const foreign: unknown = runInNewContext("new Error('no')");
    expect((await loginThatThrowsAt("onInteraction", () => foreign)).error.cause).toBe(foreign);
  });

  test("is the cause if it contains itself", async () => {
    const circular: Error & { self?: unknown } = new Error("no");
    circular.self = circular;
    expect((await loginThatThrowsAt("onInteraction", () => circular)).error.cause).toBe(circular);
  });

  test("is reported by its class name alone if a short password is a part of a word in it", async () => {
    const bank = localBank(first(flowCanaries()));
    const password = secret("gfdsa");
    const onInteraction = () => {
      throw new Error(`wrong:x${reveal(password)}x`);
    };
    const fault = await login(bank.client(), { provider: "test", username: "12345", password, onInteraction }).catch(
      (error: unknown) => error,
    );
    expect(fault).toBeInstanceOf(HandlerError);
    expect(fault).not.toHaveProperty("cause");
  });
});
