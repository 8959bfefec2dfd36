import type { LitElement } from "lit";
import type { BankLogin } from "./bank-login.ts";

/** The properties of `<bank-login>`. */
export type BankLoginProperties = Partial<Omit<BankLogin, keyof LitElement | "state" | "key" | "restart">>;

/** On, unless it is absent or `false`. */
type Flag = boolean | "" | "true" | "false";

/** The attributes of `<bank-login>` whose properties have another name. */
export interface BankLoginAttributes {
  readonly "client-selection"?: Flag;
  readonly "skip-single-client"?: Flag;
  readonly "session-replacement"?: Flag;
  readonly "dependent-choices"?: Flag;
  readonly "answer-timeout"?: number | string;
  readonly "remote-logos"?: Flag;
  readonly "saved-logins"?: Flag;
  readonly "host-name"?: string;
  readonly "host-logo"?: string;
  readonly "continue-url"?: string;
}
