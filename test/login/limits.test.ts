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
];

describe("a limit that is none", () => {
  test.each(wrong)("is refused by name before anything is sent: %s %o", async (field, options) => {
    const service = await startService([loggedIn("key-1")]);
    const error = await login(service.client(), { ...person, ...options }).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "invalid_input", field });
    expect(service.requests).toEqual([]);
  });
});

describe("a setting of the statechart that is no time", () => {
  test.each([
    ["answerTimeout", { answerTimeout: Number.NaN }],
    ["answerTimeout", { answerTimeout: null as never }],
    ["deadline", { deadline: Number.NaN }],
  ])("fails by name before anything is sent: %s %o", async (field, settings) => {
    const { service, actor, reaches } = await start([asks("otp", "key-1")], settings);
    actor.send(submit);
    const { context } = await reaches("failed");
    expect(context.failure).toMatchObject({ code: "invalid_input", field });
    expect(service.requests).toEqual([]);
  });

  test("is not waited for in circles where it comes in by another way", async () => {
    const wait = createActor(waitUntil, { input: { time: Number.NaN } });
    onTestFinished(() => void wait.stop());
    wait.start();
    // A turn of the event loop: it is not kept from going on.
    await new Promise((resolve) => setImmediate(resolve));
    expect(wait.getSnapshot().status).toBe("done");
  });
});

describe("what a handler threw is told by the name of its class alone", () => {
  class BrokenPrompt extends Error {}
  const renamed = Object.assign(new Error("no"), { name: "otp 8888" });
  test.each([
    [new BrokenPrompt("no"), "threw BrokenPrompt"],
    [renamed, "threw Error"],
    ["8888", "threw string"],
    [undefined, "threw undefined"],
    [Object.assign(new Error("no"), { constructor: { name: "8888 8888" } }), "threw object"],
  ])("%o", async (thrown, detail) => {
    const service = await startService([loggedIn("key-1")]);
    const onTransition = () => {
      throw thrown;
    };
    await expect(login(service.client(), { ...person, onTransition })).rejects.toMatchObject({
      code: "handler_failed",
      field: "onTransition",
      detail,
    });
  });
});
