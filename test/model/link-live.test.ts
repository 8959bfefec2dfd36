import { createLinkMachine, type LinkSettings, readState, reveal, secret } from "ventanilla";
import { describe, expect, onTestFinished } from "vitest";
import { createActor, waitFor } from "xstate";
import { type Bank, test } from "../bank/bank.ts";
import { choice, destinations, detail, narrowed, providers } from "./link-cases.ts";
import { formatLinkState } from "./link-facts.ts";
import type { LinkState } from "./link-oracle.ts";
import { chosen, credentials, keys, question } from "./login-cases.ts";

const listed = { json: { status: "success", providers } };
const read = { json: { status: "success", provider: detail } };

const beginLink = (bank: Bank, input: LinkSettings = {}) => {
  const { client, requests, next } = bank.converse();
  const actor = createActor(createLinkMachine(client), { input }).start();
  onTestFinished(() => void actor.stop());
  const reached = (state: LinkState) => waitFor(actor, (snapshot) => formatLinkState(snapshot) === state);
  const toLogin = async () => {
    (await next()).end(listed);
    await reached("choosingProvider");
    actor.send({ type: "provider.choose", provider: "test" });
    (await next()).end(read);
    await reached("loggingIn.active");
  };
  const login = () => {
    const child = actor.getSnapshot().children.login;
    if (!child) throw new Error("No login within.");
    return child;
  };
  return { actor, requests, next, reached, toLogin, login };
};

test("a link leads the login within through everything that a bank may want", async ({ bank }) => {
  const { actor, requests, next, toLogin, login } = beginLink(bank, {
    clientSelection: true,
    sessionReplacement: true,
  });
  await toLogin();
  const child = login();
  // Cancelling it leaves the link at the same bank, ready for another attempt.
  actor.send({ type: "credentials.submit", credentials });
  const open = await next();
  actor.send({ type: "login.cancel" });
  await open.abandoned;
  expect(actor.getSnapshot()).toMatchObject({ value: { loggingIn: "active" }, context: { provider: "test" } });
  expect(readState(child.getSnapshot())).toBe("idle");
  actor.send({ type: "credentials.submit", credentials });
  (await next()).end({ json: { status: "max_sessions_reached", key: keys.other } });
  await waitFor(child, (snapshot) => snapshot.matches("failed"));
  actor.send({ type: "session.replace" });
  (await next()).end({ json: { status: "logged_out" } });
  (await next()).end({ json: { status: "interaction_required", key: keys.question, ...question } });
  await waitFor(child, (snapshot) => snapshot.matches("awaitingInteraction"));
  actor.send({ type: "interaction.answer", answer: secret(question.answer) });
  (await next()).end({ json: { status: "select_client", key: keys.selection } });
  (await next()).end({ json: { status: "success", clients: { [chosen]: "Client" } } });
  await waitFor(child, (snapshot) => snapshot.matches({ selectClient: "choosing" }));
  actor.send({ type: "client.choose", client: chosen });
  (await next()).end({ json: { status: "success", key: keys.selected } });
  (await next()).end({ json: { status: "success", destinations } });
  const { output } = await waitFor(actor, ({ status }) => status === "done");
  expect(output).toMatchObject({ status: "linked", provider: "test", destinations });
  expect(output?.status === "linked" && reveal(output.key)).toBe(keys.selected);
  expect(requests.map(({ path, query }) => [path, query["key"]])).toEqual([
    ["/provider/", undefined],
    ["/provider/test/", undefined],
    ["/login/", undefined],
    ["/login/", undefined],
    ["/logout/", keys.other],
    ["/login/", undefined],
    ["/login/", keys.question],
    ["/client/", keys.selection],
    [`/client/${chosen}/`, keys.selection],
    ["/transfer/destinations", keys.selected],
  ]);
});

test("another bank gets a login of its own", async ({ bank }) => {
  const { actor, next, reached, toLogin, login } = beginLink(bank);
  await toLogin();
  const first = login();
  actor.send({ type: "credentials.submit", credentials });
  const open = await next();
  actor.send({ type: "provider.change" });
  await open.abandoned;
  expect(first.getSnapshot().status).toBe("stopped");
  actor.send({ type: "provider.choose", provider: "other" });
  const fields = await next();
  expect(fields.seen.path).toBe("/provider/other/");
  fields.end(read);
  await reached("loggingIn.active");
  expect(readState(login().getSnapshot())).toBe("idle");
});

describe("a choice that others depend on", () => {
  const narrow = (value: string) => ({ type: "choices.narrow", field: choice.field, value }) as const;

  test("made anew gives up what was asked before it, and only the last answer counts", async ({ bank }) => {
    const { actor, next, toLogin, reached } = beginLink(bank, { dependentChoices: true });
    await toLogin();
    actor.send(narrow("VE"));
    const first = await next();
    actor.send(narrow("CO"));
    await first.abandoned;
    const second = await next();
    expect(second.seen.query).toEqual({ key: "country_code", value: "CO" });
    second.end({ json: { status: "success", provider: narrowed } });
    const { context } = await reached("loggingIn.active");
    expect(context.narrowed).toEqual(narrowed);
  });

  test.for(["link.cancel", "provider.change"] as const)("is given up by %s", async (type, { bank }) => {
    const { actor, next, toLogin } = beginLink(bank, { dependentChoices: true });
    await toLogin();
    actor.send(narrow("CO"));
    const open = await next();
    actor.send({ type });
    await open.abandoned;
    expect(actor.getSnapshot().context).toMatchObject({ provider: undefined, choice: undefined, narrowed: undefined });
  });

  test("keeps nobody from logging in, and is given up when the login has succeeded", async ({ bank }) => {
    const { actor, next, toLogin, reached } = beginLink(bank, { dependentChoices: true });
    await toLogin();
    actor.send(narrow("CO"));
    const narrowing = await next();
    actor.send({ type: "credentials.submit", credentials });
    (await next()).end({ json: { status: "logged_in", key: keys.session } });
    await narrowing.abandoned;
    (await next()).end({ json: { status: "success", destinations } });
    const { context } = await reached("linked");
    expect(context).toMatchObject({ choice: undefined, failure: undefined });
  });
});

test("a link can be stored at every step, and goes on where it was", async ({ bank }) => {
  const { actor, next, toLogin } = beginLink(bank);
  await toLogin();
  actor.send({ type: "credentials.submit", credentials });
  (await next()).end({ json: { status: "interaction_required", key: keys.question, ...question } });
  await waitFor(actor, ({ context }) => context.login?.value === "awaitingInteraction");
  const stored = actor.getPersistedSnapshot();
  expect(JSON.stringify(stored)).not.toContain("nobody-else");
  actor.stop();
  const { client, next: nextOfRestored } = bank.converse();
  const again = createActor(createLinkMachine(client), { input: {}, snapshot: stored }).start();
  expect(again.getSnapshot().context.login?.value).toBe("awaitingInteraction");
  again.send({ type: "interaction.answer", answer: secret(question.answer) });
  const second = await nextOfRestored();
  expect(second.seen).toMatchObject({ query: { key: keys.question }, form: { otp: question.answer } });
  second.end({ json: { status: "logged_in", key: keys.session } });
  (await nextOfRestored()).end({ json: { status: "success", destinations } });
  await waitFor(again, ({ status }) => status === "done");
});

// That cancelling a link hangs up, wherever it waits: test/faults/cancelling.test.ts.
test("wanting another bank hangs up on the fields of the first", async ({ bank }) => {
  const { actor, next, reached } = beginLink(bank);
  (await next()).end(listed);
  await reached("choosingProvider");
  actor.send({ type: "provider.choose", provider: "test" });
  const open = await next();
  actor.send({ type: "provider.change" });
  await open.abandoned;
  expect(actor.getSnapshot().context.provider).toBeUndefined();
});
