import { type LoginSettings, pause, readState } from "ventanilla";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { asks, loggedIn, selectClient } from "../bank/service.ts";
import { answer } from "../login/started.ts";
import { clients, KEY, takeUp, waiting } from "./paused.ts";

const MINUTE = 60_000;
const NOW = 1_000_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: NOW }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const limits: readonly [string, LoginSettings][] = [
  ["the time to answer", { answerTimeout: 2 * MINUTE }],
  ["the deadline", { deadline: NOW + 2 * MINUTE }],
  ["whichever comes first", { answerTimeout: 3 * MINUTE, deadline: NOW + 2 * MINUTE }],
];

describe("while a login is paused", () => {
  test.each(limits)("%s goes on counting", async (_, settings) => {
    const { service, actor } = await waiting([asks("otp", "key-1"), loggedIn("key-2")], settings);
    const token = await pause(actor, { key: KEY });
    vi.setSystemTime(NOW + MINUTE);
    const { actor: resumed } = await takeUp(service, token);
    await vi.advanceTimersByTimeAsync(MINUTE - 1);
    expect(readState(resumed.getSnapshot())).toBe("awaitingInteraction");
    await vi.advanceTimersByTimeAsync(1);
    expect(readState(resumed.getSnapshot())).toBe("failed");
    expect(resumed.getSnapshot().context.failure).toEqual({ kind: "outcome", code: "expired" });
    expect(service.requests).toHaveLength(1);
  });

  test("the time to choose a client goes on counting, too", async () => {
    const { service, actor } = await waiting([selectClient("key-1"), clients], {
      clientSelection: true,
      answerTimeout: 2 * MINUTE,
    });
    const token = await pause(actor, { key: KEY });
    vi.setSystemTime(NOW + MINUTE);
    const { actor: resumed } = await takeUp(service, token);
    await vi.advanceTimersByTimeAsync(MINUTE - 1);
    expect(readState(resumed.getSnapshot())).toBe("selectClient.choosing");
    await vi.advanceTimersByTimeAsync(1);
    expect(resumed.getSnapshot().context.failure).toEqual({ kind: "outcome", code: "expired" });
  });
});

describe("a login that was taken up", () => {
  test("gives a request up at the deadline that it was started with", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1"), "held"], { deadline: NOW + 2 * MINUTE });
    const token = await pause(actor, { key: KEY });
    vi.setSystemTime(NOW + MINUTE);
    const { actor: resumed, reaches } = await takeUp(service, token);
    resumed.send(answer);
    await service.arrival(2);
    await vi.advanceTimersByTimeAsync(MINUTE);
    const { context } = await reaches("failed");
    expect(context.failure).toMatchObject({ kind: "fault", code: "request_timed_out" });
  });
});
