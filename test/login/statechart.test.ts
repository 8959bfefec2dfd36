import { createLoginMachine, readState } from "ventanilla";
import { describe, expect, test } from "vitest";
import { asks, expectedSecret, loggedIn, type Reply, selectClient, startService } from "../bank/service.ts";
import { answer, credentials, start, submit } from "./started.ts";

describe("the statechart on a client", () => {
  test("is one and the same for the same client, and another for another", async () => {
    const service = await startService([]);
    const [client, other] = [service.client(), service.client()];
    expect(createLoginMachine(client)).toBe(createLoginMachine(client));
    expect(createLoginMachine(client)).not.toBe(createLoginMachine(other));
  });

  test("goes to a session and gives it out as its output", async () => {
    const { actor, emitted, reaches, service } = await start([asks("otp", "key-1"), loggedIn("key-2")]);
    expect(readState(actor.getSnapshot())).toBe("idle");
    actor.send(submit);
    expect(actor.getSnapshot().hasTag("busy")).toBe(true);
    const asked = await reaches("awaitingInteraction");
    expect(asked.hasTag("busy")).toBe(false);
    expect(asked.context.key).toEqual(expectedSecret("key-1"));
    actor.send(answer);
    expect(actor.getSnapshot().context.answer).toEqual(expectedSecret("8888"));
    const { output, context } = await reaches("loggedIn");
    expect(output).toEqual({ provider: "test", key: expectedSecret("key-2") });
    expect(context).toMatchObject({ credentials: undefined, answer: undefined, key: expectedSecret("key-2") });
    expect(emitted).toEqual([
      {
        type: "interaction.required",
        interaction: {
          field: "otp",
          context: "otp required",
          number: 1,
          isRepeat: false,
          answersSent: 0,
          expiresAt: expect.any(Number),
        },
      },
      { type: "login.succeeded", provider: "test" },
    ]);
    expect(service.requests).toHaveLength(2);
  });

  test("keeps to the contract by default: a question stays open for five minutes, a choice of clients and a session too many rest", async () => {
    const { actor, reaches, service } = await start([
      asks("otp", "key-1"),
      { json: { status: "max_sessions_reached", key: "other" } },
      selectClient("key-2"),
    ]);
    const begun = Date.now();
    actor.send(submit);
    expect((await reaches("awaitingInteraction")).context.expiresAt).toBeGreaterThanOrEqual(begun + 300_000);
    actor.send(answer);
    const failed = await reaches("failed");
    expect(failed.can({ type: "session.replace" })).toBe(false);
    expect(failed.context.credentials).toBeUndefined();
    actor.send(submit);
    const resting = await reaches("selectClient.resting");
    expect(resting.context).toMatchObject({ credentials: undefined, key: expectedSecret("key-2") });
    expect(resting.can({ type: "client.choose", client: "0" })).toBe(false);
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key-1", "POST /login/"]);
  });

  test("sends nothing for a double submit, an answer to no question, a choice of nothing", async () => {
    let reply: (line: Reply) => void = () => {};
    const held = () =>
      new Promise<Reply>((resolve) => {
        reply = resolve;
      });
    const { actor, reaches, service } = await start([held, held]);
    for (const event of [answer, { type: "client.choose", client: "0" }, { type: "session.replace" }] as const) {
      actor.send(event);
      expect(readState(actor.getSnapshot())).toBe("idle");
    }
    actor.send(submit);
    actor.send(submit);
    actor.send(answer);
    await service.arrival(1);
    reply(asks("otp", "key-1"));
    await reaches("awaitingInteraction");
    actor.send(submit);
    actor.send(answer);
    actor.send(answer);
    await service.arrival(2);
    reply(loggedIn("key-2"));
    await reaches("loggedIn");
    expect(service.requests).toHaveLength(2);
  });

  test("starts from nothing when a form is sent after a failure", async () => {
    const { actor, emitted, reaches, service } = await start([
      asks("otp", "key-1"),
      { http: 403, json: { status: "wrong_credentials" } },
      asks("otp", "key-2"),
    ]);
    actor.send(submit);
    await reaches("awaitingInteraction");
    actor.send(answer);
    const { context } = await reaches("failed");
    expect(context).toMatchObject({ credentials: undefined, answer: undefined, key: undefined });
    const failure = { kind: "outcome", code: "wrong_credentials", httpStatus: 403, wireStatus: undefined };
    expect(context.failure).toEqual(failure);
    actor.send(submit);
    expect(actor.getSnapshot().context).toMatchObject({ failure: undefined, interaction: undefined });
    const again = await reaches("awaitingInteraction");
    expect(again.context.interaction?.number).toBe(1);
    expect(emitted[1]).toEqual({ type: "login.failed", failure });
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key-1", "POST /login/"]);
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

  test("lets a failure be cancelled", async () => {
    const { actor, emitted, reaches } = await start([{ json: { status: "user_blocked" } }]);
    actor.send(submit);
    await reaches("failed");
    actor.send({ type: "login.cancel" });
    expect(readState(actor.getSnapshot())).toBe("idle");
    expect(emitted.at(-1)).toEqual({ type: "login.cancelled" });
  });

  test("replaces a session when told to, keeping the form until then", async () => {
    const { actor, reaches, service } = await start(
      [
        { json: { status: "max_sessions_reached", key: "other" } },
        { json: { status: "logged_out" } },
        loggedIn("key-1"),
      ],
      { sessionReplacement: true },
    );
    actor.send(submit);
    const failed = await reaches("failed");
    expect(failed.context.credentials).toBe(credentials);
    actor.send({ type: "session.replace" });
    expect(actor.getSnapshot().hasTag("busy")).toBe(true);
    expect((await reaches("loggedIn")).context).toMatchObject({ sessionReplaced: true, failure: undefined });
    expect(service.lines()).toEqual(["POST /login/", "GET /logout/?key=other", "POST /login/"]);
  });
});
