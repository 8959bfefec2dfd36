import { createLinkMachine, createLoginMachine, reveal, secret } from "ventanilla";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AnyActor, createActor, waitFor } from "xstate";
import { asks, loggedIn, promised, type Reply, startService } from "../bank/service.ts";
import { answer, start, submit } from "./started.ts";

// XState invokes a request again where an actor is started or restored in the middle of it. A login must not be sent
// again by itself (a locked account costs its owner days), so it ends in words.

const unknown = { kind: "fault", code: "outcome_unknown", request: "POST /login/" };
const turn = () => new Promise((resolve) => setTimeout(resolve, 30));

/** What React's binding does to an actor when an effect is taken down and set up again. */
function restart(actor: AnyActor): void {
  const snapshots = new Map<AnyActor, unknown>();
  const remember = (each: AnyActor) => {
    snapshots.set(each, each.getSnapshot());
    for (const child of Object.values(each.getSnapshot().children ?? {})) remember(child as AnyActor);
  };
  remember(actor);
  const internals = (each: AnyActor) => each as unknown as { _processingStatus: number; _snapshot: unknown };
  actor.stop();
  for (const [each, snapshot] of snapshots) {
    internals(each)._processingStatus = 0;
    internals(each)._snapshot = snapshot;
  }
  actor.start();
}

const fails = async (actor: AnyActor) => (await waitFor(actor, (snapshot) => snapshot.matches("failed"))).context;

describe("a login that is restored in the middle of its request", () => {
  test("is not sent again, and says that its outcome is not known", async () => {
    const { service, actor } = await start(["held", loggedIn("key-1")]);
    actor.send(submit);
    await service.arrival(1);
    const stored = actor.getPersistedSnapshot();
    actor.stop();
    const restored = createActor(actor.logic, { input: {}, snapshot: stored }).start();
    onTestFinished(() => void restored.stop());
    const { failure, credentials } = await fails(restored);
    expect(failure).toEqual(unknown);
    expect(credentials).toBeUndefined();
    await turn();
    expect(service.lines()).toEqual(["POST /login/"]);
  });

  test("is not sent again either if the first one is still under way", async () => {
    const { service, actor } = await start(["held", loggedIn("key-1")]);
    actor.send(submit);
    await service.arrival(1);
    const second = createActor(actor.logic, { input: {}, snapshot: actor.getPersistedSnapshot() }).start();
    onTestFinished(() => void second.stop());
    expect((await fails(second)).failure).toEqual(unknown);
    await turn();
    expect(service.lines()).toEqual(["POST /login/"]);
    expect(actor.getSnapshot().matches("submitting")).toBe(true);
  });

  test("nor is its answer", async () => {
    const { service, actor, reaches } = await start([asks("otp", "key-1"), "held", loggedIn("key-2")]);
    actor.send(submit);
    await reaches("awaitingInteraction");
    actor.send(answer);
    await service.arrival(2);
    const stored = actor.getPersistedSnapshot();
    actor.stop();
    const restored = createActor(actor.logic, { input: {}, snapshot: stored }).start();
    onTestFinished(() => void restored.stop());
    expect((await fails(restored)).failure).toEqual(unknown);
    await turn();
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key-1"]);
  });

  test("can be submitted anew, by a person who means it", async () => {
    const { service, actor } = await start(["held", loggedIn("key-1")]);
    actor.send(submit);
    await service.arrival(1);
    const stored = actor.getPersistedSnapshot();
    actor.stop();
    const restored = createActor(actor.logic, { input: {}, snapshot: stored }).start();
    await fails(restored);
    // The very same form, the same credentials included, is another login all the same.
    restored.send(submit);
    const { output } = await waitFor(restored, ({ status }) => status === "done");
    expect(output && reveal(output.key)).toBe("key-1");
    expect(service.lines()).toEqual(["POST /login/", "POST /login/"]);
  });
});

describe("a login that is stopped and started in the middle of its request", () => {
  test("is not sent again, and the first request is given up", async () => {
    const { service, actor } = await start(["held", loggedIn("key-1")]);
    actor.send(submit);
    const { abandoned } = await service.arrival(1);
    restart(actor);
    await abandoned;
    expect((await fails(actor)).failure).toEqual(unknown);
    await turn();
    expect(service.lines()).toEqual(["POST /login/"]);
  });

  test("reads no fields again either, where it was to check them first", async () => {
    const { promise, keep } = promised<Reply>();
    const { service, actor } = await start([() => promise], { validate: true });
    actor.send(submit);
    await service.arrival(1);
    restart(actor);
    expect((await fails(actor)).failure).toEqual(unknown);
    keep({ json: { status: "success", provider: { name: "Test", auth_fields: [] } } });
    await turn();
    expect(service.lines()).toEqual(["GET /provider/test/"]);
  });

  test("says so within a link as well, and the link rests", async () => {
    const detail = { name: "Test", country: "UY", auth_fields: [] };
    const script: Reply[] = [
      { json: { status: "success", providers: [{ code: "test", country: "UY", name: "Test" }] } },
      { json: { status: "success", provider: detail } },
      "held",
      loggedIn("key-1"),
    ];
    const service = await startService(script);
    const actor = createActor(createLinkMachine(service.client()), { input: {} }).start();
    onTestFinished(() => void actor.stop());
    await waitFor(actor, (snapshot) => snapshot.matches("choosingProvider"));
    actor.send({ type: "provider.choose", provider: "test" });
    await waitFor(actor, (snapshot) => snapshot.matches("loggingIn"));
    actor.send(submit);
    await service.arrival(3);
    const stored = actor.getPersistedSnapshot();
    actor.stop();
    const restored = createActor(actor.logic, { input: {}, snapshot: stored }).start();
    onTestFinished(() => void restored.stop());
    const { context } = await waitFor(restored, (snapshot) => snapshot.context.login?.value === "failed");
    expect(context.login?.context.failure).toEqual(unknown);
    await turn();
    expect(service.lines()).toEqual(["GET /provider/", "GET /provider/test/", "POST /login/"]);
  });
});

test("a login that is stopped and started while it waits goes on, and sends its answer once", async () => {
  const { service, actor, reaches } = await start([asks("otp", "key-1"), loggedIn("key-2")]);
  actor.send(submit);
  await reaches("awaitingInteraction");
  restart(actor);
  actor.send({ type: "interaction.answer", answer: secret("8888") });
  await waitFor(actor, ({ status }) => status === "done");
  expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key-1"]);
});

test("a login that is stopped and started before it is submitted is sent once, as React's strict mode would have it", async () => {
  const { service, actor } = await start([loggedIn("key-1")]);
  restart(actor);
  actor.send(submit);
  await waitFor(actor, ({ status }) => status === "done");
  expect(service.lines()).toEqual(["POST /login/"]);
});

test("the same form sent to two logins of one client is two logins", async () => {
  const service = await startService([loggedIn("key-1"), loggedIn("key-2")]);
  const machine = createLoginMachine(service.client());
  for (const _ of [1, 2]) {
    const actor = createActor(machine, { input: {} }).start();
    actor.send(submit);
    await waitFor(actor, ({ status }) => status === "done");
  }
  expect(service.lines()).toEqual(["POST /login/", "POST /login/"]);
});
