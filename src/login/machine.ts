import { loginMachine } from "../../machines/login.ts";
import type { BankClient } from "../api/client.ts";
import { loginActors } from "./actors.ts";

const machines = new WeakMap<BankClient, typeof loginMachine>();
const clients = new WeakMap<object, BankClient>();

/**
 * The login statechart (interface.md, section 3) on a client's requests. The same machine for the same client.
 *
 * @example
 * const actor = createActor(loginMachineOf(client), { input: { clientSelection: true } });
 * actor.start();
 * actor.send({ type: "credentials.submit", credentials });
 */
export function loginMachineOf(client: BankClient): typeof loginMachine {
  // Providing costs more than a whole login does in the statechart, so it is done once.
  const machine = machines.get(client) ?? loginMachine.provide({ actors: loginActors(client) });
  machines.set(client, machine);
  clients.set(machine, client);
  return machine;
}

/** The client of a login statechart, where `loginMachineOf` made it. */
export function clientOf(machine: object): BankClient | undefined {
  return clients.get(machine);
}
