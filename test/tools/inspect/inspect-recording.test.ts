import { BankError, login } from "ventanilla";
import { inspectRecording } from "ventanilla/inspect";
import { loginMachine } from "ventanilla/machines/login";
import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import { readTrace } from "../../../src/tools/inspect/inspect-recording.ts";
import { asks, loggedIn, person, startService } from "../../bank/service.ts";

describe("a trace", () => {
  test("is small JSON that can be read back, with the time of each event in milliseconds since the epoch", async () => {
    const service = await startService([asks("otp", "k"), loggedIn("k")]);
    const { inspect, trace } = inspectRecording();
    const before = Date.now();
    await login(service.client(), person, { onInteraction: () => "8888", inspect });
    const { startedAt, events } = trace();
    const times = [before, ...events.map(({ at }) => at), Date.now()];
    expect(Date.parse(startedAt)).toBe(times[1]);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    const json = JSON.stringify(trace());
    expect(readTrace(json)).toEqual(JSON.parse(json));
    // Bytes: a login with a question, its statechart included.
    expect(json.length).toBeLessThan(12_000);
  });

  test("without a login is empty", () => {
    const empty = { format: "ventanilla-trace", version: 1, events: [], isTruncated: false };
    expect(inspectRecording().trace()).toMatchObject(empty);
  });

  test("ends at the limit and is marked as truncated", () => {
    const { inspect, trace } = inspectRecording({ limit: 4 });
    createActor(loginMachine, { input: {}, inspect }).start();
    expect(trace()).toMatchObject({ isTruncated: false, events: { length: 3 } });
    createActor(loginMachine, { input: {}, inspect }).start();
    expect(trace()).toMatchObject({ isTruncated: true, events: { length: 4 } });
    // Each statechart is defined once.
    expect(trace().events.filter((event) => "definition" in event)).toHaveLength(1);
  });

  test("refuses a limit that is not an integer", () => {
    expect(() => inspectRecording({ limit: -1 })).toThrow("invalid_input: limit");
  });
});

describe("what is not a trace is refused with a code and the place:", () => {
  const sent = { type: "@xstate.event", at: 0, sessionId: "x:0", rootId: "x:0", event: { type: "login.cancel" } };
  const actor = { ...sent, type: "@xstate.actor", name: "login", snapshot: { status: "active", context: {} } };
  const reached = { ...sent, type: "@xstate.snapshot", snapshot: { status: "active", value: 7 } };
  const good = {
    format: "ventanilla-trace",
    version: 1,
    startedAt: "2026-01-02T03:04:05.678Z",
    isTruncated: false,
    events: [sent],
  };
  const nested = (levels: number) =>
    JSON.stringify({ ...good, events: [reached] }).replace(
      '"value":7',
      `"value":${'{"a":'.repeat(levels)}7${"}".repeat(levels)}`,
    );
  const withEvent = (event: object) => ({ ...good, events: [event] });
  const bad: readonly (readonly [string, unknown, string])[] = [
    ["no JSON", "password=secret", "is not JSON, or is nested too deeply"],
    ["endless states", nested(100_000), "is not JSON, or is nested too deeply"],
    ["JSON of something else", { log: [] }, "is not a trace: format"],
    ["another version", { ...good, version: 2 }, "is not a trace: version"],
    ["nothing", null, "is not a trace"],
    ["no time", { ...good, startedAt: "yesterday" }, "is not a trace: startedAt"],
    ["an unknown event", withEvent({ ...sent, type: "thought" }), "is not a trace: events.0.type"],
    ["a sent event without a name", withEvent({ ...sent, event: {} }), "is not a trace: events.0.event.type"],
    ["a state that is none", withEvent(reached), "is not a trace: events.0.snapshot.value"],
    ["an event without a time", withEvent({ ...sent, at: "now" }), "is not a trace: events.0.at"],
    ["a definition that is none", withEvent({ ...actor, definition: {} }), "is not a trace: events.0.definition"],
  ];

  test("but a trace is read", () => {
    expect(readTrace(JSON.stringify(good))).toEqual(good);
  });

  test.each(bad)("%s", (_, value, detail) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    expect(() => readTrace(text)).toThrow(
      expect.toSatisfy((error) => error instanceof BankError && !String(error).includes("secret")),
    );
    expect(() => readTrace(text)).toThrow(expect.objectContaining({ code: "invalid_input", field: "trace", detail }));
  });
});
