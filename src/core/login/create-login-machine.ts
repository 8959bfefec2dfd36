import type { InspectionEvent } from "xstate";
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

/**
 * Wraps an inspect function that may throw. XState calls it in the middle of a step, and an exception there would leave the
 * login waiting forever.
 *
 * @param thrown gets the error. Default: it is thrown again in a microtask, like the error of an event listener.
 */
export function guardInspection(
  inspect: (event: InspectionEvent) => void,
  thrown: (error: unknown) => void = (error) =>
    queueMicrotask(() => {
      throw error;
    }),
): (event: InspectionEvent) => void {
  return (event) => {
    try {
      inspect(event);
    } catch (error) {
      thrown(error);
    }
  };
}
