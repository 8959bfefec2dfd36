import { linkMachineOf } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { expect } from "vitest";
import { createActor, type InspectionEvent, waitFor } from "xstate";
import type { Bank, OpenRequest, SeenRequest } from "./bank.ts";
import { type LinkCaseName, linkCase } from "./link-cases.ts";
import { announcedByLink, expectedLink, linkRequestOf, observeLink } from "./link-facts.ts";
import { linkOracle } from "./link-oracle.ts";
import { credentials, form } from "./login-cases.ts";

const login: SeenRequest = { method: "POST", path: "/login/", query: {}, form };

// What no form sends: it breaks the login within, as any fault of its own would.
const malformed: LinkEvent = JSON.parse('{"type":"credentials.submit"}');

/** Leads a real link along a path, login included, and holds it against the oracle after each step. */
export async function runLink(
  bank: Bank,
  path: readonly LinkCaseName[],
  inspect: (event: InspectionEvent) => void,
): Promise<void> {
  const { client, requests, next } = bank.converse();
  const actor = createActor(linkMachineOf(client), { input: {}, inspect });
  const heard: object[] = [];
  actor.on("*", (event) => heard.push(event));
  actor.start();

  let facts = linkOracle.start;
  let open: OpenRequest | undefined = await next();
  const expectedRequests = [linkRequestOf(facts)];
  const expectedNews: object[] = [];
  for (const name of path) {
    const { event, wire } = linkCase(name);
    if (name === "the login succeeds") {
      actor.send({ type: "credentials.submit", credentials });
      open = await next();
      expectedRequests.push(login);
    }
    if (name === "the login breaks") actor.send(malformed);
    else if (wire) open?.end(wire);
    else actor.send(event as LinkEvent);
    const reached = linkOracle.next(facts, name);
    if (reached === "ignored") throw new Error(`The oracle knows of nothing to do when ${name} in ${facts.state}.`);
    await waitFor(actor, ({ value }) => value === reached.state, { timeout: 1500 }).catch(() => undefined);
    expect(observeLink(actor.getSnapshot()), `after ${name}`).toEqual(expectedLink(reached));

    if (reached.state !== facts.state) expectedNews.push(...announcedByLink(reached));
    const request = name === "credentials are submitted" ? login : linkRequestOf(reached);
    open = request && (await next());
    if (request) expectedRequests.push(request);
    facts = reached;
  }
  actor.stop();
  expect(requests).toEqual(expectedRequests);
  expect(heard).toEqual(expectedNews);
}
