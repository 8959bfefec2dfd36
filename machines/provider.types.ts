/**
 * A bank as the list shows it (contract, section 2.1). `country` is empty if the service sends none. Unknown members of the response are kept.
 */
export interface ProviderEntry {
  code: string;
  country: string;
  name: string;
  [member: string]: unknown;
}

/** One value of a field with choices: `name` is sent, a label is shown. Beyond the contract. */
export interface FieldChoice {
  name: string;
  label_en?: string | null | undefined;
  label_es?: string | null | undefined;
  [member: string]: unknown;
}

/**
 * A field of a bank's login form (contract, section 2.2); `choices` can come with any `type`. If the service does not say, `type` is `text`, and the field
 * is neither `interactive` nor `optional`.
 */
export interface AuthField extends FieldChoice {
  type: string;
  interactive: boolean;
  optional: boolean;
  choices?: FieldChoice[] | null | undefined;
  default?: string | null | undefined;
}

/** A kind of account that the bank operates with (contract, section 2.2): `pers`, `corp`, `smes`, or one not known here. */
export interface AccountType {
  name: string;
  label_en?: string | null | undefined;
  label_es?: string | null | undefined;
  [member: string]: unknown;
}

/**
 * What a bank asks at the login (contract, section 2.2). Unknown members of the response are kept. If the service sends none, `country` is empty and
 * `account_type` an empty list; `name` is then the code that was asked for. `state`, which the person should read before the form, is the status of the
 * response, if that is another than `success`, else what `endpoints_status` says of the login in production, unless that is well.
 */
export interface ProviderDetail {
  name: string;
  country: string;
  auth_fields: AuthField[];
  account_type: AccountType[];
  logo?: string | null | undefined;
  methods?: { transfers?: boolean | undefined; [member: string]: unknown } | null | undefined;
  state?: string | undefined;
  [member: string]: unknown;
}

/** An institution that a session can transfer to (contract, section 2.4). */
export interface TransferDestination {
  id: number;
  name: string;
  [member: string]: unknown;
}
