/**
 * The login and the link flow as Angular signals. Peer: `@angular/core`.
 *
 * @packageDocumentation
 */

import { afterNextRender, computed, DestroyRef, inject, NgZone, type Signal, signal, untracked } from "@angular/core";
import type { Actor, AnyActorLogic, EventFrom, SnapshotFrom } from "xstate";
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
 * The view of a login at one bank; call it in an injection context, such as a field's initialiser. The login starts after the first render
 * in a browser, never on a server; destroying the component aborts the request. Works with and without zones.
 *
 * @param client read once. A function is called at the first render, so that it can read a required input.
 * @param options plain, or a function of signals if they change: the view follows their `provider`, `detail`, `locale`, `texts` and `username`.
 * @example
 * readonly provider = input.required<string>();
 * readonly view = injectLogin(inject(BANK_CLIENT), () => ({ provider: this.provider(), locale: "es" }));
 * // in the template: {{ view().state }}
 */
export function injectLogin(
  client: BankClient | (() => BankClient),
  options: LoginScreenOptions | (() => LoginScreenOptions),
): Signal<LoginView> {
  const current = computed(toFunction(options));
  const { snapshot, actor } = injectActor(() => createLoginActor(toFunction(client)(), current()));
  return computed(() => loginView(snapshot(), actor, current()));
}

/**
 * The view of the whole link flow, from the choice of a bank to its destinations (contract, section 1); call it in an injection context,
 * such as a field's initialiser. The flow starts after the first render in a browser, never on a server; destroying the component aborts
 * the request. Works with and without zones.
 *
 * @param client read once. A function is called at the first render, so that it can read a required input.
 * @param options plain, or a function of signals if they change: the view follows their `locale`, `texts` and `username`.
 * @example
 * readonly view = injectLink(inject(BANK_CLIENT), { settings: { clientSelection: true } });
 * // in the template: {{ view().state }}
 */
export function injectLink(
  client: BankClient | (() => BankClient),
  options: LinkScreenOptions | (() => LinkScreenOptions) = {},
): Signal<LinkView> {
  const current = computed(toFunction(options));
  const { snapshot, actor } = injectActor(() => createLinkActor(toFunction(client)(), current()));
  return computed(() => linkView(snapshot(), actor, current()));
}

/** An actor that runs from the first render in a browser until its component is destroyed. */
function injectActor<Logic extends AnyActorLogic>(create: () => Actor<Logic>) {
  const zone = inject(NgZone);
  const destroyRef = inject(DestroyRef);
  // Created when it is first read: a component has no inputs before.
  const actor = computed(() => untracked(create));
  const latest = signal<SnapshotFrom<Logic> | undefined>(undefined);
  afterNextRender(() => {
    actor().subscribe((snapshot) => latest.set(snapshot));
    // In the zone, the timer of a deadline would keep the application from becoming stable.
    zone.runOutsideAngular(() => actor().start());
    destroyRef.onDestroy(() => actor().stop());
  });
  return {
    snapshot: () => latest() ?? actor().getSnapshot(),
    actor: {
      getSnapshot: () => actor().getSnapshot(),
      send: (event: EventFrom<Logic>) => zone.runOutsideAngular(() => actor().send(event)),
    },
  };
}

function toFunction<Value extends object>(value: Value | (() => Value)): () => Value {
  return typeof value === "function" ? value : () => value;
}
