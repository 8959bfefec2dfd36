import { createWebSocketReceiver } from "@statelyai/inspect";
import { inspectLogin, inspectRecording } from "ventanilla/inspect";
import { expect, onTestFinished, test } from "vitest";
import type { InspectionEvent } from "xstate";
import { type HoldingBank, openHoldingBank, type SeenRequest } from "../bank/holding-bank.ts";
import { type Canary, createCanary, findCanaries } from "../leaks/canaries.ts";
import { isQuick, silent, watch } from "../leaks/channels.ts";
import { stateRecorder, statesIn } from "../tools/inspect/states.ts";
import { findTransitionsOverHttp, recorder } from "./coverage.ts";
import { everyPath } from "./every-path.ts";
import { linkModel } from "./link-steps.ts";
import { clients, form, keys, question } from "./login-cases.ts";
import { loginModel } from "./login-steps.ts";

// Each path runs once, and all that is promised of every path is judged on this run: the table, the inspection, the secrets.

const { provider: _, ...secrets } = form;
const [, second] = clients;
const typed = Object.entries({ ...secrets, answer: question.answer }).map(([name, value]) => createCanary(name, value));
const given = Object.entries(keys).map(([name, value]) => createCanary(`${name} key`, value));
const apiKey = createCanary("API key", "api-key-canary-of-paths");
/** What no inspector gets: the secrets, and two texts that are none. */
const unshown: readonly Canary[] = [
  ...typed,
  ...given,
  { name: "question", token: question.context, value: question.context },
  { name: "client's name", token: second?.name ?? "", value: "" },
];
const sources = ["inspection", "snapshot", "persisted snapshot", "view"] as const;

const runOfAll = once(runEveryPath);

function once<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= run());
}

async function runEveryPath() {
  const bank = await openHoldingBank();
  const inspection = inspectLogin();
  onTestFinished(async () => {
    inspection.stop();
    await bank.close();
  });
  const messages: object[] = [];
  const { server = "" } = await inspection.address;
  createWebSocketReceiver({ server }).subscribe((message) => messages.push(message));
  const watching = watch([...typed, ...given, apiKey], isQuick);
  const conversation = bank.converse({ apiKey: apiKey.value, ...watching.hooks });
  const requests = conversation.requests as SeenRequest[];
  const watched: HoldingBank = { ...bank, converse: () => conversation };
  const transitions = recorder();
  const reached = stateRecorder();
  const differences = new Map<string, { readonly path: string; readonly message: string; paths: number }>();
  const untraced: string[] = [];
  const leaks: string[] = [];
  const arrived = new Set<string>();
  const looked = new Set<string>();

  for (const { name, steps, run } of everyPath) {
    // More of them would say the same, and each may wait for what never comes.
    if (differences.size >= 3) break;
    const sighted = new Map(sources.map((source) => [source, watching.sightings(source)]));
    const known = watching.findings().length;
    const before = reached.reached.length;
    const trace = inspectRecording();
    const inspect = (event: InspectionEvent) => {
      for (const each of [transitions.inspect, reached.inspect, trace.inspect, inspection, watching.follow])
        each(event);
    };
    let taken = 1;
    const beginStep = (index: number) => {
      taken = index + 2;
      lookAt(steps.slice(0, taken).join());
    };
    // A step that several paths begin with is looked at once.
    const lookAt = (beginning: string) => {
      watching.look(!looked.has(beginning));
      looked.add(beginning);
    };
    lookAt(steps.slice(0, taken).join());
    const differs = await run(watched, inspect, beginStep).then(
      () => false,
      (error: Error) => {
        const path = steps.slice(0, taken).join(", then ");
        const step = steps[taken - 1] ?? name;
        const found = differences.get(step) ?? { path, message: error.message, paths: 0 };
        found.paths += 1;
        differences.set(step, found);
        return true;
      },
    );
    // Rejections and warnings are told a turn later.
    await new Promise((resolve) => setImmediate(resolve));

    const { events } = trace.trace();
    const states = reached.reached.slice(before);
    if (states.length < 2 || JSON.stringify(statesIn(events)) !== JSON.stringify(states)) untraced.push(name);
    const unseen = sources.filter((source) => !differs && watching.sightings(source) === sighted.get(source));
    const found = [
      ...watching.findings().slice(known),
      ...findCanaries([events, JSON.stringify(events)], unshown),
      ...unseen.map((source) => `nothing seen at ${source}`),
    ];
    leaks.push(...found.map((finding) => `${name}: ${finding}`));
    // The bank knows its conversations by their API keys.
    if (requests.length > 0) arrived.add(apiKey.name);
    const sent = JSON.stringify(requests.splice(0));
    for (const canary of [...typed, ...given]) if (sent.includes(canary.token)) arrived.add(canary.name);
  }
  await expect.poll(() => statesIn(messages).length, { interval: 20 }).toBe(reached.reached.length);
  const shouts = silent.filter((source) => watching.sightings(source) > 0);
  return {
    differences,
    transitions: transitions.taken,
    states: reached.reached,
    messages,
    untraced,
    leaks,
    shouts,
    arrived,
  };
}

test("each path goes as the table says, and together they take every transition", async () => {
  const { differences, transitions } = await runOfAll();
  const rows = [...differences.values()].map(
    ({ path, message, paths }) => `${path}\n  ${message}\n  in all: ${paths} paths that end so`,
  );
  expect(rows.join("\n"), `${rows.length} differences`).toBe("");
  for (const { machine } of [loginModel, linkModel]) {
    const all = findTransitionsOverHttp(machine);
    expect(all.length).toBeGreaterThan(20);
    const untaken = all.filter((transition) => !transitions.has(transition));
    expect(untaken, `a path of test/machines/${machine.id}-cases.ts and -table.ts takes each transition`).toEqual([]);
  }
}, 600_000);

test("the Stately receiver and a trace get all states of each path in order, in Stately's shape", async () => {
  const { states, messages, untraced } = await runOfAll();
  expect(untraced).toEqual([]);
  const received = statesIn(messages);
  const first = states.findIndex((state, index) => JSON.stringify(state) !== JSON.stringify(received[index]));
  expect([first, received[first]]).toEqual([-1, undefined]);
  expect(messages.find((message) => "name" in message && message.name === "login")).toMatchObject({
    type: "@xstate.actor",
    name: "login",
    sessionId: expect.stringMatching(/^x:\d+$/),
    rootId: expect.stringMatching(/^x:\d+$/),
    createdAt: expect.stringMatching(/^\d{13}$/),
    id: null,
    _version: "0.7.2",
    definition: expect.stringContaining('"initial":"idle"'),
    snapshot: { status: "active" },
  });
  const types = new Set(messages.map((message) => "type" in message && message.type));
  expect([...types].sort()).toEqual(["@xstate.actor", "@xstate.event", "@xstate.snapshot"]);
}, 600_000);

test("no secret gets out of any path, and the bank has seen every canary but the key that ends a login", async () => {
  const { messages, leaks, shouts, arrived } = await runOfAll();
  expect(leaks).toEqual([]);
  expect(shouts).toEqual([]);
  expect(findCanaries([messages, JSON.stringify(messages)], unshown)).toEqual([]);
  const names = [apiKey, ...typed, ...given].map(({ name }) => name);
  expect([...arrived].sort()).toEqual(names.filter((name) => name !== "selected key").sort());
}, 600_000);
