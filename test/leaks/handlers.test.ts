import { runInNewContext } from "node:vm";
import { BankError, type LoginOptions, login } from "ventanilla";
import { describe, expect, test } from "vitest";
import { loggedIn, selectClient } from "../bank/service.ts";
import { localBank } from "../core/api/local-bank.ts";
import { watch } from "./channels.ts";
import { first, flowCanaries, toForm } from "./flows.ts";

const clients = { json: { status: "success", clients: { 0: "First Client" } } };

/** A login with an interaction and a choice of client, in which a function of the caller throws at one place. */
async function loginThatThrowsAt(place: string, createError: (canaries: ReturnType<typeof flowCanaries>) => unknown) {
  const canaries = flowCanaries();
  const watching = watch(Object.values(canaries));
  const { firstKey, sessionKey, firstAnswer, apiKey } = canaries;
  const bank = localBank(first(canaries), selectClient(sessionKey.value), clients, loggedIn(firstKey.value));
  const thrown = createError(canaries);
  // A place is the name of a function, and which of its calls throws.
  const at = (name: string, call = "") => {
    if (`${name} ${call}`.trim() === place) throw thrown;
  };
  const options: LoginOptions = {
    settings: { validate: false },
    onInteraction: () => {
      at("onInteraction");
      return firstAnswer.value;
    },
    onSelectClient: () => {
      at("onSelectClient");
      return "0";
    },
    onTransition: (state) => at("onTransition", state.state),
    inspect: (event) => {
      if (event.type !== "@xstate.event") return;
      if (event.event.type === "interaction.answer") at("inspect", "answer");
      if (event.event.type === "xstate.done.actor.submitAnswer") at("inspect", "session key");
    },
  };
  const client = bank.client({
    apiKey: apiKey.value,
    onRequest: () => at("onRequest", String(bank.requests.length)),
    onResponse: () => at("onResponse", String(bank.requests.length)),
  });
  const error: unknown = await login(client, toForm(canaries), options).catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(BankError);
  // The caller's own error is his: what it holds is not ours to hide. The rest of ours shows nothing.
  const { cause: _, ...own } = error as BankError;
  watching.see("error", { ...own, message: (error as BankError).message });
  await new Promise((resolve) => setImmediate(resolve));
  return { error: error as BankError, thrown, findings: watching.findings() };
}

const places = [
  "onTransition idle",
  "onRequest 0",
  "onResponse 1",
  "onTransition awaitingInteraction",
  "onInteraction",
  "inspect answer",
  "onRequest 1",
  "onResponse 2",
  "inspect session key",
  "onSelectClient",
  "onResponse 4",
];

describe("an error thrown by a function of the caller", () => {
  test.each(places)("at %s is the cause, untouched; no other channel shows what is in it", async (place) => {
    // As an HTTP library's error, which has methods, a Map and what was sent.
    const { error, thrown, findings } = await loginThatThrowsAt(place, ({ password, username }) =>
      Object.assign(new RangeError(`${username.value} ${password.value}`), {
        config: { data: password.value, headers: new Map([["x", password.value]]) },
        toJSON: () => ({ password: password.value }),
      }),
    );
    expect(error.cause).toBe(thrown);
    expect(error.message).toBe(`handler_failed: ${place.split(" ")[0]}: threw RangeError`);
    expect(findings).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["a text", "closed"],
    ["nothing", undefined],
    ["an error of another realm", runInNewContext("new Error('no')")],
  ])("is the cause if it is %s", async (_, thrown) => {
    expect((await loginThatThrowsAt("onInteraction", () => thrown)).error.cause).toBe(thrown);
  });
});
