/**
 * The login and the link flow as Solid accessors. Peers: `solid-js`, `@xstate/solid`.
 *
 * @packageDocumentation
 */

import { useActorRef } from "@xstate/solid";
import { type Accessor, createMemo, createSignal, onCleanup, untrack } from "solid-js";
import type { AnyActorRef, SnapshotFrom } from "xstate";
import type { BankClient } from "../../core/api/client.ts";
import { createLinkMachine } from "../../core/link/create-link-machine.ts";
import { createLoginMachine } from "../../core/login/create-login-machine.ts";
import { type LinkView, linkView } from "../../core/view/link-view.ts";
import { type LoginView, loginView } from "../../core/view/login-view.ts";
import { createActorOptions, type LinkScreenOptions, type LoginScreenOptions } from "../../core/view/screen-options.ts";

export type { LinkScreenOptions, LoginScreenOptions };

/**
 * The view of a login at one bank. Removing the component aborts the request; nothing is sent on a server. The view follows options that
 * are the component's props or an accessor; the client is read once.
 *
 * @example
 * const view = useLogin(client, { provider: "test", locale: "es" });
 * return <Show when={view().step === "loggedIn"}>…</Show>;
 */
export function useLogin(
  client: BankClient,
  options: LoginScreenOptions | Accessor<LoginScreenOptions>,
): Accessor<LoginView> {
  const current = toAccessor(options);
  const actor = useActorRef(
    createLoginMachine(client),
    untrack(() => createActorOptions(current())),
  );
  const snapshot = createSnapshotSignal(actor);
  return createMemo(() => loginView(snapshot(), actor, current()));
}

/**
 * The view of the whole link flow, from the choice of a bank to its destinations (contract, section 1). Removing the component aborts the
 * request; nothing is sent on a server. The view follows options that are the component's props or an accessor; the client is read once.
 *
 * @example
 * const view = useLink(client, { settings: { clientSelection: true } });
 * return <section data-step={view().step}>…</section>;
 */
export function useLink(
  client: BankClient,
  options: LinkScreenOptions | Accessor<LinkScreenOptions> = {},
): Accessor<LinkView> {
  const current = toAccessor(options);
  const actor = useActorRef(
    createLinkMachine(client),
    untrack(() => createActorOptions(current())),
  );
  const snapshot = createSnapshotSignal(actor);
  return createMemo(() => linkView(snapshot(), actor, current()));
}

/** The snapshots of an actor. Not a store, which would wrap the secrets in proxies. */
function createSnapshotSignal<Running extends AnyActorRef>(actor: Running): Accessor<SnapshotFrom<Running>> {
  const [snapshot, setSnapshot] = createSignal<SnapshotFrom<Running>>(actor.getSnapshot());
  const { unsubscribe } = actor.subscribe((next) => setSnapshot(() => next));
  onCleanup(unsubscribe);
  return snapshot;
}

function toAccessor<Options extends object>(options: Options | Accessor<Options>): Accessor<Options> {
  return typeof options === "function" ? options : () => options;
}
