import { InputError, type LoginOptions, login } from "ventanilla";
import { describe, expect, onTestFinished, test } from "vitest";
import { createActor } from "xstate";
import { waitUntil } from "../../src/login/wait-until.ts";
import { asks, loggedIn, person, startService } from "../bank/service.ts";
import { start, submit } from "./started.ts";

const wrong: [field: string, options: Partial<LoginOptions>][] = [
  ["interactionLimit", { interactionLimit: Number.NaN }],
  ["interactionLimit", { interactionLimit: -1 }],
  ["interactionLimit", { interactionLimit: 1.5 }],
  ["answerTimeout", { answerTimeout: Number.NaN }],
  ["answerTimeout", { answerTimeout: -1 }],
  ["deadline", { deadline: Number.NaN }],
  ["validate", { validate: "yes" as never }],
  ["clientSelection", { clientSelection: 1 as never }],
  ["sessionReplacement", { sessionReplacement: "false" as never }],
  ["sessionReplacement", { sessionReplacement: null as never }],
];

test.each(wrong)("an invalid setting is refused by login, and nothing is sent: %s %o", async (field, options) => {
  const service = await startService([loggedIn("key-1")]);
  const error = await login(service.client(), { ...person, ...options }).catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(InputError);
  expect(error).toMatchObject({ code: "invalid_input", field });
  expect(service.requests).toEqual([]);
});

describe("an invalid time in the settings of the statechart", () => {
  test.each([
    ["answerTimeout", { answerTimeout: Number.NaN }],
    ["answerTimeout", { answerTimeout: null as never }],
    ["deadline", { deadline: Number.NaN }],
  ])("makes the login fail, and nothing is sent: %s %o", async (field, settings) => {
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
