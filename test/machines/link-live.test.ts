import { createLinkMachine, type LinkSettings, secret } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { describe, expect, onTestFinished } from "vitest";
import { createActor, waitFor } from "xstate";
import { type HoldingBank, type OpenRequest, test } from "../bank/holding-bank.ts";
import { choice, destinations, detail, narrowed, providers } from "./link-cases.ts";
import { formatLinkState } from "./link-steps.ts";
import type { LinkState } from "./link-table.ts";
import { credentials, keys, question } from "./login-cases.ts";

const listed = { json: { status: "success", providers } };
const read = { json: { status: "success", provider: detail } };

const beginLink = (bank: HoldingBank, input: LinkSettings = {}) => {
  const { client, next } = bank.converse();
  const actor = createActor(createLinkMachine(client), { input: { ...input, validate: false } }).start();
  onTestFinished(() => void actor.stop());
  const reached = (state: LinkState) => waitFor(actor, (snapshot) => formatLinkState(snapshot) === state);
  const toFields = async () => {
    (await next()).end(listed);
    await reached("choosingProvider");
    actor.send({ type: "provider.choose", provider: "test" });
    return next();
  };
  const toLogin = async () => {
    (await toFields()).end(read);
    await reached("loggingIn.active");
  };
  /** The request that follows from an event, once the login is ready. */
  const afterLogin = async (event: LinkEvent) => {
    await toLogin();
    actor.send(event);
    return next();
  };
  return { actor, next, reached, toFields, afterLogin };
};
type Link = ReturnType<typeof beginLink>;

const choose = (value: string) => ({ type: "choices.narrow", field: choice.field, value }) as const;
const submit = { type: "credentials.submit", credentials } as const;

// That cancelling a link hangs up, wherever it waits: test/faults/cancelling.test.ts.
test.for<[string, (link: Link) => Promise<OpenRequest>]>([
  ["its fields are read", ({ toFields }) => toFields()],
  ["its choices are narrowed", ({ afterLogin }) => afterLogin(choose("CO"))],
  ["its login is under way", ({ afterLogin }) => afterLogin(submit)],
])("the choice of another bank while %s hangs up, and that bank gets its own login", async ([, start], { bank }) => {
  const link = beginLink(bank, { dependentChoices: true });
  const { actor, next } = link;
  const open = await start(link);
  actor.send({ type: "provider.change" });
  await open.abandoned;
  expect(actor.getSnapshot().context).toMatchObject({ provider: undefined, choice: undefined, narrowed: undefined });
  actor.send({ type: "provider.choose", provider: "other" });
  const fields = await next();
  expect(fields.seen.path).toBe("/provider/other/");
  fields.end(read);
  await waitFor(actor, ({ children }) => children.login?.getSnapshot().value === "idle");
});

describe("a choice that others depend on", () => {
  test("made again gives up the request before it, and only the last response counts", async ({ bank }) => {
    const { actor, next, afterLogin, reached } = beginLink(bank, { dependentChoices: true });
    const first = await afterLogin(choose("VE"));
    actor.send(choose("CO"));
    await first.abandoned;
    const second = await next();
    expect(second.seen.query).toEqual({ key: "country_code", value: "CO" });
    second.end({ json: { status: "success", provider: narrowed } });
    const { context } = await reached("loggingIn.active");
    expect(context.narrowed).toEqual(narrowed);
  });

  test("does not keep a person from logging in, and its request is given up after the login", async ({ bank }) => {
    const { actor, next, afterLogin, reached } = beginLink(bank, { dependentChoices: true, destinations: true });
    const narrowing = await afterLogin(choose("CO"));
    actor.send(submit);
    (await next()).end({ json: { status: "logged_in", key: keys.session } });
    await narrowing.abandoned;
    (await next()).end({ json: { status: "success", destinations } });
    const { context } = await reached("linked");
    expect(context).toMatchObject({ choice: undefined, failure: undefined });
  });
});

test("a link that is stored while its login waits goes on there", async ({ bank }) => {
  const { actor, afterLogin } = beginLink(bank, { destinations: true });
  (await afterLogin(submit)).end({ json: { status: "interaction_required", key: keys.question, ...question } });
  await waitFor(actor, ({ children }) => children.login?.getSnapshot().value === "awaitingInteraction");
  const stored = actor.getPersistedSnapshot();
  expect(JSON.stringify(stored)).not.toContain("nobody-else");
  actor.stop();
  const { client, next: nextOfRestored } = bank.converse();
  const again = createActor(createLinkMachine(client), { input: {}, snapshot: stored }).start();
  expect(again.getSnapshot().children.login?.getSnapshot().value).toBe("awaitingInteraction");
  again.send({ type: "interaction.answer", answer: { otp: secret(question.answer) } });
  const second = await nextOfRestored();
  expect(second.seen).toMatchObject({ query: { key: keys.question }, form: { otp: question.answer } });
  second.end({ json: { status: "logged_in", key: keys.session } });
  (await nextOfRestored()).end({ json: { status: "success", destinations } });
  await waitFor(again, ({ status }) => status === "done");
});
