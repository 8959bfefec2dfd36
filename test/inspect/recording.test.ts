import { BankError, createBankClient, login } from "ventanilla";
import { type Recording, readRecording, recordLogin } from "ventanilla/inspect";
import { loginMachine } from "ventanilla/machines/login";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { describe, expect, test } from "vitest";
import { createActor } from "xstate";

async function recorded(): Promise<Recording> {
  const sandbox = createSandbox();
  const client = createBankClient({
    baseUrl: "http://bank.test",
    apiKey: SANDBOX_API_KEY,
    fetch: (input, init) => sandbox(new Request(input, init)),
  });
  const { inspect, recording } = recordLogin();
  await login(client, {
    provider: "test",
    username: "12345otp",
    password: "asdfg",
    onInteraction: () => "8888",
    inspect,
  });
  return recording();
}

describe("a recorded run", () => {
  test("is JSON that reads back as it was", async () => {
    const recording = await recorded();
    expect(readRecording(JSON.stringify(recording))).toEqual(recording);
  });

  test("tells what happened when, in milliseconds from its start", async () => {
    const before = Date.now();
    const { startedAt, moments } = await recorded();
    expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(before);
    const times = moments.map(({ at }) => at);
    expect(times[0]).toBe(0);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(times.at(-1)).toBeLessThanOrEqual(Date.now() - before);
  });

  test("says its format and version, holds each statechart once, and is small", async () => {
    const recording = await recorded();
    expect(recording).toMatchObject({ format: "ventanilla-run", version: 1, isTruncated: false });
    expect(Object.keys(recording.machines)).toEqual(["login"]);
    // Bytes: a login with a question, its statechart included.
    expect(JSON.stringify(recording).length).toBeLessThan(12_000);
  });

  test("of nothing is empty", () => {
    expect(recordLogin().recording()).toMatchObject({ machines: {}, moments: [], isTruncated: false });
  });

  test("ends at the limit, and says so", () => {
    const { inspect, recording } = recordLogin({ limit: 4 });
    createActor(loginMachine, { input: {}, inspect }).start();
    expect(recording()).toMatchObject({ isTruncated: false, moments: { length: 3 } });
    createActor(loginMachine, { input: {}, inspect }).start();
    expect(recording()).toMatchObject({ isTruncated: true, moments: { length: 4 } });
  });

  test("takes no limit that is no whole number", () => {
    expect(() => recordLogin({ limit: -1 })).toThrow("invalid_input: limit");
  });
});

describe("what is no recorded run is refused with a code and the place:", () => {
  const good = {
    format: "ventanilla-run",
    version: 1,
    startedAt: "2026-01-02T03:04:05.678Z",
    isTruncated: false,
    machines: {},
    moments: [{ type: "event", at: 0, actor: "x:0", event: { type: "login.cancel" } }],
  };
  const bad: Record<string, [unknown, string]> = {
    "no JSON": [undefined, "is not JSON"],
    "JSON of something else": [{ log: [] }, "is no recorded run: format"],
    "another version": [{ ...good, version: 2 }, "is no recorded run: version"],
    "a list": [[], "is no recorded run: format"],
    nothing: [null, "is no recorded run"],
    "no time": [{ ...good, startedAt: "yesterday" }, "is no recorded run: startedAt"],
    "an unknown moment": [
      { ...good, moments: [{ type: "thought", at: 0, actor: "x:0" }] },
      "is no recorded run: moments.0.type",
    ],
    "an event without a name": [
      { ...good, moments: [{ type: "event", at: 0, actor: "x:0", event: {} }] },
      "is no recorded run: moments.0.event.type",
    ],
    "a state that is none": [
      {
        ...good,
        moments: [
          { type: "snapshot", at: 0, actor: "x:0", event: { type: "a" }, snapshot: { status: "active", value: 7 } },
        ],
      },
      "is no recorded run: moments.0.snapshot.value",
    ],
    "a time before the start": [
      { ...good, moments: [{ ...good.moments[0], at: -1 }] },
      "is no recorded run: moments.0.at",
    ],
  };

  test("and a good one is not", () => {
    expect(readRecording(JSON.stringify(good))).toEqual(good);
  });

  test.each(Object.entries(bad))("%s", (_, [value, detail]) => {
    const text = value === undefined ? "password=secret" : JSON.stringify(value);
    let thrown: unknown;
    try {
      readRecording(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(BankError);
    expect(thrown).toMatchObject({ code: "invalid_input", field: "recording", detail });
    expect(String(thrown)).not.toContain("secret");
  });
});
