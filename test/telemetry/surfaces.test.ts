import {
  createCredentials,
  createLinkMachine,
  createLoginMachine,
  createMemoryClaimStore,
  type LoginSettings,
  pause,
  readState,
  resume,
  secret,
} from "ventanilla";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Actor, createActor, waitFor } from "xstate";
import { asks, loggedIn, openQuestion, type Service, startSandbox, startService } from "../bank/service.ts";
import { answer, submit } from "../login/started.ts";
import { observed } from "./observed.ts";

const SEAL_KEY = Buffer.alloc(32, 7).toString("base64");
const account = createCredentials({ provider: "test", username: "12345otp", password: "asdfg" });

function started(service: Service, settings: LoginSettings = {}) {
  const watched = observed(service);
  const actor = createActor(createLoginMachine(watched.client), { input: settings, inspect: watched.inspect });
  onTestFinished(() => void actor.stop());
  actor.start();
  const reaches = (state: string) => waitFor(actor, (snapshot) => readState(snapshot) === state);
  return { ...watched, actor, reaches };
}

const lifecycle = [
  "login.started started at test in submitting after 0",
  "interaction.required interaction_required at test in answering after 100 field=otp number=1 answersSent=0",
];

describe("an actor of one's own", () => {
  test("tells nothing before credentials are submitted", async () => {
    const { actor, lines } = started(await startService([]));
    actor.send({ type: "login.cancel" });
    actor.send({ type: "interaction.answer", answer: secret("1") });
    actor.stop();
    expect(lines()).toEqual([]);
  });

  test("tells each login that it runs with an id and a time of its own", async () => {
    const script = [{ http: 403, json: { status: "wrong_credentials" } }, loggedIn("k")];
    const { actor, reaches, lines, events, wait } = started(await startService(script));
    actor.send(submit);
    await reaches("failed");
    wait(9000);
    actor.send(submit);
    await reaches("loggedIn");
    expect(lines()).toEqual([
      "login.started started at test in submitting after 0",
      "login.failed wrong_credentials at test in failed after 100 kind=outcome httpStatus=403 interactions=0 replaceable=false",
      "login.started started at test in submitting after 0",
      "login.finished logged_in at test in loggedIn after 100 interactions=0",
    ]);
    expect(events[0]?.id).toBe(events[1]?.id);
    expect(events[2]?.id).toBe(events[3]?.id);
    expect(events[0]?.id).not.toBe(events[2]?.id);
  });

  test("that is stopped in the middle tells so, once", async () => {
    const { actor, reaches, lines } = started(await startSandbox());
    actor.send({ type: "credentials.submit", credentials: account });
    await reaches("awaitingInteraction");
    actor.stop();
    actor.stop();
    expect(lines()).toEqual([...lifecycle, "login.cancelled stopped at test in answering after 100 interactions=1"]);
  });

  test("that is cancelled, or stopped, after its end tells nothing more", async () => {
    const { actor, reaches, lines } = started(
      await startService([{ http: 403, json: { status: "wrong_credentials" } }]),
    );
    actor.send(submit);
    await reaches("failed");
    const seen = lines();
    actor.send({ type: "login.cancel" });
    actor.stop();
    expect(lines()).toEqual(seen);
    expect(seen).toHaveLength(2);
  });

  test.each(["login.cancel", "stop", "credentials.submit"] as const)(
    "whose session could be replaced has failed, and tells nothing of what is done instead (%s)",
    async (instead) => {
      const tooMany = { http: 403, json: { status: "max_sessions_reached", key: "other" } };
      const service = await startService([tooMany, "held"]);
      const { actor, reaches, lines, events } = started(service, { sessionReplacement: true });
      actor.send(submit);
      await reaches("failed");
      if (instead === "login.cancel") actor.send({ type: instead });
      else if (instead === "stop") actor.stop();
      else actor.send(submit);
      const again = instead === "credentials.submit" ? ["login.started started at test in submitting after 0"] : [];
      expect(lines()).toEqual([
        "login.started started at test in submitting after 0",
        "login.failed max_sessions_reached at test in failed after 100 kind=outcome httpStatus=403 interactions=0 replaceable=true",
        ...again,
      ]);
      expect(new Set(events.map(({ id }) => id)).size).toBe(1 + again.length);
    },
  );

  test("that breaks in itself has failed", async () => {
    const { actor, reaches, lines } = started(await startService([asks("otp", "k")]));
    const errors: unknown[] = [];
    actor.subscribe({ error: (error) => errors.push(error) });
    actor.send(submit);
    await reaches("awaitingInteraction");
    // As a guard or an action of one's own does that throws.
    vi.spyOn(actor.logic, "transition").mockImplementation(() => {
      throw new Error("hunter two");
    });
    onTestFinished(() => void vi.restoreAllMocks());
    actor.send({ type: "login.cancel" });
    await Promise.resolve();
    expect(errors).toHaveLength(1);
    expect(lines()).toEqual([
      ...lifecycle,
      "login.failed unexpected_fault at test in failed after 100 kind=fault interactions=1 replaceable=false",
    ]);
  });
});

describe("a login that is taken up", () => {
  test("by resume() tells that it was, and what it waits for; the one that was paused was stopped", async () => {
    const sandbox = await startSandbox();
    const { actor, reaches, client, inspect, lines, events, wait } = started(sandbox);
    actor.send({ type: "credentials.submit", credentials: account });
    await reaches("awaitingInteraction");
    const token = await pause(actor, { key: SEAL_KEY });
    wait(60_000);
    const resumed = await resume(client, token, { key: SEAL_KEY, claimStore: createMemoryClaimStore(), inspect });
    await openQuestion(resumed).answer("8888");
    expect(lines()).toEqual([
      ...lifecycle,
      "login.cancelled stopped at test in answering after 100 interactions=1",
      "login.started resumed at test in answering after 0",
      "interaction.required interaction_required at test in answering after 0 field=otp number=1 answersSent=0",
      "login.finished logged_in at test in loggedIn after 100 interactions=1",
    ]);
    expect(events[3]?.id).not.toBe(events[0]?.id);
  });

  test("from a stored snapshot is told where it stands", async () => {
    const { actor, reaches, client, inspect, lines } = started(await startService([asks("otp", "k")]));
    actor.send(submit);
    await reaches("awaitingInteraction");
    const stored = actor.getPersistedSnapshot();
    actor.stop();
    const again = createActor(createLoginMachine(client), { input: {}, snapshot: stored, inspect }).start();
    again.send({ type: "login.cancel" });
    expect(lines().slice(3)).toEqual([
      "login.started resumed at test in answering after 0",
      "interaction.required interaction_required at test in answering after 0 field=otp number=1 answersSent=0",
      "login.cancelled cancelled at test in answering after 0 interactions=1",
    ]);
  });

  test.each(["failed", "loggedIn", "selectClient.resting"])("in its end, %s, is not told", async (end) => {
    const says = {
      failed: { json: { status: "wrong_credentials" } },
      loggedIn: loggedIn("k"),
      "selectClient.resting": { json: { status: "select_client" } },
    };
    const { actor, reaches, client, inspect, lines } = started(await startService([says[end as keyof typeof says]]));
    actor.send(submit);
    await reaches(end);
    const before = lines().length;
    const snapshot = actor.getPersistedSnapshot();
    createActor(createLoginMachine(client), { input: {}, snapshot, inspect }).start().stop();
    expect(lines()).toHaveLength(before);
  });
});

describe("a login within a link flow", () => {
  async function atForm(service: Service) {
    const watched = observed(service);
    const actor = createActor(createLinkMachine(watched.client), { input: {}, inspect: watched.inspect });
    onTestFinished(() => void actor.stop());
    actor.start();
    await choose(actor);
    return { ...watched, actor };
  }
  const choose = async (actor: Actor<ReturnType<typeof createLinkMachine>>) => {
    await waitFor(actor, (snapshot) => snapshot.matches("choosingProvider"));
    actor.send({ type: "provider.choose", provider: "test" });
    await waitFor(actor, (snapshot) => snapshot.matches("loggingIn"));
  };
  const isAsked = (actor: Actor<ReturnType<typeof createLinkMachine>>) =>
    waitFor(actor, (snapshot) => snapshot.context.login?.value === "awaitingInteraction");

  test("is told as any other, and the rest of the flow is not", async () => {
    const { actor, lines } = await atForm(await startSandbox());
    actor.send({ type: "credentials.submit", credentials: account });
    await isAsked(actor);
    actor.send(answer);
    await waitFor(actor, (snapshot) => snapshot.status === "done");
    expect(lines()).toEqual([...lifecycle, "login.finished logged_in at test in loggedIn after 200 interactions=1"]);
  });

  test.each(["provider.change", "link.cancel"] as const)("is stopped by %s", async (type) => {
    const { actor, lines } = await atForm(await startSandbox());
    actor.send({ type: "credentials.submit", credentials: account });
    await isAsked(actor);
    actor.send({ type });
    expect(lines()).toEqual([...lifecycle, "login.cancelled stopped at test in answering after 100 interactions=1"]);
  });

  test("and the next one after another bank was chosen have ids of their own", async () => {
    const { actor, lines, events } = await atForm(await startSandbox());
    actor.send({ type: "credentials.submit", credentials: account });
    await isAsked(actor);
    actor.send({ type: "provider.change" });
    await choose(actor);
    actor.send({ type: "credentials.submit", credentials: account });
    await isAsked(actor);
    expect(lines().slice(3)).toEqual(lifecycle);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  });
});
