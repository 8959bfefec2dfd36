import { createLoginMachine, type LoginSettings, secret } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { describe, expect, onTestFinished, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import { type Line, startService } from "../bank/service.ts";
import { answer, credentials, start, submit } from "./started.ts";

describe("a fault within the statechart", () => {
  const failing = async (error: unknown) => {
    const service = await startService([]);
    const machine = createLoginMachine(service.client()).provide({
      actors: { submitCredentials: fromPromise(() => Promise.reject(error)) },
    });
    const actor = createActor(machine, { input: {} });
    actor.start();
    actor.send(submit);
    return (await waitFor(actor, (snapshot) => snapshot.matches("failed"))).context.failure;
  };

  test.each([new Error("hunter two"), "hunter two", null, undefined, {}, { code: 7 }])(
    "without a code, such as %j, is told as unexpected",
    async (error) => {
      expect(await failing(error)).toEqual({ kind: "fault", code: "unexpected_fault" });
    },
  );

  test("that came as JSON is known by its code, and only what a failure has is kept", async () => {
    const failure = {
      code: "rate_limited",
      field: "f",
      request: "POST /login/",
      httpStatus: 429,
      retryAfter: 7,
      detail: "d",
    };
    expect(await failing({ ...failure, kind: "outcome", message: "hunter two" })).toEqual({
      kind: "fault",
      ...failure,
    });
  });
});

describe("a statechart that was stored", () => {
  const _restored = async (script: readonly Line[], settings: LoginSettings, wait: string) => {
    const { actor, reaches, service } = await start(script, settings);
    actor.send(submit);
    await reaches(wait);
    const stored = JSON.parse(JSON.stringify(actor.getPersistedSnapshot()));
    actor.stop();
    const again = createActor(createLoginMachine(service.client()), { input: settings, snapshot: stored });
    onTestFinished(() => void again.stop());
    return { service, actor: again.start() };
  };

  const lacking: [what: string, value: "awaitingInteraction" | "selectClient", context: object, event: LoginEvent][] = [
    ["credentials", "awaitingInteraction", { key: secret("key-1") }, answer],
    ["key", "awaitingInteraction", { credentials }, answer],
    ["key", "selectClient", { clients: [{ id: "0", name: "Zero" }] }, { type: "client.choose", client: "0" }],
  ];

  test.each(lacking)("names the %s that it lacks in %s, and sends nothing", async (field, value, context, event) => {
    const service = await startService([]);
    const machine = createLoginMachine(service.client());
    const { context: initial } = createActor(machine, { input: {} }).getSnapshot();
    const interaction = { field: "otp", context: "otp required", number: 1, isRepeat: false, answersSent: 0 };
    const snapshot = machine.resolveState({
      value: value === "selectClient" ? { selectClient: "choosing" } : value,
      context: { ...initial, interaction, ...context },
    });
    const actor = createActor(machine, { input: {}, snapshot });
    onTestFinished(() => void actor.stop());
    actor.start();
    actor.send(event);
    const failed = await waitFor(actor, (reached) => reached.matches("failed"));
    expect(failed.context.failure).toMatchObject({ kind: "fault", code: "secret_unavailable", field });
    expect(service.requests).toEqual([]);
  });
});
