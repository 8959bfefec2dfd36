import { getStateNodes } from "@xstate/graph";
import { createBankClient, createLinkMachine, createLoginMachine } from "ventanilla";
import { linkMachine } from "ventanilla/machines/link";
import { loginMachine } from "ventanilla/machines/login";
import { describe, expect, test } from "vitest";
import type { AnyStateMachine } from "xstate";

const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" });
const machines: [string, AnyStateMachine, string][] = [
  [
    "login",
    createLoginMachine(client),
    "awaitingInteraction failed idle loggedIn replacingSession selectClient selectClient.choosing selectClient.listing " +
      "selectClient.resting selectClient.selecting submitting",
  ],
  [
    "link",
    createLinkMachine(client),
    "cancelled choosingProvider failed linked loadingDestinations loadingFields loadingProviders loggingIn " +
      "loggingIn.active loggingIn.narrowing loggingIn.stale starting",
  ],
];

describe.each(machines)("the %s statechart", (id, machine, states) => {
  test("has the states of the design and no others", () => {
    expect(machine.id).toBe(id);
    const paths = getStateNodes(machine).map(({ path }) => path.join("."));
    expect(paths.sort().join(" ")).toBe(states);
  });
});

test("a client has one statechart of each kind, and another client another", () => {
  const other = createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" });
  expect(createLoginMachine(client)).toBe(createLoginMachine(client));
  expect(createLinkMachine(client)).toBe(createLinkMachine(client));
  expect(createLoginMachine(other)).not.toBe(createLoginMachine(client));
  expect(createLinkMachine(other)).not.toBe(createLinkMachine(client));
});

test("the statecharts themselves hold no client", () => {
  expect(loginMachine.implementations.actors).toEqual({});
  expect(linkMachine.implementations.actors).toEqual({});
});
