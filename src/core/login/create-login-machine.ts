import { loginMachine } from "../../../machines/login.ts";
import type { LoginActors } from "../../../machines/login.types.ts";
import type { BankClient } from "../api/client.ts";
import { loginActors } from "./login-actors.ts";

const machines = new WeakMap<BankClient, typeof loginMachine>();
const clients = new WeakMap<object, Pick<BankClient, "baseUrl">>();

/**
 * The login statechart (contract, section 3) on a client's requests. Returns the same machine for the same client.
 *
 * @example
 * const actor = createActor(createLoginMachine(client), { input: { clientSelection: true } });
 * actor.start();
 * actor.send({ type: "credentials.submit", credentials });
 */
export function createLoginMachine(client: BankClient): typeof loginMachine {
  // `provide` costs more than a whole login in the statechart, so it is called once per client.
  const machine = machines.get(client) ?? loginMachineWith(loginActors(client), client);
  machines.set(client, machine);
  return machine;
}

/** A login statechart with other actors, such as those of durable logins, and the address of their service. */
export function loginMachineWith(actors: LoginActors, service: Pick<BankClient, "baseUrl">): typeof loginMachine {
  const machine = loginMachine.provide({ actors });
  clients.set(machine, service);
  return machine;
}

/** The client of a login statechart that was created here. */
export function findClient(machine: object): Pick<BankClient, "baseUrl"> | undefined {
  return clients.get(machine);
}
