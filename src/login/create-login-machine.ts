import { loginMachine } from "../../machines/login.ts";
import type { LoginActors } from "../../machines/login.types.ts";
import type { BankClient } from "../api/client.ts";
import { loginActors } from "./login-actors.ts";

const machines = new WeakMap<BankClient, typeof loginMachine>();
const clients = new WeakMap<object, Pick<BankClient, "baseUrl">>();

/**
 * The login statechart (contract, section 3) on a client's requests. The same machine for the same client.
 *
 * @example
 * const actor = createActor(createLoginMachine(client), { input: { clientSelection: true } });
 * actor.start();
 * actor.send({ type: "credentials.submit", credentials });
 */
export function createLoginMachine(client: BankClient): typeof loginMachine {
  // Providing costs more than a whole login does in the statechart, so it is done once.
  const machine = machines.get(client) ?? loginMachineWith(loginActors(client), client);
  machines.set(client, machine);
  return machine;
}

/** A login statechart whose requests another service takes to the bank, by that service's address. */
export function loginMachineWith(actors: LoginActors, service: Pick<BankClient, "baseUrl">): typeof loginMachine {
  const machine = loginMachine.provide({ actors });
  clients.set(machine, service);
  return machine;
}

/** What a login statechart sends its requests to, where it was made here. */
export function findClient(machine: object): Pick<BankClient, "baseUrl"> | undefined {
  return clients.get(machine);
}
