/**
 * The login and the link flow as Svelte stores. Peers: `svelte`, `@xstate/svelte`.
 *
 * @packageDocumentation
 */

import { useSelector } from "@xstate/svelte";
import { onMount } from "svelte";
import { derived, get, type Readable, readable } from "svelte/store";
import type { Actor, AnyActorLogic, SnapshotFrom } from "xstate";
import type { BankClient } from "../../core/api/client.ts";
import { type LinkView, linkView } from "../../core/view/link-view.ts";
import { type LoginView, loginView } from "../../core/view/login-view.ts";
import {
  createLinkActor,
  createLoginActor,
  type LinkScreenOptions,
  type LoginScreenOptions,
} from "../../core/view/screen-actor.ts";

/**
 * The view of a login at one bank; call it while the component is set up. Unmounting the component aborts the request. The client is read
 * once; put the component in a `{#key …}` block to start again.
 *
 * @param options plain, or a store if they change: the view follows their `provider`, `detail`, `locale`, `texts` and `username`.
 * @example
 * const view = useLogin(client, { provider: "test", locale: "es" });
 * // {#if $view.state === "awaitingInteraction"} … {/if}
 */
export function useLogin(
  client: BankClient,
  options: LoginScreenOptions | Readable<LoginScreenOptions>,
): Readable<LoginView> {
  const current = toStore(options);
  const actor = createLoginActor(client, get(current));
  return derived([useMounted(actor), current], ([snapshot, now]) => loginView(snapshot, actor, now));
}

/**
 * The view of the whole link flow, from the choice of a bank to its destinations (contract, section 1); call it while the component is
 * set up. Unmounting the component aborts the request.
 *
 * @param options plain, or a store if they change: the view follows their `locale`, `texts` and `username`.
 * @example
 * const view = useLink(client, { settings: { clientSelection: true } });
 * // {#if $view.state === "choosingProvider"} … {/if}
 */
export function useLink(
  client: BankClient,
  options: LinkScreenOptions | Readable<LinkScreenOptions> = {},
): Readable<LinkView> {
  const current = toStore(options);
  const actor = createLinkActor(client, get(current));
  return derived([useMounted(actor), current], ([snapshot, now]) => linkView(snapshot, actor, now));
}

/** The snapshots of an actor that runs while the component is mounted. */
function useMounted<Logic extends AnyActorLogic>(actor: Actor<Logic>): Readable<SnapshotFrom<Logic>> {
  // The binding's own `useActor` starts at once, on a server too, where nothing is mounted. Hot reload creates the component again, with
  // another actor, so no actor is ever stopped and started again.
  onMount(() => {
    actor.start();
    return () => actor.stop();
  });
  return useSelector(actor, (snapshot) => snapshot);
}

function toStore<Options extends object>(options: Options | Readable<Options>): Readable<Options> {
  return "subscribe" in options ? options : readable(options);
}
