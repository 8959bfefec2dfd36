import { createLinkMachine, type LinkSettings } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { expect } from "vitest";
import { createActor, type InspectionEvent, waitFor } from "xstate";
import type { HoldingBank, OpenRequest, SeenRequest } from "../bank/holding-bank.ts";
import { type LinkCaseName, linkCase } from "./link-cases.ts";
import { findLinkRequest, linkModel, observeLink, type SeenLink } from "./link-steps.ts";
import { credentials, form } from "./login-cases.ts";
import { follow } from "./model.ts";

const login: SeenRequest = { method: "POST", path: "/login/", query: {}, form };

const submit = "credentials are submitted";

/**
 * Takes a real link along a path, login included, and compares it with the table after each step.
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

  // The login within reports its states by itself.
  const after = (before: SeenLink, name: LinkCaseName) => {
    const reached = follow(linkModel, before, name, settings);
    return name === submit ? follow(linkModel, reached, "the login is under way", settings) : reached;
  };
  let seen = linkModel.start(settings);
  let open: OpenRequest | undefined = await next();
  let openLogin: OpenRequest | undefined;
  const expectedRequests = [findLinkRequest(seen)];
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
    const reached = after(isSubmit && !openLogin ? after(seen, submit) : seen, name);
    if (name === submit || name === "the login is under way") await submitOnce();
    // As a fault of its own would: no event of a page breaks it.
    else if (name === "the login breaks") actor.send(event as LinkEvent);
    else if (name === "the login succeeds") {
      await submitOnce();
      if (wire) openLogin?.end(wire);
      openLogin = undefined;
    } else if (wire) open?.end(wire);
    else if (!slot) actor.send(event as LinkEvent);
    await waitFor(actor, (snapshot) => isThere(observeLink(snapshot), reached), { timeout: 30_000 }).catch(() => {});
    expect(observeLink(actor.getSnapshot()), `after ${name}`).toEqual(reached);

    if (reached.state !== seen.state) expectedEvents.push(...linkModel.announced(reached, name));
    // A second narrowing is a request of its own.
    const isAnother = reached.state !== seen.state || name === "a choice is made";
    if (isAnother) {
      const request = findLinkRequest(reached);
      open = request && (await next());
      if (request) expectedRequests.push(request);
    }
    seen = reached;
  }
  actor.stop();
  expect(requests).toEqual(expectedRequests);
  expect(emitted).toEqual(expectedEvents);
}

const isThere = (seen: SeenLink, expected: SeenLink): boolean =>
  seen.state === expected.state && seen.username === expected.username;
