import type { InspectionEvent } from "xstate";
import type { LinkSettings } from "../../machines/link.types.ts";
import type { LinkViewOptions } from "./link-view.ts";

/** What the adapters of the UI frameworks take for a link flow. */
export interface LinkScreenOptions extends LinkViewOptions {
  /** How the flow and its login behave; taken once, when the screen opens. Default: by the contract. */
  readonly settings?: LinkSettings;
  /** Sees the statechart's events; taken once, when the screen opens. Secrets in them are opaque. Default none. */
  readonly inspect?: (event: InspectionEvent) => void;
}
