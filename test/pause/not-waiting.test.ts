import { type LoginSettings, PauseError, pause, readState } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { afterEach, describe, expect, test, vi } from "vitest";
import { asks, type Line, loggedIn, promised, type Reply, selectClient } from "../bank/service.ts";
import { answer, start, submit } from "../login/started.ts";
import { clients, KEY, readFailure, takeUp, waiting } from "./paused.ts";

afterEach(() => void vi.useRealTimers());

function expectNotWaiting(error: unknown, detail: string): void {
  expect(error).toBeInstanceOf(PauseError);
  expect(error).toMatchObject({ code: "login_not_waiting", message: `login_not_waiting: ${detail}` });
}

interface Situation {
  readonly state: string;
  readonly settings?: LoginSettings;
  readonly script?: readonly Line[];
  /** Where another event is needed to get there: from this state, by this event. */
  readonly by?: readonly [state: string, event: LoginEvent];
  /** What the request under way is answered with, and where that leads. */
  readonly answered: Reply;
  readonly reaches: string;
  readonly requests: number;
}

const tooMany: Line = { http: 403, json: { status: "max_sessions_reached", key: "other" } };
const settings = { clientSelection: true };

const situations: readonly Situation[] = [
  { state: "submitting", answered: loggedIn("key-1"), reaches: "loggedIn", requests: 1 },
  {
    state: "submitting",
    script: [asks("otp", "key-1")],
    by: ["awaitingInteraction", answer],
    answered: loggedIn("key-2"),
    reaches: "loggedIn",
    requests: 2,
  },
  {
    state: "selectClient.listing",
    settings,
    script: [selectClient("key-1")],
    answered: clients,
    reaches: "selectClient.choosing",
    requests: 2,
  },
  {
    state: "selectClient.selecting",
    settings,
    script: [selectClient("key-1"), clients],
    by: ["selectClient.choosing", { type: "client.choose", client: "0" }],
    answered: { json: { status: "success" } },
    reaches: "loggedIn",
    requests: 3,
  },
  {
    state: "replacingSession",
    settings: { sessionReplacement: true },
    script: [tooMany],
    by: ["failed", { type: "session.replace" }],
    answered: { json: { status: "error", message: "Invalid key" } },
    reaches: "failed",
    requests: 2,
  },
];

describe("a login with a request under way can't be paused", () => {
  test.each(situations)("in $state, request $requests, and goes on", async (situation) => {
    const answered = promised<Reply>();
    const script = [...(situation.script ?? []), () => answered.promise];
    const { service, actor, reaches } = await start(script, situation.settings);
    actor.send(submit);
    if (situation.by) {
      await reaches(situation.by[0]);
      actor.send(situation.by[1]);
    }
    await service.arrival(situation.requests);
    expect(readState(actor.getSnapshot())).toBe(situation.state);
    expectNotWaiting(await readFailure(pause(actor, { key: KEY })), `is ${situation.state}`);
    answered.keep(situation.answered);
    await reaches(situation.reaches);
    expect(service.requests).toHaveLength(situation.requests);
  });
});

describe("a login that waits for nothing can't be paused", () => {
  test("before the credentials are submitted, which still works", async () => {
    const { actor, reaches } = await start([loggedIn("key-1")]);
    expectNotWaiting(await readFailure(pause(actor, { key: KEY })), "is idle");
    actor.send(submit);
    await reaches("loggedIn");
  });

  test("after it failed, and it can be tried again", async () => {
    const { actor, reaches } = await start([{ json: { status: "wrong_credentials" } }, loggedIn("key-1")]);
    actor.send(submit);
    await reaches("failed");
    expectNotWaiting(await readFailure(pause(actor, { key: KEY })), "is failed");
    actor.send(submit);
    await reaches("loggedIn");
  });

  test("after it succeeded, and its session stays at hand", async () => {
    const { actor, reaches } = await start([loggedIn("key-1")]);
    actor.send(submit);
    await reaches("loggedIn");
    const before = actor.getSnapshot();
    expectNotWaiting(await readFailure(pause(actor, { key: KEY })), "is loggedIn");
    expect(actor.getSnapshot()).toBe(before);
    expect(before.status).toBe("done");
  });

  test("at a choice of clients that is not provided for, and it can still be cancelled", async () => {
    const { actor, reaches } = await start([selectClient("key-1")]);
    actor.send(submit);
    await reaches("selectClient.resting");
    expectNotWaiting(await readFailure(pause(actor, { key: KEY })), "is selectClient.resting");
    actor.send({ type: "login.cancel" });
    expect(readState(actor.getSnapshot())).toBe("idle");
  });

  test("after it was stopped", async () => {
    const { actor } = await waiting([asks("otp", "key-1")]);
    actor.stop();
    expectNotWaiting(await readFailure(pause(actor, { key: KEY })), "was stopped");
  });
});

describe("a login that goes on while its token is made", () => {
  test("by an answer, is not paused and logs in", async () => {
    const { service, actor, reaches } = await waiting([asks("otp", "key-1"), loggedIn("key-2")]);
    const paused = readFailure(pause(actor, { key: KEY }));
    actor.send(answer);
    expectNotWaiting(await paused, "went on");
    await reaches("loggedIn");
    expect(service.requests).toHaveLength(2);
  });

  test("by a choice of client, is not paused and logs in", async () => {
    const script = [selectClient("key-1"), clients, { json: { status: "success" } }];
    const { service, actor, reaches } = await waiting(script, settings);
    const paused = readFailure(pause(actor, { key: KEY }));
    actor.send({ type: "client.choose", client: "0" });
    expectNotWaiting(await paused, "went on");
    await reaches("loggedIn");
    expect(service.requests).toHaveLength(3);
  });

  test("by a cancel, is not paused and can be tried again", async () => {
    const { actor, reaches } = await waiting([asks("otp", "key-1"), loggedIn("key-2")]);
    const paused = readFailure(pause(actor, { key: KEY }));
    actor.send({ type: "login.cancel" });
    expectNotWaiting(await paused, "went on");
    actor.send(submit);
    await reaches("loggedIn");
  });

  test("because its time runs out, is not paused and has failed", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 1_000_000 });
    const { actor, reaches } = await waiting([asks("otp", "key-1")], { answerTimeout: 60_000 });
    const paused = readFailure(pause(actor, { key: KEY }));
    vi.advanceTimersByTime(60_000);
    expectNotWaiting(await paused, "went on");
    expect((await reaches("failed")).context.failure).toEqual({ kind: "outcome", code: "expired" });
  });

  test("by an event without effect, is paused all the same", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1")]);
    const paused = pause(actor, { key: KEY });
    actor.send(submit);
    const { actor: resumed } = await takeUp(service, await paused);
    expect(readState(resumed.getSnapshot())).toBe("awaitingInteraction");
  });

  test("by another pause, has one token and no more", async () => {
    const { actor } = await waiting([asks("otp", "key-1")]);
    const ends = await Promise.allSettled([pause(actor, { key: KEY }), pause(actor, { key: KEY })]);
    // Either may be sealed first.
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    for (const end of ends) if (end.status === "rejected") expectNotWaiting(end.reason, "went on");
    expectNotWaiting(await readFailure(pause(actor, { key: KEY })), "was stopped");
  });
});
