import { createLoginMachine, secret } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { describe, expect, onTestFinished, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { startService } from "../../bank/service.ts";
import { answer, credentials } from "./started.ts";

describe("a restored statechart", () => {
  const lacking: [what: string, value: "awaitingInteraction" | "selectClient", context: object, event: LoginEvent][] = [
    ["credentials", "awaitingInteraction", { key: secret("key-1") }, answer],
    ["key", "awaitingInteraction", { credentials }, answer],
    ["key", "selectClient", { clients: [{ id: "0", name: "Zero" }] }, { type: "client.choose", client: "0" }],
  ];

  test.each(lacking)(
    "fails with secret_unavailable, naming the %s that it lacks in %s",
    async (field, value, context, event) => {
      const service = await startService([]);
      const machine = createLoginMachine(service.client());
      const { context: initial } = createActor(machine, { input: {} }).getSnapshot();
      const interaction = {
        field: "otp",
        fields: ["otp"],
        context: "otp required",
        number: 1,
        isRepeat: false,
        answersSent: 0,
      };
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
    },
  );
});
