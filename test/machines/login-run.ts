import type { LoginSettings } from "ventanilla";
import { expect } from "vitest";
import type { InspectionEvent } from "xstate";
import type { HoldingBank, SeenRequest } from "../bank/holding-bank.ts";
import { type LoginCaseName, loginCase } from "./login-cases.ts";
import { beginLogin } from "./login-conversation.ts";
import { announced, expectedLogin, findRequest, observeLogin } from "./login-facts.ts";
import { loginOracle } from "./login-oracle.ts";
import { follow } from "./oracle.ts";

/**
 * Takes a real login along a path: the person sends, the bank responds or hangs up, the time runs out. After each step the
 * login is in the state that the oracle says; at the end it has sent and emitted what the contract says, and nothing else.
 *
 * @param beforeStep called before each step, with its number from 0.
 */
export async function runLogin(
  bank: HoldingBank,
  settings: LoginSettings,
  path: readonly LoginCaseName[],
  inspect: (event: InspectionEvent) => void,
  beforeStep: (index: number) => void = () => {},
): Promise<void> {
  const isTimed = path.some((name) => loginCase(name).slot?.endsWith("Deadline"));
  const input = isTimed ? { ...settings, answerTimeout: 300_000 } : settings;
  const { actor, requests, heard, lead } = beginLogin(bank, input, inspect, "on demand");
  const oracle = loginOracle({ validate: false, ...settings });
  let facts = oracle.start;
  const expectedRequests: SeenRequest[] = [];
  const expectedEvents: object[] = [];
  for (const [index, name] of path.entries()) {
    beforeStep(index);
    const reached = follow(oracle, facts, name);
    await lead(name);
    expect(observeLogin(actor.getSnapshot()), `after ${name}`).toEqual(expectedLogin(reached));
    expectedEvents.push(...announced(name, reached));
    const request = findRequest(reached);
    if (request) expectedRequests.push(request);
    facts = reached;
  }
  actor.stop();
  expect(requests).toEqual(expectedRequests);
  expect(heard.map(withoutExpiry)).toEqual(expectedEvents);
}

// The time to answer has its own tests, and what a relay keeps.
function withoutExpiry(event: object): object {
  return JSON.parse(
    JSON.stringify(event, (name, value) => (["expiresAt", "isResumable"].includes(name) ? undefined : value)),
  );
}
