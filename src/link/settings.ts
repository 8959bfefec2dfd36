import type { LoginSettings } from "../login/settings.ts";

/** How a link behaves; the defaults keep to the contract. Plain data, fit for JSON. */
export interface LinkSettings extends LoginSettings {
  /** The code of the bank, where it is known already: the flow begins with its fields, and no other can be chosen. Default: the person chooses. */
  readonly provider?: string;
  /** List where the session can transfer to before the flow ends. Default true. */
  readonly destinations?: boolean;
  /**
   * Let `choices.narrow` ask the bank which choices a chosen value leaves in the fields that depend on it. Beyond the
   * contract (`GET /provider/{code}/?key=<field>&value=<chosen>`). Default false: every choice is offered.
   */
  readonly dependentChoices?: boolean;
}
