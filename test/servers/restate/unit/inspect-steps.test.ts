import { type LifecycleEvent, lifecycleTelemetry } from "ventanilla/telemetry";
import { expect, onTestFinished, test, vi } from "vitest";
import { readState } from "../../../../src/core/login/login-state.ts";
import { createRecord, type DurableEvent } from "../../../../src/servers/restate/durable-record.ts";
import { createStepInspection } from "../../../../src/servers/restate/inspect-steps.ts";
import type { Inspect } from "../../../../src/tools/trace/traced-actors.ts";
import { line } from "../../../tools/telemetry/observed.ts";
import { answer, applyEvent, credentials, done, machine, question, submit } from "./login-steps.ts";

const asked = done(question);

/** Applies events, 100 milliseconds apart, each with an inspect function of its own, as in a process of its own. */
function applyEvents(events: readonly DurableEvent[], createInspect: () => Inspect): void {
  let record = createRecord(machine, { validate: false }, credentials);
  for (const [index, event] of events.entries()) {
    const past = {
      provider: "test",
      state: readState(record).state,
      duration: index * 100,
      interactions: record.context.interaction?.number ?? 0,
    };
    const applied = applyEvent(record, event);
    const inspection = createStepInspection(machine, createInspect());
    inspection.step({ id: "7.a-login", past: index === 0 ? undefined : past }, applied.step.snapshots);
    record = applied.record;
  }
}

const firstLines = [
  "login.started started at test in submitting after 0",
  "interaction.required interaction_required at test in awaitingInteraction after 100 field=otp fields=otp number=1 answersSent=0",
];

test.each<[string, readonly DurableEvent[], ...string[]]>([
  [
    "logs in",
    [answer, done({ status: "logged_in", key: "sealed-session" }, "submitAnswer")],
    "interaction.answered answered at test in submitting after 200 number=1",
    "login.finished logged_in at test in loggedIn after 300 interactions=1",
  ],
  [
    "is cancelled",
    [{ type: "login.cancel" }],
    "login.cancelled cancelled at test in awaitingInteraction after 200 interactions=1",
  ],
])("a login that %s, each step in another process, has the events of one login", (_, events, ...last) => {
  const observed: LifecycleEvent[] = [];
  const clock = vi.spyOn(performance, "now").mockReturnValue(5000);
  onTestFinished(() => clock.mockRestore());
  applyEvents([submit, asked, ...events], () => lifecycleTelemetry((event) => observed.push(event)));
  expect(observed.map(line)).toEqual([...firstLines, ...last]);
  expect(new Set(observed.map(({ id }) => id))).toEqual(new Set(["7.a-login"]));
});

test("an error of an inspect function does not reach the login", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const fail = () => {
    throw new Error("not today");
  };
  applyEvents([submit], () => fail);
  expect(warn).toHaveBeenCalledOnce();
});

test("nothing sealed is shown", () => {
  const shown: unknown[] = [];
  applyEvents([submit, asked, answer], () => (inspected) => {
    if ("snapshot" in inspected) shown.push(inspected.snapshot);
  });
  expect(shown).toHaveLength(3);
  expect(JSON.stringify(shown)).not.toContain("sealed-");
});
