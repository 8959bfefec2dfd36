import { type LoginSnapshot, type LoginState, loginView } from "ventanilla";
import { loginMachine } from "ventanilla/machines/login";
import { expect, test } from "vitest";
import { steps } from "../../src/telemetry/lifecycle-watcher.ts";

test.each(Object.entries(steps))("the step of the state %s is the one that its view shows, %s", (state, step) => {
  const [outer = "", inner] = state.split(".") as [LoginState, string?];
  const value = (inner ? { [outer]: inner } : outer) as LoginSnapshot["value"];
  const { context } = loginMachine.getInitialSnapshot({} as never, {});
  const interaction = { field: "otp", context: "", number: 1, isRepeat: false, answersSent: 0 };
  const snapshot = loginMachine.resolveState({ value, context: { ...context, interaction } });
  expect(loginView(snapshot, () => {}, { provider: "test" }).step).toBe(step);
});
