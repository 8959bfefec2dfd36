import type { InteractionRequiredOutcome, LoginOutcome, SelectClientOutcome } from "ventanilla";
import { createLoginMachine, reveal } from "ventanilla";
import { describe, expect } from "vitest";
import { fromPromise } from "xstate";
import type { PausedLogin } from "../../machines/login.types.ts";
import { Conversation } from "../../src/login/conversation.ts";
import { type Bank, type OpenRequest, type SeenRequest, test } from "../bank/bank.ts";
import { chosen, clients, credentials, form, type LoginCaseName, loginCase, question } from "./login-cases.ts";
import { expectedLogin, findRequest } from "./login-facts.ts";
import { isReplaceable, type LoginFacts, loginOracle } from "./login-oracle.ts";
import { loginPaths, loginVariants } from "./login-paths.ts";

type Verb = (outcome: LoginOutcome) => Promise<LoginOutcome>;

/** What a caller does with an outcome where a path has an event of a person's. */
const verbs: Partial<Record<LoginCaseName, Verb>> = {
  "the question is answered": (outcome) => (outcome as InteractionRequiredOutcome).answer(question.answer),
  "a client is chosen": (outcome) => (outcome as SelectClientOutcome).choose(chosen),
  "a client that is not listed is chosen": (outcome) => (outcome as SelectClientOutcome).choose("FIC-0"),
  "the login is cancelled": (outcome) => (outcome as InteractionRequiredOutcome).cancel(),
};

/** What the outcome of a login at rest is by the oracle; `undefined` while a request is under way. */
function expectedOutcome(facts: LoginFacts): object | undefined {
  const { provider } = form;
  const { isBusy, state, question, key, failure } = expectedLogin(facts);
  if (isBusy || isReplaceable(facts)) return undefined;
  switch (state) {
    case "idle":
      return { status: "cancelled", provider };
    case "awaitingInteraction":
      return { status: "interaction_required", provider, interaction: expect.objectContaining({ ...question }) };
    case "selectClient.choosing":
      return { status: "select_client", provider, key, clients };
    case "selectClient.resting":
      return { status: "select_client", provider, key };
    case "loggedIn":
      return { status: "logged_in", provider, key };
    default:
      return { status: failure, provider, ...(key !== undefined && { key }) };
  }
}

/** An outcome as plain data; what rejects is told by its code. */
const settled = (outcome: Promise<LoginOutcome>) =>
  outcome.then(
    (reached) => {
      const { httpStatus: _, ...plain } = { ...reached } as Record<string, unknown>;
      const text = JSON.stringify({ ...plain, key: undefined }, (name, value) =>
        name === "expiresAt" ? undefined : value,
      );
      const key = "key" in reached && reached.key ? reveal(reached.key) : undefined;
      return { ...JSON.parse(text), ...(key !== undefined && { key }) };
    },
    ({ code }: { code: string }) => ({ status: code, provider: form.provider }),
  );

/** Paths of one conversation: after an ending, a login of its own begins. */
const conversations = loginPaths.filter(({ settings, path }) => {
  const oracle = loginOracle(settings);
  let facts = oracle.start;
  return path.every((name, index) => {
    const before = facts;
    const next = oracle.next(facts, name);
    if (next === "ignored") return false;
    facts = next;
    const isBegun = name === "credentials are submitted" || loginCase(name).paused !== undefined;
    const isHere = isBegun || loginCase(name).slot || name in verbs || name === "the other session is replaced";
    // The runner replaces a session by itself.
    const isOver =
      before.state === "selectClient.resting" ||
      (before.state === "failed" && !(isReplaceable(before) && name === "the other session is replaced"));
    return isHere && isBegun === (index === 0) && !isOver;
  });
});

async function converse(bank: Bank, { settings, path }: (typeof loginPaths)[number]): Promise<void> {
  const { client, requests, next } = bank.converse();
  let runOut = () => {};
  const waitUntil = fromPromise<void, { readonly time: number | undefined }>(
    () => new Promise<void>((resolve) => (runOut = resolve)),
  );
  const caller = new AbortController();
  const machine = createLoginMachine(client).provide({ actors: { waitUntil } });
  const conversation = new Conversation(machine, settings, { signal: caller.signal });
  const oracle = loginOracle(settings);
  let facts = oracle.start;
  let outcome: Promise<LoginOutcome> = Promise.reject(new Error("nothing has begun"));
  outcome.catch(() => {});
  let request: OpenRequest | undefined;
  const expected: SeenRequest[] = [];
  const used: LoginOutcome[] = [];
  for (const name of path) {
    const { wire, slot, paused } = loginCase(name);
    const verb = verbs[name];
    if (paused) outcome = conversation.begin({ type: "login.resume", paused: paused as PausedLogin });
    else if (name === "credentials are submitted") {
      outcome = conversation.begin({ type: "credentials.submit", credentials });
    } else if (wire) request?.end(wire);
    else if (slot) {
      await outcome;
      runOut();
    } else if (name === "the login is cancelled" && request) caller.abort();
    else if (verb) {
      const open = await outcome;
      used.push(open);
      outcome = verb(open);
    }
    facts = oracle.next(facts, name) as LoginFacts;
    const sent = findRequest(facts);
    if (sent) expected.push(sent);
    request = sent && (await next());
    // What nobody took up has ended by itself, and says so when somebody comes.
    if (slot?.endsWith("Deadline")) outcome = verbs["the login is cancelled"]?.(await outcome) ?? outcome;
  }
  const reached = expectedOutcome(facts);
  if (reached) expect(await settled(outcome)).toEqual(reached);
  for (const open of used) {
    const again = settled((open as InteractionRequiredOutcome).cancel());
    expect([{ status: "outcome_used", provider: form.provider }, reached]).toContainEqual(await again);
  }
  caller.abort();
  await outcome.catch(() => {});
  expect(requests).toEqual(expected);
}

describe.each(Object.keys(loginVariants))("the outcomes of a login %s are what the contract says when", (variant) => {
  const own = conversations.filter((each) => each.variant === variant);
  test.for(own.map((each) => [each.path.join(", then "), each] as const))("%s", ([, each], { bank }) =>
    converse(bank, each),
  );
});
