import type { InspectionEvent } from "xstate";
import type { LoginSettings } from "../../machines/login.types.ts";
import { guardInspection } from "../login/guarded-inspection.ts";
import type { LoginViewOptions } from "./login-view.ts";

/** What the adapters of the UI frameworks take for a login. */
export interface LoginScreenOptions extends LoginViewOptions {
  /** How the login behaves; taken once, when the screen opens. Default: by the contract. */
  readonly settings?: LoginSettings;
  /** Sees the statechart's events; taken once, when the screen opens. Secrets in them are opaque. Default none. */
  readonly inspect?: (event: InspectionEvent) => void;
}

/** The actor options that a screen asks for. The settings are copied: reactive ones would go on changing under a login. */
export function actorOptions<Settings extends LoginSettings>({
  settings,
  inspect,
}: {
  readonly settings?: Settings;
  readonly inspect?: (event: InspectionEvent) => void;
}) {
  return { input: { ...settings } as Settings, ...(inspect && { inspect: guardInspection(inspect) }) };
}
