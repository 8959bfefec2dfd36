import type { LitElement } from "lit";
import type { BankLogin } from "./bank-login.ts";

/** The properties of `<bank-login>`. */
export type BankLoginProperties = Partial<Omit<BankLogin, keyof LitElement | "step" | "key" | "restart">>;

/** The attributes of `<bank-login>` whose properties have another name. */
export interface BankLoginAttributes {
  readonly "client-selection"?: boolean | "";
  readonly "skip-single-client"?: boolean | "";
  readonly "session-replacement"?: boolean | "";
  readonly "dependent-choices"?: boolean | "";
  readonly "answer-timeout"?: number | string;
  readonly "remote-logos"?: boolean | "";
  readonly "saved-logins"?: boolean | "";
  readonly "host-name"?: string;
  readonly "host-logo"?: string;
  readonly "continue-url"?: string;
}
