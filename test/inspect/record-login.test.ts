import { BankError, createBankClient, login } from "ventanilla";
import { readTrace, recordLogin, type Trace } from "ventanilla/inspect";
import { loginMachine } from "ventanilla/machines/login";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { describe, expect, test } from "vitest";
import { createActor } from "xstate";

async function recorded(): Promise<Trace> {
  const sandbox = createSandbox();
  const client = createBankClient({
    baseUrl: "http://bank.test",
    apiKey: SANDBOX_API_KEY,
    fetch: (input, init) => sandbox(new Request(input, init)),
  });
  const { inspect, trace } = recordLogin();
  await login(client, {
    provider: "test",
    username: "12345otp",
    password: "asdfg",
    onInteraction: () => "8888",
    inspect,
  });
  return trace();
}

describe("a trace", () => {
  test("is JSON that reads back as it was", async () => {
    const trace = await recorded();
    expect(readTrace(JSON.stringify(trace))).toEqual(JSON.parse(JSON.stringify(trace)));
  });

  test("has the time of each event, in milliseconds since the epoch", async () => {
    const before = Date.now();
    const { startedAt, events } = await recorded();
    const times = [before, ...events.map(({ at }) => at), Date.now()];
    expect(Date.parse(startedAt)).toBe(times[1]);
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  test("has its format and version, and is small", async () => {
    const trace = await recorded();
    expect(trace).toMatchObject({ format: "ventanilla-trace", version: 1, isTruncated: false });
    // Bytes: a login with a question, its statechart included.
    expect(JSON.stringify(trace).length).toBeLessThan(12_000);
  });

  test("of nothing is empty", () => {
    expect(recordLogin().trace()).toMatchObject({ events: [], isTruncated: false });
  });

  test("ends at the limit, and says so", () => {
    const { inspect, trace } = recordLogin({ limit: 4 });
    createActor(loginMachine, { input: {}, inspect }).start();
    expect(trace()).toMatchObject({ isTruncated: false, events: { length: 3 } });
    createActor(loginMachine, { input: {}, inspect }).start();
    expect(trace()).toMatchObject({ isTruncated: true, events: { length: 4 } });
    // Each statechart is defined once.
    expect(trace().events.filter((event) => "definition" in event)).toHaveLength(1);
  });

  test("takes no limit that is no whole number", () => {
    expect(() => recordLogin({ limit: -1 })).toThrow("invalid_input: limit");
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
  const bad: readonly (readonly [string, unknown, string])[] = [
    ["no JSON", undefined, "is not JSON"],
    ["JSON of something else", { log: [] }, "is not a trace: format"],
    ["another version", { ...good, version: 2 }, "is not a trace: version"],
    ["a list", [], "is not a trace: format"],
    ["nothing", null, "is not a trace"],
    ["no time", { ...good, startedAt: "yesterday" }, "is not a trace: startedAt"],
    ["an unknown event", { ...good, events: [{ ...sent, type: "thought" }] }, "is not a trace: events.0.type"],
    [
      "a sent event without a name",
      { ...good, events: [{ ...sent, event: {} }] },
      "is not a trace: events.0.event.type",
    ],
    ["a state that is none", { ...good, events: [reached] }, "is not a trace: events.0.snapshot.value"],
    ["an event without a time", { ...good, events: [{ ...sent, at: "now" }] }, "is not a trace: events.0.at"],
    [
      "a definition that is none",
      { ...good, events: [{ ...actor, definition: {} }] },
      "is not a trace: events.0.definition",
    ],
  ];

  test("and a good one is not", () => {
    expect(readTrace(JSON.stringify(good))).toEqual(good);
  });

  test.each(bad)("%s", (_, value, detail) => {
    const text = value === undefined ? "password=secret" : JSON.stringify(value);
    let thrown: unknown;
    try {
      readTrace(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(BankError);
    expect(thrown).toMatchObject({ code: "invalid_input", field: "trace", detail });
    expect(String(thrown)).not.toContain("secret");
  });
});
