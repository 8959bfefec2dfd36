import * as v from "valibot";
import { CLIENT_LIMIT, NAME_LIMIT } from "./limits.ts";
import { wholeRecord } from "./whole-record.ts";

// The shapes of the contract, section 2, read tolerantly: unknown members are kept, and what a login does not need may be
// absent or null. Names are those of the wire.

const label = { label_en: v.nullish(v.string()), label_es: v.nullish(v.string()) };

export const providerEntry = v.looseObject({
  code: v.string(),
  country: v.nullish(v.string(), ""),
  name: v.string(),
});

const choice = v.looseObject({ name: v.string(), ...label });

const authField = v.looseObject({
  name: v.string(),
  type: v.nullish(v.string(), "text"),
  interactive: v.nullish(v.boolean(), false),
  optional: v.nullish(v.boolean(), false),
  ...label,
  choices: v.nullish(v.array(choice)),
  default: v.nullish(v.string()),
});

const accountType = v.looseObject({ name: v.string(), ...label });

export const providerDetail = v.looseObject({
  name: v.string(),
  country: v.nullish(v.string(), ""),
  auth_fields: v.array(authField),
  account_type: v.nullish(v.array(accountType), []),
  logo: v.nullish(v.string()),
});

export const transferDestination = v.looseObject({ id: v.pipe(v.number(), v.safeInteger()), name: v.string() });

// A list can be long: its elements are read one by one.
export const providersBody = v.object({ providers: v.array(v.unknown()) });
export const providerBody = v.object({ provider: providerDetail });
export const destinationsBody = v.object({ destinations: v.array(v.unknown()) });
export const clientsBody = v.object({
  clients: v.pipe(
    wholeRecord(v.string(), CLIENT_LIMIT),
    v.check((clients) => Object.keys(clients).every(({ length }) => length <= NAME_LIMIT)),
  ),
});

export const keyBody = v.object({ key: v.nullish(v.pipe(v.string(), v.nonEmpty())) });
export const interactionBody = v.object({
  context: v.nullish(v.string()),
  field: v.pipe(v.string(), v.nonEmpty(), v.maxLength(NAME_LIMIT)),
});

/**
 * A bank as the list shows it (contract, section 2.1). `country` is empty if the service sends none. Unknown members of
 * the response are kept.
 */
export type ProviderEntry = v.InferOutput<typeof providerEntry>;
/**
 * What a bank asks at the login (contract, section 2.2). Unknown members of the response are kept. If the service sends
 * none, `country` is empty and `account_type` an empty list.
 */
export type ProviderDetail = v.InferOutput<typeof providerDetail>;
/**
 * A field of a bank's login form (contract, section 2.2); `choices` can come with any `type`. If the service does not say,
 * `type` is `text`, and the field is neither `interactive` nor `optional`.
 */
export type AuthField = v.InferOutput<typeof authField>;
/** One value of a field with choices: `name` is sent, a label is shown. Beyond the contract. */
export type FieldChoice = v.InferOutput<typeof choice>;
/** A kind of account that the bank operates with (contract, section 2.2): `pers`, `corp`, `smes`, or one not known here. */
export type AccountType = v.InferOutput<typeof accountType>;
/** An institution that a session can transfer to (contract, section 2.4). */
export type TransferDestination = v.InferOutput<typeof transferDestination>;
