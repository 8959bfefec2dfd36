import type { BankLogin } from "./bank-login.ts";

/** The attributes of `<bank-login>` whose properties have another name. */
export interface BankLoginAttributes {
  readonly "client-selection"?: boolean | "";
  readonly "session-replacement"?: boolean | "";
  readonly "dependent-choices"?: boolean | "";
  readonly "answer-timeout"?: number | string;
  readonly "remote-logos"?: boolean | "";
}

/** The properties of `<bank-login>`. */
export type BankLoginProperties = Partial<
  Pick<
    BankLogin,
    | "relay"
    | "provider"
    | "country"
    | "locale"
    | "theme"
    | "clientSelection"
    | "sessionReplacement"
    | "dependentChoices"
    | "destinations"
    | "answerTimeout"
    | "remoteLogos"
    | "texts"
    | "settings"
    | "client"
    | "inspect"
  >
>;
