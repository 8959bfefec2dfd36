import { linkMachine } from "../../machines/link.ts";
import type { BankClient } from "../api/client.ts";
import { linkActors } from "./link-actors.ts";

const machines = new WeakMap<BankClient, typeof linkMachine>();

/**
 * The link statechart on a client's requests: from the choice of a bank to where its session can transfer to
 * (contract, section 1). The same machine for the same client.
 *
 * @example
 * const actor = createActor(createLinkMachine(client), { input: {} });
 * actor.start();
 */
export function createLinkMachine(client: BankClient): typeof linkMachine {
  const machine = machines.get(client) ?? linkMachine.provide({ actors: linkActors(client) });
  machines.set(client, machine);
  return machine;
}
