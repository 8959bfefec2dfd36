import { createBankClient, createLoginMachine, pause, readState, resume, secret } from "ventanilla";
import { linkMachine } from "ventanilla/machines/link";
import type { LoginEvent } from "ventanilla/machines/login";
import type { DurableLoginClient } from "ventanilla/restate";
import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, test } from "vitest";
import { createActor, getNextSnapshot, initialTransition } from "xstate";
import { isOpen, type LoginStateOf, type OpenState, openStates } from "../../src/core/login/login-state.ts";
import { createOpenOutcome } from "../../src/core/login/outcome.ts";
import { unsealPausedLogin } from "../../src/core/login/paused-token.ts";
import { createRecord, type DurableRecord } from "../../src/servers/restate/durable-record.ts";
import { toDurableState } from "../../src/servers/restate/durable-state.ts";
import { listStates, listTransitions } from "../../src/tools/trace/transitions.ts";
import { KEY } from "../core/pause/paused.ts";
import { clients, credentials, keys, pausedQuestion } from "./login-cases.ts";
import { readPosition } from "./position.ts";

const baseUrl = "http://bank.test";
const client = createBankClient({ baseUrl, apiKey: "never-sent" });
const machine = createLoginMachine(client);
const [idle] = initialTransition(machine, {});
const open = listStates(machine).filter(({ tags }) => tags.includes("open"));

/** What a login that waits has in its context: the data of each open state. */
const waiting = { ...idle.context, ...pausedQuestion, clients, credentials, key: secret(keys.paused) };

const toSnapshot = (path: string) => {
  const value = path
    .split(".")
    .reduceRight<string | object>((child, name) => (child === "" ? name : { [name]: child }), "");
  return machine.resolveState({ value: value as typeof idle.value, context: waiting });
};

// A durable login has a verb for each event that a person sends while a login waits.
({
  "interaction.answer": "answer",
  "client.choose": "choose",
  "login.cancel": "cancel",
}) satisfies Record<
  Exclude<LoginEvent["type"], "credentials.submit" | "session.replace" | "login.resume">,
  keyof DurableLoginClient
>;

test("the open states are those whose outcomes have verbs", () => {
  expect(open.map(({ path }) => readState(toSnapshot(path)).state).sort()).toEqual([...openStates].sort());
});

describe.each(open.map(({ path }) => path))("a login that waits in %s", (path) => {
  const snapshot = toSnapshot(path);

  test("has its data in `waiting`, above, and an outcome of its name", () => {
    const state = readState(snapshot);
    const actor = createActor(machine, { input: {}, snapshot });
    const next = () => Promise.reject(new Error("nothing is sent"));
    const run = { service: client, actor, next };
    expect(isOpen(state.state) && createOpenOutcome(run, state as LoginStateOf<OpenState>, undefined).state).toBe(
      state.state,
    );
  });

  test("waits in the same state after it was paused, and has an outcome with verbs", async () => {
    const actor = createActor(machine, { input: {}, snapshot }).start();
    const token = await pause(client, actor, { key: KEY });
    // An outcome that waits, where no handler answers.
    expect(
      await resume(client, token, { key: KEY, claimStore: createMemoryStore({ rows: new Map() }) }),
    ).toHaveProperty("pause");
    const { paused } = await unsealPausedLogin(token, { keys: KEY, audience: baseUrl });
    expect(readPosition(getNextSnapshot(machine, idle, { type: "login.resume", paused }))).toBe(path);
  });

  test("is shown with all its data to the callers of a durable login", () => {
    const { value, context } = snapshot;
    const record = { ...createRecord(machine, {}, { provider: "test", sealed: "", expiresAt: 0 }), value, context };
    // Its id is the caller's, and only the worker needs the key.
    const data = Object.entries(readState(snapshot)).flatMap(([name, member]) =>
      member === undefined || name === "id" || name === "key" ? [] : [name],
    );
    expect(Object.keys(toDurableState(record as unknown as DurableRecord))).toEqual(expect.arrayContaining(data));
  });

  test("gets each of its events through a link", () => {
    const taken = listTransitions(machine).filter(({ source, event }) => source === path && !event.includes(" "));
    const forwarded = listTransitions(linkMachine).filter(({ actions }) => actions.includes("forwardToLogin"));
    expect(taken.length).toBeGreaterThan(0);
    expect(forwarded.map(({ event }) => event)).toEqual(expect.arrayContaining(taken.map(({ event }) => event)));
  });
});
