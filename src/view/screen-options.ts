import type { InspectionEvent } from "xstate";
import type { LinkSettings } from "../../machines/link.types.ts";
import type { LoginSettings } from "../../machines/login.types.ts";
import { guardInspection } from "../login/guarded-inspection.ts";
import type { LinkViewOptions } from "./link-view.ts";
import type { LoginViewOptions } from "./login-view.ts";

/** @inline */
interface ActorOptions<Settings> {
  /** How it behaves; read once, when the screen opens. Default: by the contract. */
  readonly settings?: Settings;
  /** Sees the statechart's events; read once, when the screen opens. Secrets in them are opaque. Default none. */
  readonly inspect?: (event: InspectionEvent) => void;
}

/** What the adapters of the UI frameworks take for a login. */
export interface LoginScreenOptions extends LoginViewOptions, ActorOptions<LoginSettings> {}

/** What the adapters of the UI frameworks take for a link flow. */
export interface LinkScreenOptions extends LinkViewOptions, ActorOptions<LinkSettings> {}

/** The actor options that a screen asks for. The settings are copied: reactive ones would change during a login. */
export function createActorOptions<Settings extends LoginSettings>({ settings, inspect }: ActorOptions<Settings>) {
  return { input: { ...settings } as Settings, ...(inspect && { inspect: guardInspection(inspect) }) };
}
