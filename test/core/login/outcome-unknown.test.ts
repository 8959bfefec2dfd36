import { createLinkMachine, createLoginMachine, type LoginActor, reveal } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { describe, expect, onTestFinished, test } from "vitest";
import { reactive } from "vue";
import { type AnyActor, createActor, waitFor } from "xstate";
import { asks, type Line, loggedIn, promised, type Reply, startService } from "../../bank/service.ts";
import { answer, start, submit } from "./started.ts";

// XState invokes a request again if an actor is started or restored in the middle of it. A login must not be sent
// again by itself (a locked account costs its owner days), so it fails with `outcome_unknown`.

const unknown = { kind: "fault", code: "outcome_unknown", request: "POST /login/" };
const turn = () => new Promise((resolve) => setTimeout(resolve, 30));

/** Stops and starts an actor, as React's binding does when an effect is cleaned up and run again. */
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

/** Stops an actor, and starts another one from what was stored of it. */
function restore(actor: LoginActor): LoginActor {
  const snapshot = JSON.parse(JSON.stringify(actor.getPersistedSnapshot()));
  actor.stop();
  const restored = createActor(actor.logic, { input: {}, snapshot }).start();
  onTestFinished(() => void restored.stop());
  return restored;
}

/** The context of a login once it has failed. */
const failed = async (actor: AnyActor) => (await waitFor(actor, (snapshot) => snapshot.matches("failed"))).context;

describe("a login restored in the middle of its request", () => {
  test("is not sent again if the first request is still under way, and Vue keeps the snapshot", async () => {
    const { service, actor } = await start(["held", loggedIn("key-1")]);
    actor.send(submit);
    await service.arrival(1);
    const second = createActor(actor.logic, { input: {}, snapshot: reactive(actor.getPersistedSnapshot()) }).start();
    onTestFinished(() => void second.stop());
    const { failure, credentials } = await failed(second);
    expect(failure).toEqual(unknown);
    expect(credentials).toBeUndefined();
    await turn();
    expect(service.lines()).toEqual(["POST /login/"]);
    expect(actor.getSnapshot().matches("submitting")).toBe(true);
  });

  test.each<[string, Reply, LoginEvent, Line[], string[]]>([
    ["send its answer", asks("otp", "key-1"), answer, [], ["POST /login/?key=key-1"]],
    [
      "close the other session",
      { http: 403, json: { status: "max_sessions_reached", key: "key-1" } },
      { type: "session.replace" },
      [],
      ["GET /logout/?key=key-1"],
    ],
    [
      "choose a client",
      { json: { status: "select_client", key: "key-1" } },
      { type: "client.choose", client: "0" },
      [{ json: { status: "success", clients: { 0: "Zero" } } }],
      ["GET /client/?key=key-1", "GET /client/0/?key=key-1"],
    ],
  ])("does not %s again", async (_, first, event, rest, lines) => {
    const settings = { clientSelection: true, sessionReplacement: true };
    const { service, actor } = await start([first, ...rest, "held", loggedIn("key-2")], settings);
    actor.send(submit);
    await waitFor(actor, (snapshot) => snapshot.can(event));
    actor.send(event);
    await service.arrival(1 + lines.length);
    const { failure } = await failed(restore(actor));
    expect(failure).toMatchObject({ code: "outcome_unknown" });
    await turn();
    expect(service.lines()).toEqual(["POST /login/", ...lines]);
  });

  test("can be submitted again by a person", async () => {
    const { service, actor } = await start(["held", loggedIn("key-1")]);
    actor.send(submit);
    await service.arrival(1);
    const restored = restore(actor);
    await failed(restored);
    // The same form and the same credentials are another login.
    restored.send(submit);
    const { output } = await waitFor(restored, ({ status }) => status === "done");
    expect(output && reveal(output.key)).toBe("key-1");
    expect(service.lines()).toEqual(["POST /login/", "POST /login/"]);
  });
});

describe("a login stopped and started in the middle of its request", () => {
  test("is not sent again, and the first request is aborted", async () => {
    const { service, actor } = await start(["held", loggedIn("key-1")]);
    actor.send(submit);
    const { abandoned } = await service.arrival(1);
    restart(actor);
    await abandoned;
    expect((await failed(actor)).failure).toEqual(unknown);
    await turn();
    expect(service.lines()).toEqual(["POST /login/"]);
  });

  test("does not read the provider's fields again", async () => {
    const { promise, keep } = promised<Reply>();
    const { service, actor } = await start([() => promise], { validate: true });
    actor.send(submit);
    await service.arrival(1);
    restart(actor);
    expect((await failed(actor)).failure).toEqual(unknown);
    keep({ json: { status: "success", provider: { name: "Test", auth_fields: [] } } });
    await turn();
    expect(service.lines()).toEqual(["GET /provider/test/"]);
  });

  test("fails with outcome_unknown within a link too", async () => {
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
    const snapshot = actor.getPersistedSnapshot();
    actor.stop();
    const restored = createActor(actor.logic, { input: {}, snapshot }).start();
    onTestFinished(() => void restored.stop());
    const { children } = await waitFor(
      restored,
      (snapshot) => snapshot.children.login?.getSnapshot().value === "failed",
    );
    expect(children.login?.getSnapshot().context.failure).toEqual(unknown);
    await turn();
    expect(service.lines()).toEqual(["GET /provider/", "GET /provider/test/", "POST /login/"]);
  });
});

test("a login stopped and started again, as in React's strict mode, sends each request once", async () => {
  const { service, actor, reaches } = await start([asks("otp", "key-1"), loggedIn("key-2")]);
  restart(actor);
  actor.send(submit);
  await reaches("awaitingInteraction");
  restart(actor);
  actor.send(answer);
  await waitFor(actor, ({ status }) => status === "done");
  expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key-1"]);
});

test("two logins of one client with the same credentials are both sent", async () => {
  const service = await startService([loggedIn("key-1"), loggedIn("key-2")]);
  const machine = createLoginMachine(service.client());
  for (const _ of [1, 2]) {
    const actor = createActor(machine, { input: { validate: false } }).start();
    actor.send(submit);
    await waitFor(actor, ({ status }) => status === "done");
  }
  expect(service.lines()).toEqual(["POST /login/", "POST /login/"]);
});
