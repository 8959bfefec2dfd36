import { loginMachine } from "../../../machines/login.ts";
import type { BankClient } from "../api/client.ts";
import { checkClient } from "../api/input-checks.ts";
import { loginActors } from "./login-actors.ts";

// `provide` takes ten times as long as a login in the statechart, half a millisecond, and a batch calls `login()` for each row.
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
  const machine = machines.get(client) ?? loginMachine.provide({ actors: loginActors(client) });
  machines.set(client, machine);
  return machine;
}
