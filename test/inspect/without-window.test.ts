import { loginMachine } from "ventanilla/machines/login";
import { afterEach, expect, test, vi } from "vitest";
import { createActor } from "xstate";
import { inspectLogin } from "../../src/inspect/browser.ts";

afterEach(() => vi.restoreAllMocks());

test("where there is no window, the half for browsers watches nothing and complains about nothing", async () => {
  const complain = vi.spyOn(console, "error");
  const inspect = inspectLogin();
  expect(createActor(loginMachine, { input: {}, inspect }).start().getSnapshot().value).toBe("idle");
  expect(await inspect.address).toEqual({ viewer: "https://stately.ai/inspect", server: undefined });
  inspect.stop();
  expect(complain).not.toHaveBeenCalled();
});

test("a history that is no whole number is refused in the browser as well", () => {
  expect(() => inspectLogin({ history: -1 })).toThrow("invalid_input: history");
});
