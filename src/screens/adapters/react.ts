/**
 * The login and the link flow as React hooks. Peers: `react`, `@xstate/react`.
 *
 * @packageDocumentation
 */

import { useSelector } from "@xstate/react";
import { useEffect, useMemo, useState } from "react";
import type { AnyActor } from "xstate";
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
 * The view of a login at one bank. Unmounting the component aborts the request. The client is read at the first render; give the
 * component another `key` to start again.
 *
 * @example
 * const view = useLogin(client, { provider: "test", locale: "es" });
 * switch (view.state) { … }
 */
export function useLogin(client: BankClient, options: LoginScreenOptions): LoginView {
  const { provider, detail, locale, texts, username, savedLogins } = options;
  const [actor, snapshot] = useMounted(() => createLoginActor(client, options));
  return useMemo(
    () => loginView(snapshot, actor, { provider, detail, locale, texts, username, savedLogins }),
    [snapshot, actor, provider, detail, locale, texts, username, savedLogins],
  );
}

/**
 * The view of the whole link flow, from the choice of a bank to its destinations (contract, section 1). Unmounting the component aborts
 * the request.
 *
 * @example
 * const view = useLink(client, { settings: { clientSelection: true } });
 * switch (view.state) { … }
 */
export function useLink(client: BankClient, options: LinkScreenOptions = {}): LinkView {
  const { locale, texts, username, savedLogins } = options;
  const [actor, snapshot] = useMounted(() => createLinkActor(client, options));
  return useMemo(
    () => linkView(snapshot, actor, { locale, texts, username, savedLogins }),
    [snapshot, actor, locale, texts, username, savedLogins],
  );
}

type SnapshotOf<Running> = Running extends { getSnapshot(): infer Snapshot } ? Snapshot : undefined;

/** An actor that runs while the component is mounted, and its snapshot. */
function useMounted<Running extends AnyActor>(create: () => Running): [Running, SnapshotOf<Running>] {
  const [current, setCurrent] = useState(() => ({ actor: create(), mounts: 0 }));
  const { actor } = current;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `create` is of the first render, like the client that is in it.
  useEffect(() => {
    // A hidden component is shown again. Its actor was stopped.
    if (actor.getSnapshot().status === "stopped") {
      setCurrent({ actor: create(), mounts: 0 });
      return;
    }
    current.mounts += 1;
    actor.start();
    return () => {
      current.mounts -= 1;
      // StrictMode and hot reload unmount and mount again at once: stopping and starting would send a login twice.
      queueMicrotask(() => current.mounts === 0 && actor.stop());
    };
  }, [current]);
  return [actor, useSelector(actor, (snapshot) => snapshot)];
}
