import type { LoginSettings } from "ventanilla";
import { expect } from "vitest";
import type { InspectionEvent } from "xstate";
import type { HoldingBank, SeenRequest } from "../bank/holding-bank.ts";
import { type LoginCaseName, loginCase } from "./login-cases.ts";
import { beginLogin } from "./login-conversation.ts";
import { findLoginRequest, loginModel, observeLogin } from "./login-steps.ts";
import { follow } from "./model.ts";

/**
 * Takes a real login along a path: the person sends, the bank responds or hangs up, the time runs out. After each step the
 * login is in the state that the table says; at the end it has sent and emitted what the contract says, and nothing else.
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
  let seen = loginModel.start({ validate: false, ...settings });
  const expectedRequests: SeenRequest[] = [];
  const expectedEvents: object[] = [];
  for (const [index, name] of path.entries()) {
    beforeStep(index);
    seen = follow(loginModel, seen, name, settings);
    await lead(name);
    expect(observeLogin(actor.getSnapshot()), `after ${name}`).toEqual(seen);
    expectedEvents.push(...loginModel.announced(seen, name));
    const request = findLoginRequest(seen);
    if (request) expectedRequests.push(request);
  }
  actor.stop();
  expect(requests).toEqual(expectedRequests);
  expect(heard.map(withoutExpiry)).toEqual(expectedEvents);
}

// The time to answer has its own tests.
function withoutExpiry(event: object): object {
  return JSON.parse(JSON.stringify(event, (name, value) => (name === "expiresAt" ? undefined : value)));
}
