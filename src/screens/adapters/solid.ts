/**
 * The login and the link flow as Solid accessors. Peer: `solid-js`.
 *
 * @packageDocumentation
 */

import { type Accessor, createMemo, createSignal, onCleanup, onMount, untrack } from "solid-js";
import type { AnyActor, SnapshotFrom } from "xstate";
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
 * The view of a login at one bank. Removing the component aborts the request; nothing is sent on a server. The view follows options that
 * are the component's props or an accessor; the client is read once.
 *
 * @example
 * const view = useLogin(client, { provider: "test", locale: "es" });
 * return <Show when={view().state === "loggedIn"}>…</Show>;
 */
export function useLogin(
  client: BankClient,
  options: LoginScreenOptions | Accessor<LoginScreenOptions>,
): Accessor<LoginView> {
  const current = toAccessor(options);
  const actor = untrack(() => createLoginActor(client, current()));
  const snapshot = useMounted(actor);
  return createMemo(() => loginView(snapshot(), actor, current()));
}

/**
 * The view of the whole link flow, from the choice of a bank to its destinations (contract, section 1). Removing the component aborts the
 * request; nothing is sent on a server. The view follows options that are the component's props or an accessor; the client is read once.
 *
 * @example
 * const view = useLink(client, { settings: { clientSelection: true } });
 * return <section data-state={view().state}>…</section>;
 */
export function useLink(
  client: BankClient,
  options: LinkScreenOptions | Accessor<LinkScreenOptions> = {},
): Accessor<LinkView> {
  const current = toAccessor(options);
  const actor = untrack(() => createLinkActor(client, current()));
  const snapshot = useMounted(actor);
  return createMemo(() => linkView(snapshot(), actor, current()));
}

/** The snapshots of an actor that runs while the component is mounted. Not a store, which would wrap the secrets in proxies. */
function useMounted<Running extends AnyActor>(actor: Running): Accessor<SnapshotFrom<Running>> {
  const [snapshot, setSnapshot] = createSignal<SnapshotFrom<Running>>(actor.getSnapshot());
  onMount(() => {
    actor.subscribe((next) => setSnapshot(() => next));
    actor.start();
    onCleanup(() => actor.stop());
  });
  return snapshot;
}

function toAccessor<Options extends object>(options: Options | Accessor<Options>): Accessor<Options> {
  return typeof options === "function" ? options : () => options;
}
