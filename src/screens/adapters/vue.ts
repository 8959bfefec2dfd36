/**
 * The login and the link flow as Vue composables. Peers: `vue`, `@xstate/vue`.
 *
 * @packageDocumentation
 */

import { useActor } from "@xstate/vue";
import { type ComputedRef, computed, type MaybeRefOrGetter, toValue } from "vue";
import type { BankClient } from "../../core/api/client.ts";
import { createLinkMachine } from "../../core/link/create-link-machine.ts";
import { createLoginMachine } from "../../core/login/create-login-machine.ts";
import { type LinkView, linkView } from "../../core/view/link-view.ts";
import { type LoginView, loginView } from "../../core/view/login-view.ts";
import { createActorOptions, type LinkScreenOptions, type LoginScreenOptions } from "../../core/view/screen-options.ts";

export type { LinkScreenOptions, LoginScreenOptions };

/**
 * The view of a login at one bank; call it in `<script setup>`. The login starts when the component is mounted, never on a server;
 * unmounting aborts the request. The options may be a ref or a getter: the view follows their provider, detail, locale and user name. The
 * client is read once; give the component another `key` to start again.
 *
 * @example
 * const view = useLogin(client, () => ({ provider: "test", locale: locale.value }));
 * // <CredentialForm v-if="view.step === 'enteringCredentials'" :view="view" />
 */
export function useLogin(client: BankClient, options: MaybeRefOrGetter<LoginScreenOptions>): ComputedRef<LoginView> {
  const { snapshot, actorRef } = useActor(createLoginMachine(client), createActorOptions(toValue(options)));
  // Vue does not make a computed value reactive, so the session key in it stays a `Secret`.
  return computed(() => loginView(snapshot.value, actorRef, toValue(options)));
}

/**
 * The view of the whole link flow, from the choice of a bank to its destinations (contract, section 1); call it in `<script setup>`. The
 * flow starts when the component is mounted, never on a server; unmounting aborts the request. The options may be a ref or a getter: the
 * view follows their locale and user name.
 *
 * @example
 * const view = useLink(client, { settings: { clientSelection: true } });
 * // <ProviderList v-if="view.step === 'choosingProvider'" :view="view" />
 */
export function useLink(client: BankClient, options: MaybeRefOrGetter<LinkScreenOptions> = {}): ComputedRef<LinkView> {
  const { snapshot, actorRef } = useActor(createLinkMachine(client), createActorOptions(toValue(options)));
  return computed(() => linkView(snapshot.value, actorRef, toValue(options)));
}
