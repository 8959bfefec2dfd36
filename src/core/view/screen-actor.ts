import { createActor, type InspectionEvent } from "xstate";
import type { LinkSettings } from "../../../machines/link.types.ts";
import type { LoginSettings } from "../../../machines/login.types.ts";
import { type BankClient, isRelayClient } from "../api/client.ts";
import { createLinkMachine } from "../link/create-link-machine.ts";
import { createLoginMachine, guardInspection } from "../login/create-login-machine.ts";
import { findPageStorage, keepLogin, type LoginStorage } from "./kept-login.ts";
import type { LinkViewOptions } from "./link-view.ts";
import type { LoginViewOptions } from "./login-view.ts";

interface ActorOptions<Settings> {
  /** The settings of the flow; read once, when the screen opens. Default: those of the contract. */
  readonly settings?: Settings | undefined;
  /** Gets the statechart's events; read once, when the screen opens. Secrets in them are opaque. Default none. */
  readonly inspect?: ((event: InspectionEvent) => void) | undefined;
  /**
   * Where the name of the login is kept, so that it survives a reload of its page; read once, when the screen opens. Nothing that was typed is in it. It needs a
   * relay with `readUser`, or an `account`. `false`: nowhere. Default: `sessionStorage`, if there is one and the client is that of a relay.
   */
  readonly keep?: LoginStorage | false | undefined;
  /**
   * The account of the person who is signed in to the page, such as its id: a kept login shows to this account alone; read once, when the screen
   * opens. Default none: the next person who uses the tab sees the question. `forgetKeptLogins()` ends it at sign-out.
   */
  readonly account?: string | undefined;
  /** Tells this screen from others of the page, so that each keeps a login of its own; read once, when the screen opens. Default: the bank, if the screen has only one. */
  readonly name?: string | undefined;
}

/** The options of a login in the adapters of the UI frameworks. */
export interface LoginScreenOptions extends LoginViewOptions, ActorOptions<LoginSettings> {}

/** The options of a link flow in the adapters of the UI frameworks. */
export interface LinkScreenOptions extends LinkViewOptions, ActorOptions<LinkSettings> {}

/** The actor of a login's screen. Once it is started, it goes on where its page was left. */
export function createLoginActor(client: BankClient, options: LoginScreenOptions) {
  const actor = createActor(createLoginMachine(client), createActorOptions(options));
  if (isRelayClient(client)) keepLogin(actor, client, { ...toPlace(options), provider: options.provider });
  return actor;
}

/** The same of a link flow. */
export function createLinkActor(client: BankClient, options: LinkScreenOptions) {
  const actor = createActor(createLinkMachine(client), createActorOptions(options));
  if (isRelayClient(client)) keepLogin(actor, client, { ...toPlace(options), provider: options.settings?.provider });
  return actor;
}

/** The settings are copied, because reactive ones could change during a login. */
function createActorOptions<Settings extends LoginSettings>({ settings, inspect }: ActorOptions<Settings>) {
  return { input: { ...settings } as Settings, ...(inspect && { inspect: guardInspection(inspect) }) };
}

/** Where a relay's login is kept. The service itself keeps none. */
const toPlace = ({ keep, account, name }: ActorOptions<unknown>) => ({
  storage: (keep ?? findPageStorage()) || undefined,
  account,
  name,
});
