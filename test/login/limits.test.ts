import { InputError, type LoginOptions, login } from "ventanilla";
import { describe, expect, test } from "vitest";
import { loggedIn, person, startService, unasked } from "./service.ts";

const wrong: [field: string, options: Partial<LoginOptions>][] = [
  ["interactionLimit", { interactionLimit: Number.NaN }],
  ["interactionLimit", { interactionLimit: -1 }],
  ["interactionLimit", { interactionLimit: 1.5 }],
  ["answerTimeout", { answerTimeout: Number.NaN }],
  ["answerTimeout", { answerTimeout: -1 }],
  ["answerTimeout", { answerTimeout: Number.POSITIVE_INFINITY }],
  ["deadline", { deadline: new Date("no date") }],
];

describe("a limit that is none", () => {
  test.each(wrong)("is refused by name before anything is sent: %s %o", async (field, options) => {
    const service = await startService([loggedIn("key-1")]);
    const error = await login(service.client(), { ...person, onInteraction: unasked, ...options }).catch(
      (fault: unknown) => fault,
    );
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "invalid_input", field });
    expect(service.requests).toEqual([]);
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
    await expect(login(service.client(), { ...person, onInteraction: unasked, onTransition })).rejects.toMatchObject({
      code: "handler_failed",
      field: "onTransition",
      detail,
    });
  });
});
