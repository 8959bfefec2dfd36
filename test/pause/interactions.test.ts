import { type LoginSettings, pause, readState } from "ventanilla";
import { afterEach, describe, expect, test, vi } from "vitest";
import { waitFor } from "xstate";
import { asks, expectedSecret, loggedIn } from "../bank/service.ts";
import { answer } from "../login/started.ts";
import { KEY, takeUp, waiting } from "./paused.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** All of them, so that a new setting has to be added here and to the token. */
const everySetting: Required<LoginSettings> = {
  validate: true,
  clientSelection: true,
  sessionReplacement: true,
  interactionLimit: 3,
  answerTimeout: 60_000,
  deadline: 1_600_000,
};

describe("a login paused at a question", () => {
  test("that was asked again is asked again as often as it was, and goes on counting", async () => {
    const { service, actor } = await waiting(Array.from({ length: 4 }, () => asks("otp", "key-1")));
    const repeats = async (login: typeof actor, answersSent: number) => {
      login.send(answer);
      await waitFor(login, ({ context }) => context.interaction?.answersSent === answersSent);
    };
    await repeats(actor, 1);
    await repeats(actor, 2);
    const resumed = await takeUp(service, await pause(actor, { key: KEY }));
    const { interaction } = resumed.actor.getSnapshot().context;
    expect(interaction).toMatchObject({ field: "otp", number: 3, isRepeat: true, answersSent: 2 });
    await repeats(resumed.actor, 3);
    expect(service.requests).toHaveLength(4);
  });

  test("is taken up with all that the statechart knew of it", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 1_000_000 });
    const provider = { json: { status: "success", provider: { name: "Test", country: "UY", auth_fields: [] } } };
    const { service, actor } = await waiting([provider, asks("otp", "key-1", "¿Código?")], everySetting);
    const resumed = await takeUp(service, await pause(actor, { key: KEY }));
    expect(readState(resumed.actor.getSnapshot())).toBe("awaitingInteraction");
    expect(resumed.actor.getSnapshot().context).toStrictEqual({
      settings: everySetting,
      provider: "test",
      credentials: {
        provider: "test",
        fields: { username: expectedSecret("ana"), password: expectedSecret("hunter two") },
      },
      key: expectedSecret("key-1"),
      interaction: {
        field: "otp",
        context: "¿Código?",
        number: 1,
        isRepeat: false,
        answersSent: 0,
        expiresAt: 1_060_000,
      },
      answer: undefined,
      clients: [],
      expiresAt: 1_060_000,
      client: undefined,
      sessionReplaced: false,
      failure: undefined,
      stepNumber: expect.any(Number),
    });
  });

  test("keeps settings that set no limit", async () => {
    const never = Number.POSITIVE_INFINITY;
    const settings = { interactionLimit: never, answerTimeout: never, deadline: never };
    const { service, actor } = await waiting([asks("otp", "key-1")], settings);
    const { actor: resumed } = await takeUp(service, await pause(actor, { key: KEY }));
    expect(resumed.getSnapshot().context).toMatchObject({ settings, expiresAt: undefined });
  });

  test.each([
    ["a text in many scripts", "contraseña Ñandú 密码 пароль 🦆"],
    ["all that forms and JSON must encode", `a"b\\c&d=e+f%00<g>\n\t'/`],
    ["8 KiB", "8 KiB Ñandú ".repeat(640)],
  ])("carries %s to the letter", async (_, text) => {
    const { service, actor } = await waiting(
      [asks("otp", "key-1", `about ${text.length} more`), loggedIn("key-2")],
      {},
      {
        provider: "test",
        username: text,
        password: `${text}!`,
      },
    );
    const resumed = await takeUp(service, await pause(actor, { key: KEY }));
    resumed.actor.send(answer);
    await resumed.reaches("loggedIn");
    expect(service.requests[1]?.form).toEqual({ provider: "test", username: text, password: `${text}!`, otp: "8888" });
  });

  test("is over where it was paused: its wait is stopped and an answer goes nowhere", async () => {
    // Time stands still, so that the wait is known by its length: the clock is looked at after a 300th of it.
    vi.useFakeTimers({ toFake: ["Date"] });
    const set = vi.spyOn(globalThis, "setTimeout");
    const cleared = vi.spyOn(globalThis, "clearTimeout");
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { service, actor } = await waiting([asks("otp", "key-1"), loggedIn("key-2")], {
      answerTimeout: 300 * 123_456,
    });
    await pause(actor, { key: KEY });
    const waits = set.mock.results.filter((_, call) => set.mock.calls[call]?.[1] === 123_456);
    expect(waits).toHaveLength(1);
    expect(cleared).toHaveBeenCalledWith(waits[0]?.value);
    actor.send(answer);
    expect(readState(actor.getSnapshot())).toBe("awaitingInteraction");
    expect(actor.getSnapshot().status).toBe("stopped");
    expect(service.requests).toHaveLength(1);
  });
});
