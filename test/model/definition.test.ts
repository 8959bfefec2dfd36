import { createBankClient, createLinkMachine, createLoginMachine } from "ventanilla";
import { linkMachine } from "ventanilla/machines/link";
import { loginMachine } from "ventanilla/machines/login";
import { describe, expect, test } from "vitest";

const createClient = () => createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" });

// Their states: the types of test/types/right-use.ts, and the oracles.
describe.each([
  ["login", createLoginMachine, loginMachine],
  ["link", createLinkMachine, linkMachine],
] as const)("the %s statechart", (id, createMachine, machine) => {
  test("is one for each client", () => {
    const client = createClient();
    expect(createMachine(client).id).toBe(id);
    expect(createMachine(client)).toBe(createMachine(client));
    expect(createMachine(createClient())).not.toBe(createMachine(client));
  });

  test("itself holds no client", () => {
    expect(machine.implementations.actors).toEqual({});
  });
});
