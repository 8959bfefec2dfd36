import { createLinkMachine, type LinkSettings } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { expect } from "vitest";
import { createActor, type InspectionEvent, waitFor } from "xstate";
import type { HoldingBank, OpenRequest, SeenRequest } from "../bank/holding-bank.ts";
import { type LinkCaseName, linkCase } from "./link-cases.ts";
import { announcedByLink, expectedLink, findLinkRequest, observeLink } from "./link-facts.ts";
import { type LinkFacts, linkOracle } from "./link-oracle.ts";
import { credentials, form } from "./login-cases.ts";
import { follow } from "./oracle.ts";

const login: SeenRequest = { method: "POST", path: "/login/", query: {}, form };

const submit = "credentials are submitted";

// No form sends this: it breaks the login within, as a fault of its own would.
const malformed: LinkEvent = JSON.parse('{"type":"credentials.submit"}');

/**
 * Takes a real link along a path, login included, and judges it by the oracle after each step.
 *
 * @param beforeStep called before each step, with its number from 0.
 */
export async function runLink(
  bank: HoldingBank,
  settings: LinkSettings,
  path: readonly LinkCaseName[],
  inspect: (event: InspectionEvent) => void,
  beforeStep: (index: number) => void = () => {},
): Promise<void> {
  const { client, requests, next } = bank.converse();
  const actor = createActor(createLinkMachine(client), { input: { ...settings, validate: false }, inspect });
  const emitted: object[] = [];
  actor.on("*", (event) => emitted.push(event));
  actor.start();

  const oracle = linkOracle(settings);
  const after = (before: LinkFacts, name: LinkCaseName) => follow(oracle, before, name);
  let facts = oracle.start;
  let open: OpenRequest | undefined = await next();
  let openLogin: OpenRequest | undefined;
  const expectedRequests = [findLinkRequest(facts)];
  const expectedEvents: object[] = [];

  const submitOnce = async (): Promise<void> => {
    if (openLogin) return;
    actor.send({ type: "credentials.submit", credentials });
    openLogin = await next();
    expectedRequests.push(login);
  };

  for (const [index, name] of path.entries()) {
    beforeStep(index);
    const { event, slot, wire } = linkCase(name);
    const isSubmit = name === "the login is under way" || name === "the login succeeds";
    const before = isSubmit && !openLogin ? withLoginReport(submit, after(facts, submit), after) : facts;
    const reached = withLoginReport(name, after(before, name), after);
    if (name === submit || name === "the login is under way") await submitOnce();
    else if (name === "the login breaks") actor.send(malformed);
    else if (name === "the login succeeds") {
      await submitOnce();
      if (wire) openLogin?.end(wire);
      openLogin = undefined;
    } else if (wire) open?.end(wire);
    else if (!slot) actor.send(event as LinkEvent);
    const expected = expectedLink(reached, settings);
    await waitFor(actor, (snapshot) => isThere(observeLink(snapshot), expected), { timeout: 60_000 }).catch(() => {});
    expect(observeLink(actor.getSnapshot()), `after ${name}`).toEqual(expected);

    if (reached.state !== facts.state) expectedEvents.push(...announcedByLink(reached));
    // A second narrowing is a request of its own.
    const isAnother = reached.state !== facts.state || name === "a choice is made";
    if (isAnother) {
      const request = findLinkRequest(reached);
      open = request && (await next());
      if (request) expectedRequests.push(request);
    }
    facts = reached;
  }
  actor.stop();
  expect(requests).toEqual(expectedRequests);
  expect(emitted).toEqual(expectedEvents);
}

/** The facts after the login within has reported its state, which it does by itself. */
function withLoginReport(
  name: LinkCaseName,
  reached: LinkFacts,
  after: (facts: LinkFacts, name: LinkCaseName) => LinkFacts,
): LinkFacts {
  if (name === "the bank's fields are read" || reached.state === "loggingIn.stale")
    return after(reached, "the login is ready");
  if (name === submit) return after(reached, "the login is under way");
  return reached;
}

const isThere = (seen: ReturnType<typeof observeLink>, expected: typeof seen): boolean =>
  seen.state === expected.state && seen.login === expected.login;
