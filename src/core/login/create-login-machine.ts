import { loginMachine } from "../../../machines/login.ts";
import type { BankClient } from "../api/client.ts";
import { checkClient } from "../api/input-checks.ts";
import { withCheckedRestore } from "./checked-restore.ts";
import { loginActors } from "./login-actors.ts";

const machines = new WeakMap<BankClient, typeof loginMachine>();

/**
 * The login statechart (contract, section 3) on a client's requests. Returns the same machine for the same client.
 *
 * @example
 * const actor = createActor(createLoginMachine(client), { input: { clientSelection: true } });
 * actor.start();
 * actor.send({ type: "credentials.submit", credentials });
 */
export function createLoginMachine(client: BankClient): typeof loginMachine {
  checkClient(client);
  // `provide` costs more than a whole login in the statechart, so it is called once per client.
  const machine = machines.get(client) ?? withCheckedRestore(loginMachine.provide({ actors: loginActors(client) }));
  machines.set(client, machine);
  return machine;
}
