import { createLoginMachine, readState } from "ventanilla";
import { describe, expect, test } from "vitest";
import { asks, expectedSecret, loggedIn, startService } from "../bank/service.ts";
import { start, submit } from "./started.ts";

describe("the statechart on a client", () => {
  test("is one and the same for the same client, and another for another", async () => {
    const service = await startService([]);
    const [client, other] = [service.client(), service.client()];
    expect(createLoginMachine(client)).toBe(createLoginMachine(client));
    expect(createLoginMachine(client)).not.toBe(createLoginMachine(other));
  });

  test("forgets everything when it is cancelled, and can start again", async () => {
    const { actor, emitted, reaches } = await start([asks("otp", "key-1"), loggedIn("key-2")]);
    actor.send(submit);
    await reaches("awaitingInteraction");
    actor.send({ type: "login.cancel" });
    expect(readState(actor.getSnapshot())).toBe("idle");
    expect(actor.getSnapshot().context).toEqual({
      settings: {},
      stepNumber: 4,
      provider: "",
      credentials: undefined,
      key: undefined,
      interaction: undefined,
      answer: undefined,
      clients: [],
      expiresAt: undefined,
      client: undefined,
      sessionReplaced: false,
      failure: undefined,
    });
    expect(emitted.at(-1)).toEqual({ type: "login.cancelled" });
    actor.send(submit);
    expect((await reaches("loggedIn")).output).toEqual({ provider: "test", key: expectedSecret("key-2") });
  });
});
