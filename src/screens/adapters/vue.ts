/**
 * The login and the link flow as Vue composables. Peers: `vue`, `@xstate/vue`.
 *
 * @packageDocumentation
 */

import { useSelector } from "@xstate/vue";
import { type ComputedRef, computed, type MaybeRefOrGetter, onBeforeUnmount, onMounted, type Ref, toValue } from "vue";
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
 * The view of a login at one bank; call it in `<script setup>`. The login starts when the component is mounted, never on a server;
 * unmounting aborts the request. The options may be a ref or a getter: the view follows their provider, detail, locale, texts and user name. The
 * client is read once; give the component another `key` to start again.
 *
 * @example
 * const view = useLogin(client, () => ({ provider: "test", locale: locale.value }));
 * // <CredentialForm v-if="view.state === 'idle'" :view="view" />
 */
export function useLogin(client: BankClient, options: MaybeRefOrGetter<LoginScreenOptions>): ComputedRef<LoginView> {
  const actor = createLoginActor(client, toValue(options));
  const snapshot = useMounted(actor);
  // Vue does not make a computed value reactive, so the session key in it stays a `Secret`.
  return computed(() => loginView(snapshot.value, actor, toValue(options)));
}

/**
 * The view of the whole link flow, from the choice of a bank to its destinations (contract, section 1); call it in `<script setup>`. The
 * flow starts when the component is mounted, never on a server; unmounting aborts the request. The options may be a ref or a getter: the
 * view follows their locale, texts and user name.
 *
 * @example
 * const view = useLink(client, { settings: { clientSelection: true } });
 * // <ProviderList v-if="view.state === 'choosingProvider'" :view="view" />
 */
export function useLink(client: BankClient, options: MaybeRefOrGetter<LinkScreenOptions> = {}): ComputedRef<LinkView> {
  const actor = createLinkActor(client, toValue(options));
  const snapshot = useMounted(actor);
  return computed(() => linkView(snapshot.value, actor, toValue(options)));
}

/** The snapshots of an actor that runs while the component is mounted. */
function useMounted<Logic extends AnyActorLogic>(actor: Actor<Logic>): Ref<SnapshotFrom<Logic>> {
  onMounted(() => actor.start());
  onBeforeUnmount(() => actor.stop());
  return useSelector(actor, (snapshot) => snapshot);
}
