import { PauseError, pause, readState } from "ventanilla";
import { describe, expect, onTestFinished, test as plainTest, vi } from "vitest";
import { test } from "../bank/bank.ts";
import { asks } from "../bank/service.ts";
import { submit } from "../login/started.ts";
import type { LoginCaseName } from "../model/login-cases.ts";
import { beginLogin } from "../model/login-conversation.ts";
import { KEY, readFailure, takeUp, waiting } from "./paused.ts";

function expectNotWaiting(error: unknown, detail: string): void {
  expect(error).toBeInstanceOf(PauseError);
  expect(error).toMatchObject({ code: "login_not_waiting", message: `login_not_waiting: ${detail}` });
}

const settings = { clientSelection: true, sessionReplacement: true };
const submitted: LoginCaseName = "credentials are submitted";
const asked: LoginCaseName[] = [submitted, "the bank asks a question"];
const selecting: LoginCaseName[] = [submitted, "the bank wants a client selected"];
const choosing: LoginCaseName[] = [...selecting, "the clients are listed"];

test.for<[state: string, path: LoginCaseName[], settings?: object]>([
  ["idle", []],
  ["submitting", [submitted]],
  ["submitting", [...asked, "the question is answered"]],
  ["selectClient.listing", selecting],
  ["selectClient.selecting", [...choosing, "a client is chosen"]],
  ["selectClient.resting", selecting, {}],
  ["replacingSession", [submitted, "the bank counts too many sessions", "the other session is replaced"]],
  ["failed", [submitted, "the bank refuses the credentials"]],
  ["loggedIn", [submitted, "the bank starts a session"]],
])(
  "a login that is %s after %j can't be paused, and stays what it was",
  async ([state, path, own = settings], { bank }) => {
    const { actor, lead } = beginLogin(bank, own);
    await lead(...path);
    const before = actor.getSnapshot();
    expectNotWaiting(await readFailure(pause(actor, { key: KEY })), `is ${state}`);
    expect(actor.getSnapshot()).toBe(before);
    expect(before.status).toBe(state === "loggedIn" ? "done" : "active");
    actor.stop();
  },
);

plainTest("a login that was stopped can't be paused", async () => {
  const { actor } = await waiting([asks("otp", "key-1")]);
  actor.stop();
  expectNotWaiting(await readFailure(pause(actor, { key: KEY })), "was stopped");
});

describe("a login that goes on while its token is made", () => {
  test.for<[by: LoginCaseName, path: LoginCaseName[], state: string]>([
    ["the question is answered", asked, "submitting"],
    ["a client is chosen", choosing, "selectClient.selecting"],
    ["the login is cancelled", asked, "idle"],
  ])("because %s, is not paused", async ([by, path, state], { bank }) => {
    const { actor, lead } = beginLogin(bank, settings);
    await lead(...path);
    const paused = readFailure(pause(actor, { key: KEY }));
    await lead(by);
    expectNotWaiting(await paused, "went on");
    expect(readState(actor.getSnapshot())).toBe(state);
    expect(actor.getSnapshot().status).toBe("active");
    actor.stop();
  });

  plainTest("because its time runs out, is not paused and has failed", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 1_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { actor, reaches } = await waiting([asks("otp", "key-1")], { answerTimeout: 60_000 });
    const paused = readFailure(pause(actor, { key: KEY }));
    vi.advanceTimersByTime(60_000);
    expectNotWaiting(await paused, "went on");
    expect((await reaches("failed")).context.failure).toEqual({ kind: "outcome", code: "expired" });
  });

  plainTest("by an event without effect, is paused all the same", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1")]);
    const paused = pause(actor, { key: KEY });
    actor.send(submit);
    const { actor: resumed } = await takeUp(service, await paused);
    expect(readState(resumed.getSnapshot())).toBe("awaitingInteraction");
  });

  plainTest("by another pause, has one token and no more", async () => {
    const { actor } = await waiting([asks("otp", "key-1")]);
    const ends = await Promise.allSettled([pause(actor, { key: KEY }), pause(actor, { key: KEY })]);
    // Either may be sealed first.
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    for (const end of ends) if (end.status === "rejected") expectNotWaiting(end.reason, "went on");
    expectNotWaiting(await readFailure(pause(actor, { key: KEY })), "was stopped");
  });
});
