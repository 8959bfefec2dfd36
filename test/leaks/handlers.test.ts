import { runInNewContext } from "node:vm";
import { HandlerError, type LoginOptions, login, reveal, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import { loggedIn, selectClient, startService } from "../bank/service.ts";
import { watch } from "./channels.ts";
import { first, flowCanaries, formOf, type Name } from "./flows.ts";

const clients = { json: { status: "success", clients: { 0: "First Client" } } };

/** A login with a question and a choice, in which a function of the caller's throws at one place what the test makes. */
async function loginThatThrowsAt(place: string, what: (canaries: ReturnType<typeof flowCanaries>) => unknown) {
  const canaries = flowCanaries();
  const watching = watch(Object.values(canaries));
  const { firstKey, sessionKey, firstAnswer, apiKey } = canaries;
  const bank = await startService([first(canaries), selectClient(sessionKey.value), clients, loggedIn(firstKey.value)]);
  const thrown = what(canaries);
  let calls = 0;
  // A place is a function's name, and with it the call that throws where that is not the first.
  const at = (name: string, said = "") => {
    if (`${name} ${said}`.trim() === place) throw thrown;
  };
  const options: LoginOptions = {
    ...formOf(canaries),
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

// What has been given or sent by the time that a place is reached.
const given = ["apiKey", "username", "password", "companyCode"] as const;
const asked = [...given, "firstKey"] as const;
const sent = [...asked, "firstAnswer"] as const;
const places: readonly (readonly [string, readonly Name[]])[] = [
  ["onTransition idle", given],
  ["onRequest 0", given],
  ["onResponse 1", given],
  ["onTransition awaitingInteraction", asked],
  ["onInteraction", asked],
  ["inspect answer", sent],
  ["onRequest 1", sent],
  ["onResponse 2", sent],
  ["inspect session key", [...sent, "sessionKey"]],
  ["onSelectClient", [...sent, "sessionKey"]],
  ["onResponse 4", [...sent, "sessionKey"]],
];

describe("what a function of the caller's throws", () => {
  test.each(places)("at %s is the cause", async (place) => {
    const innocent = Object.assign(new RangeError("no such row", { cause: new Error("closed") }), {
      code: "E42",
      rows: [{ id: 7, at: null }],
      key: secret("a secret shows nothing"),
    });
    const { error, thrown, findings } = await loginThatThrowsAt(place, () => innocent);
    expect(error.cause).toBe(thrown);
    expect(error.message).toBe(`handler_failed: ${place.split(" ")[0]}: threw RangeError`);
    expect(findings).toEqual([]);
  });

  const each = places.flatMap(([place, names]) => names.map((name) => [place, name] as const));
  test.each(each)("at %s is told by name alone where it has the %s in it", async (place, name) => {
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
    ["a text", (value) => value],
    ["its name", (value) => Object.assign(new Error("no"), { name: value })],
    [
      "the name that its class gives it",
      (value) =>
        new (class extends Error {
          override get name() {
            return value;
          }
        })("no"),
    ],
    ["its stack", (value) => Object.assign(new Error("no"), { stack: `at ${value}` })],
    ["a word of its message", (value) => new Error(`for x${value}y`)],
    ["its message, as an address has it", (value) => new Error(`/?p=${encodeURIComponent(value)}`)],
    ["its message, as JSON has it", (value) => new Error(JSON.stringify({ value }))],
    ["a member", (value) => Object.assign(new Error("no"), { form: { fields: [value] } })],
    ["a member's name", (value) => Object.assign(new Error("no"), { [value]: 1 })],
    ["a member that is not enumerated", (value) => Object.defineProperty(new Error("no"), "held", { value })],
    ["a symbol's text", (value) => Object.assign(new Error("no"), { [Symbol(value)]: 1 })],
    ["its cause", (value) => new Error("no", { cause: new Error(value) })],
    ["one of its errors", (value) => new AggregateError([new Error("no"), new Error(value)], "both")],
    ["a Map, which is not looked into", (value) => Object.assign(new Error("no"), { held: new Map([[1, value]]) })],
    ["a function, which is not looked into", (value) => Object.assign(new Error("no"), { retry: () => value })],
    ["a getter, which is not asked", (value) => Object.defineProperty(new Error("no"), "held", { get: () => value })],
    ["what it says as JSON, which is not asked", (value) => new Sealed(value)],
    ["what it prints, which is not asked", (value) => ({ [Symbol.for("nodejs.util.inspect.custom")]: () => value })],
    ["more members than are looked at", (value) => ({ list: [...Array.from({ length: 1_000 }, String), value] })],
    ["a proxy that fails", (value) => new Proxy(new Error(value), { ownKeys: () => [][0] as never })],
  ])("is told by name alone where the password is in %s", async (_, shape) => {
    const { error, findings } = await loginThatThrowsAt("onInteraction", ({ password }) => shape(password.value));
    expect(error).not.toHaveProperty("cause");
    expect(error.detail).toMatch(/^threw \w+$/);
    expect(findings).toEqual([]);
  });

  test("is the cause where it is an error of another realm", async () => {
    const foreign: unknown = runInNewContext("new Error('no')");
    expect((await loginThatThrowsAt("onInteraction", () => foreign)).error.cause).toBe(foreign);
  });

  test("is the cause where it leads back to itself", async () => {
    const circular: Error & { self?: unknown } = new Error("no");
    circular.self = circular;
    expect((await loginThatThrowsAt("onInteraction", () => circular)).error.cause).toBe(circular);
  });

  test("is told by name alone where a short password is a part of a word in it", async () => {
    const bank = await startService([first(flowCanaries())]);
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
