import { describe, expect, onTestFinished, test } from "vitest";
import { createActor } from "xstate";
import { waitUntil } from "../../../machines/slots.ts";
import { asks } from "../../bank/service.ts";
import { start, submit } from "./started.ts";

describe("an invalid setting of the statechart", () => {
  test.each([
    ["answerTimeout", { answerTimeout: Number.NaN }],
    ["answerTimeout", { answerTimeout: null as never }],
    ["deadline", { deadline: Number.NaN }],
    ["interactionKinds", { interactionKinds: { otp: "code" } as never }],
    ["interactionKinds", { interactionKinds: { test: { otp: "picture" as never } } }],
    ["interactionKinds", { interactionKinds: null as never }],
    ["sessionReplacment", { sessionReplacment: true } as never],
  ])("makes the login fail, and nothing is sent: $1", async (field, settings) => {
    const { service, actor, reaches } = await start([asks("otp", "key-1")], settings);
    actor.send(submit);
    const { context } = await reaches("failed");
    expect(context.failure).toMatchObject({ code: "invalid_input", field });
    expect(service.requests).toEqual([]);
  });

  test("makes waitUntil end at once instead of looping", async () => {
    const wait = createActor(waitUntil, { input: { time: Number.NaN } });
    onTestFinished(() => void wait.stop());
    wait.start();
    // One turn of the event loop, which a loop of timers or microtasks would not leave.
    await new Promise((resolve) => setImmediate(resolve));
    expect(wait.getSnapshot().status).toBe("done");
  });
});
