import { createWebSocketReceiver } from "@statelyai/inspect";
import { inspectLogin, type LoginInspection, recordLogin } from "ventanilla/inspect";
import { afterAll, beforeAll, expect } from "vitest";
import { test } from "../../bank/bank.ts";
import { type Canary, createCanary, findCanaries } from "../../leaks/canaries.ts";
import { everyPath } from "../../machines/every-path.ts";
import { clients, form, keys, question } from "../../machines/login-cases.ts";
import { stateRecorder, statesIn } from "./states.ts";

const { provider: _, ...secrets } = form;
const [, second] = clients;

/** The secrets of the paths, and two texts that are no secrets and are left out too. */
const pathCanaries: readonly Canary[] = [
  ...Object.entries({ ...secrets, answer: question.answer }).map(([name, value]) => createCanary(name, value)),
  ...Object.entries(keys).map(([name, value]) => createCanary(`${name} key`, value)),
  { name: "question", token: question.context, value: question.context },
  { name: "client's name", token: second?.name ?? "", value: "" },
];

// The receiver of @statelyai/inspect itself.
let inspection: LoginInspection;
const messages: object[] = [];

beforeAll(async () => {
  inspection = inspectLogin();
  const { server = "" } = await inspection.address;
  createWebSocketReceiver({ server }).subscribe((message) => messages.push(message));
});
afterAll(() => inspection.stop());

test.for(everyPath.map((path) => [path.name, path] as const))(
  "the Stately receiver and a trace get all states in order, and no secret, of %s",
  async ([, { run }], { bank }) => {
    const before = messages.length;
    const states = stateRecorder();
    const recorder = recordLogin();
    await run(bank, (event) => {
      states.inspect(event);
      recorder.inspect(event);
      inspection(event);
    });
    const trace = recorder.trace();
    expect(states.reached.length).toBeGreaterThan(1);
    expect(statesIn(trace.events)).toEqual(states.reached);
    await expect.poll(() => statesIn(messages.slice(before)), { interval: 2 }).toEqual(states.reached);
    const seen = [messages.slice(before), trace];
    expect(findCanaries([seen, JSON.stringify(seen)], pathCanaries)).toEqual([]);
  },
);

test("the messages have the shape that @statelyai/inspect writes", () => {
  const actor = messages.find((message) => "name" in message && message.name === "login");
  expect(actor).toMatchObject({
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
  expect([...new Set(messages.map((message) => "type" in message && message.type))].sort()).toEqual([
    "@xstate.actor",
    "@xstate.event",
    "@xstate.snapshot",
  ]);
});
