import type { InspectionEvent } from "xstate";
import type { LinkSettings } from "../../../machines/link.types.ts";
import type { LoginSettings } from "../../../machines/login.types.ts";
import { guardInspection } from "../login/guarded-inspection.ts";
import type { LinkViewOptions } from "./link-view.ts";
import type { LoginViewOptions } from "./login-view.ts";

interface ActorOptions<Settings> {
  /** The settings of the flow; read once, when the screen opens. Default: those of the contract. */
  readonly settings?: Settings | undefined;
  /** Gets the statechart's events; read once, when the screen opens. Secrets in them are opaque. Default none. */
  readonly inspect?: ((event: InspectionEvent) => void) | undefined;
}

/** The options of a login in the adapters of the UI frameworks. */
export interface LoginScreenOptions extends LoginViewOptions, ActorOptions<LoginSettings> {}

/** The options of a link flow in the adapters of the UI frameworks. */
export interface LinkScreenOptions extends LinkViewOptions, ActorOptions<LinkSettings> {}

/** The options of a screen's actor. The settings are copied, because reactive ones could change during a login. */
export function createActorOptions<Settings extends LoginSettings>({ settings, inspect }: ActorOptions<Settings>) {
  return { input: { ...settings } as Settings, ...(inspect && { inspect: guardInspection(inspect) }) };
}
