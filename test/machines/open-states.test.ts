import { createBankClient, createLoginMachine, pause, readState, resume, secret } from "ventanilla";
import { linkMachine } from "ventanilla/machines/link";
import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, test } from "vitest";
import { createActor, getNextSnapshot, initialTransition } from "xstate";
import { createOpenOutcome } from "../../src/core/login/outcome.ts";
import { unsealPausedLogin } from "../../src/core/login/paused-token.ts";
import { listStates, listTransitions } from "../../src/tools/trace/transitions.ts";
import { KEY } from "../core/pause/paused.ts";
import { clients, credentials, keys, pausedQuestion } from "./login-cases.ts";
import { readPosition } from "./position.ts";

const baseUrl = "http://bank.test";
const client = createBankClient({ baseUrl, apiKey: "never-sent" });
const machine = createLoginMachine(client);
const [idle] = initialTransition(machine, {});
const open = listStates(machine).filter(({ tags }) => tags.includes("open"));

/** The value of a state, as its path says. */
const toValue = (path: string) =>
  path.split(".").reduceRight<string | object>((value, name) => (value === "" ? name : { [name]: value }), "");

test("each open state has a name of its own among the outcomes", () => {
  const context = { ...idle.context, ...pausedQuestion, clients, credentials, key: secret(keys.paused) };
  const names = open.map(({ path }) => {
    const snapshot = machine.resolveState({ value: toValue(path) as typeof idle.value, context });
    const actor = createActor(machine, { input: {}, snapshot }).start();
    const next = () => Promise.reject(new Error("nothing is sent"));
    const state = readState(snapshot);
    if (state.state !== "awaitingInteraction" && state.state !== "selectClient") throw new Error(state.state);
    const { state: name } = createOpenOutcome({ service: client, actor, next }, state, undefined);
    actor.stop();
    return name;
  });
  expect(new Set(names).size).toBe(open.length);
});

describe.each(open.map(({ path }) => path))("a login that waits in %s", (path) => {
  test("waits in the same state after it was paused, and has an outcome with verbs", async () => {
    const context = { ...idle.context, ...pausedQuestion, clients, credentials, key: secret(keys.paused) };
    const snapshot = machine.resolveState({ value: toValue(path) as typeof idle.value, context });
    const actor = createActor(machine, { input: {}, snapshot }).start();
    const token = await pause(client, actor, { key: KEY });
    // An outcome that waits, where no handler answers.
    expect(
      await resume(client, token, { key: KEY, claimStore: createMemoryStore({ rows: new Map() }) }),
    ).toHaveProperty("pause");
    const { paused } = await unsealPausedLogin(token, { keys: KEY, audience: baseUrl });
    expect(readPosition(getNextSnapshot(machine, idle, { type: "login.resume", paused }))).toBe(path);
  });

  test("gets each of its events through a link", () => {
    const taken = listTransitions(machine).filter(({ source, event }) => source === path && !event.includes(" "));
    const forwarded = listTransitions(linkMachine).filter(({ actions }) => actions.includes("forwardToLogin"));
    expect(taken.length).toBeGreaterThan(0);
    expect(forwarded.map(({ event }) => event)).toEqual(expect.arrayContaining(taken.map(({ event }) => event)));
  });
});
