import { createActor, type InspectionEvent } from "xstate";
import type { LinkSettings } from "../../../machines/link.types.ts";
import type { LoginSettings } from "../../../machines/login.types.ts";
import { type BankClient, isRelayClient } from "../api/client.ts";
import { createLinkMachine } from "../link/create-link-machine.ts";
import { createLoginMachine } from "../login/create-login-machine.ts";
import { guardInspection } from "../login/guarded-inspection.ts";
import { findPageStorage, keepLogin, type LoginStorage } from "./kept-login.ts";
import type { LinkViewOptions } from "./link-view.ts";
import type { LoginViewOptions } from "./login-view.ts";

interface ActorOptions<Settings> {
  /** The settings of the flow; read once, when the screen opens. Default: those of the contract. */
  readonly settings?: Settings | undefined;
  /** Gets the statechart's events; read once, when the screen opens. Secrets in them are opaque. Default none. */
  readonly inspect?: ((event: InspectionEvent) => void) | undefined;
  /**
   * Where the login is kept while the bank asks, so that it survives a reload of its page; read once, when the screen opens. No
   * credentials and no answer are in it. It needs a relay with `readUser`. `false`: nowhere. Default: `sessionStorage`, if there is one and the client is that of a relay.
   */
  readonly keep?: LoginStorage | false | undefined;
  /**
   * The account of the person who is signed in to the page, such as its id: a kept login shows to this account alone; read once, when the screen
   * opens. Default none: whoever uses the tab next sees the question. `forgetKeptLogins()` ends it at sign-out.
   */
  readonly account?: string | undefined;
}

/** The options of a login in the adapters of the UI frameworks. */
export interface LoginScreenOptions extends LoginViewOptions, ActorOptions<LoginSettings> {}

/** The options of a link flow in the adapters of the UI frameworks. */
export interface LinkScreenOptions extends LinkViewOptions, ActorOptions<LinkSettings> {}

/** The actor of a login's screen. Once it is started, it goes on where its page was left. */
export function createLoginActor(client: BankClient, options: LoginScreenOptions) {
  const actor = createActor(createLoginMachine(client), createActorOptions(options));
  keepLogin(actor, client, {
    storage: findStorage(client, options),
    provider: options.provider,
    account: options.account,
  });
  return actor;
}

/** The same of a link flow. */
export function createLinkActor(client: BankClient, options: LinkScreenOptions) {
  const actor = createActor(createLinkMachine(client), createActorOptions(options));
  keepLogin(actor, client, {
    storage: findStorage(client, options),
    provider: options.settings?.provider,
    account: options.account,
  });
  return actor;
}

/** The settings are copied, because reactive ones could change during a login. */
function createActorOptions<Settings extends LoginSettings>({ settings, inspect }: ActorOptions<Settings>) {
  return { input: { ...settings } as Settings, ...(inspect && { inspect: guardInspection(inspect) }) };
}

/** A service itself seals no credentials into its keys: after a reload its question could not be answered. */
function findStorage(client: BankClient, { keep }: ActorOptions<unknown>): LoginStorage | undefined {
  return (isRelayClient(client) && (keep ?? findPageStorage())) || undefined;
}
