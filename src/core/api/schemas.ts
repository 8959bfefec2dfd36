import * as v from "valibot";
import type {
  AuthField,
  ProviderDetail,
  ProviderEntry,
  TransferDestination,
} from "../../../machines/provider.types.ts";
import { isAnswerName } from "./input-checks.ts";
import { ANSWER_LIMIT, CLIENT_LIMIT, NAME_LIMIT } from "./limits.ts";

// The shapes of the contract, section 2, read tolerantly: unknown members are kept, and what a login does not need may be
// absent, null or malformed, which is read as absent. Names are those of the wire.

const optionalText = v.fallback(v.nullish(v.string()), undefined);
const country = v.fallback(v.nullish(v.string(), ""), "");
/** What is sent back: a byte of it that could not be decoded would be another key, bank or choice. */
const sentBack = v.pipe(
  v.string(),
  v.check((text) => !text.includes("\u{fffd}")),
);
export const sentName = v.pipe(sentBack, v.nonEmpty());
const label = { label_en: optionalText, label_es: optionalText };

const flags: readonly (readonly [boolean, readonly unknown[]])[] = [
  [true, [true, "true", 1]],
  [false, [false, "false", 0]],
];

/** A boolean, also as a text or a number. `undefined` if it can't be read. */
const flag = v.pipe(
  v.nullish(v.unknown(), false),
  v.transform((sent) => {
    const value = typeof sent === "string" ? sent.toLowerCase() : sent;
    return flags.find(([, forms]) => forms.includes(value))?.[0];
  }),
);

const value = v.union([sentBack, v.pipe(v.union([v.number(), v.boolean()]), v.transform(String))]);

export const providerEntry = v.looseObject({ code: sentName, country, name: v.string() }) satisfies v.GenericSchema<
  unknown,
  ProviderEntry
>;

const labelled = v.looseObject({ name: v.string(), ...label });
export const choice = v.looseObject({ ...labelled.entries, name: sentBack });
export const accountType = labelled;

const fieldMembers = {
  name: sentName,
  type: v.fallback(v.nullish(v.string(), "text"), ""),
  interactive: flag,
  optional: flag,
  ...label,
  default: v.fallback(v.nullish(value), undefined),
};

/**
 * If it can't be read whether a field is interactive, the first form shows it and lets it be left empty: no one who can log in is kept
 * from it.
 */
const settle = <Field extends Settled<boolean | undefined>>(field: Field): Field & Settled<boolean> => ({
  ...field,
  // What is typed as a password is hidden, whatever its type is.
  type: field.type || (field.name === "password" ? "password" : "text"),
  interactive: field.interactive ?? false,
  optional: field.interactive === undefined || (field.optional ?? false),
});

interface Settled<Flag> {
  name: string;
  type: string;
  interactive: Flag;
  optional: Flag;
}

export const authField = v.pipe(
  v.looseObject({ ...fieldMembers, choices: v.nullish(v.array(choice)) }),
  v.transform(settle),
) satisfies v.GenericSchema<unknown, AuthField>;

/** A field whose choices are read one by one. */
export const wireField = v.pipe(
  v.looseObject({ ...fieldMembers, choices: v.fallback(v.nullish(v.array(v.unknown())), undefined) }),
  v.transform(settle),
);

// Beyond the contract.
export const endpointsStatus = v.object({ prod: v.array(v.unknown()) });
export const loginStatus = v.object({ endpoint: v.pipe(v.string(), v.regex(/^\/?login\/?$/)), status: v.string() });

// Beyond the contract. Without transfers there are no recipients.
const methods = v.looseObject({ transfers: v.fallback(v.optional(v.boolean()), undefined) });

const providerMembers = {
  name: v.fallback(v.nullish(v.string(), ""), ""),
  country,
  logo: optionalText,
  methods: v.fallback(v.nullish(methods), undefined),
};

export const providerDetail = v.looseObject({
  ...providerMembers,
  auth_fields: v.array(authField),
  account_type: v.nullish(v.array(accountType), []),
  /** Not of the wire's `provider`: the status beside it, if that is another than `success` (contract, section 2.2). */
  state: v.optional(v.string()),
}) satisfies v.GenericSchema<unknown, ProviderDetail>;

const digits = v.pipe(v.string(), v.digits(), v.transform(Number));
export const transferDestination = v.looseObject({
  id: v.pipe(v.union([v.number(), digits]), v.safeInteger()),
  name: v.string(),
}) satisfies v.GenericSchema<unknown, TransferDestination>;

// A list can be long, and a bad element is skipped: the elements are read one by one.
const list = v.array(v.unknown());
export const providersBody = v.object({ providers: list });
export const providerBody = v.object({
  provider: v.looseObject({
    ...providerMembers,
    auth_fields: list,
    account_type: v.fallback(v.nullish(list, []), []),
  }),
});
export const destinationsBody = v.object({ destinations: list });
// Not `v.record`: it drops a client whose id is `constructor`.
const clients = v.custom<Record<string, unknown>>((sent) => typeof sent === "object" && sent !== null, "Object");
export const clientsBody = v.object({ clients: v.pipe(clients, v.maxEntries(CLIENT_LIMIT)) });
export const clientEntry = v.object({ id: v.pipe(sentBack, v.maxLength(NAME_LIMIT)), name: v.string() });

export const keyBody = v.object({ key: v.nullish(sentName) });

const withText = v.pipe(
  v.looseObject({ text: v.string() }),
  v.transform(({ text }) => text),
);
// A bad name is skipped.
const answerName = v.pipe(sentName, v.maxLength(NAME_LIMIT), v.check(isAnswerName));
const isAnswerField = (sent: unknown): sent is string => v.is(answerName, sent);
const answerNames = v.pipe(
  v.unknown(),
  v.transform((sent) => [...new Set([sent].flat().filter(isAnswerField))].slice(0, ANSWER_LIMIT)),
);
export const interactionBody = v.object({
  context: v.fallback(v.nullish(v.union([v.string(), withText]), ""), ""),
  field: v.optional(answerNames, []),
});

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** What the record of a relay counts of an interaction. */
export const countedBody = v.object({
  number: v.pipe(count, v.minValue(1)),
  repeat: v.optional(v.boolean(), false),
  answers_sent: v.optional(count, 0),
  confirmations_sent: v.optional(count),
  approval_sent: v.optional(v.boolean()),
  time_left: v.pipe(v.number(), v.minValue(0)),
});
