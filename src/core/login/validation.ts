import * as v from "valibot";
import type { LinkSettings } from "../../../machines/link.types.ts";
import type { Credentials, LoginSettings, SettableKind } from "../../../machines/login.types.ts";
import type { AuthField, ProviderDetail } from "../../../machines/provider.types.ts";
import type { BankClient } from "../api/client.ts";
import type { CallOptions } from "../api/client-options.ts";
import { BankError } from "../api/errors.ts";
import {
  createInputError,
  isAnswerName,
  type OptionParsers,
  optional,
  parseDuration,
  parseFlag,
  parseOptions,
  parseTime,
  parseValid,
  parseWholeNumber,
  unchecked,
} from "../api/input-checks.ts";
import type { InteractionRequired } from "../api/responses.ts";
import type { Secret } from "../api/secret.ts";
import { isOneOf } from "./credentials.ts";

/**
 * Compares the credentials with the provider's fields (contract, section 2.2): the names, and the values of fields with choices.
 *
 * @returns `missing_field` or `invalid_input`, naming the field.
 */
export function findFieldFault(
  provider: ProviderDetail,
  { fields }: Pick<Credentials, "fields">,
): BankError | undefined {
  const listed = provider.auth_fields.filter(({ name, interactive }) => !interactive && name !== "provider");
  const missing = listed.find((field) => !field.optional && !Object.hasOwn(fields, field.name));
  if (missing) return new BankError("missing_field", { field: missing.name });
  // Every bank requires these two (contract, section 4.1), even if it does not list them.
  const known = new Set(["username", "password", ...listed.map((field) => field.name)]);
  const unknown = Object.keys(fields).find((name) => !known.has(name));
  if (unknown !== undefined) {
    const isLater = provider.auth_fields.some((field) => field.name === unknown);
    const laterText = "is an answer: the bank asks for it after the login";
    return createInputError(unknown, isLater ? laterText : "is not a field of the bank");
  }
  const unlisted = listed.find((field) => !isChoice(field, fields[field.name]));
  return unlisted && createInputError(unlisted.name, "is none of the choices that the bank lists");
}

const isChoice = ({ choices }: AuthField, value: Secret | undefined): boolean =>
  value === undefined ||
  !choices?.length ||
  isOneOf(
    value,
    choices.map(({ name }) => name),
  );

/**
 * The bank has sent its code by the time that it asks for it: if the service does not name the field, it is the only interactive one
 * in the detail of the bank (contract, section 2.2).
 *
 * @throws {BankError} `response_against_contract` with the session's `key`, if there is not exactly one.
 */
export async function findOnlyField(
  client: BankClient,
  response: InteractionRequired,
  { provider, key }: { readonly provider: string; readonly key?: Secret | undefined },
  call: CallOptions,
): Promise<string> {
  const read = await client.getProvider(provider, call).catch(() => undefined);
  const fields = read?.status === "success" ? read.provider.auth_fields : [];
  const [asked, ...others] = fields.filter(({ name, interactive }) => interactive && isAnswerName(name));
  if (asked && others.length === 0) return asked.name;
  throw new BankError("response_against_contract", {
    request: "POST /login/",
    baseUrl: client.baseUrl,
    field: "field",
    key: response.key ?? key,
  });
}

const settableKinds = { code: "code", confirmation: "confirmation", question: "question" } as const satisfies {
  readonly [Kind in SettableKind]: Kind;
};

/** Kinds of interaction by the codes of banks and the names of fields. */
const interactionKindsSchema = v.record(v.string(), v.record(v.string(), v.enum(settableKinds)));

/** The settings of a login in a token or a message. @param amount reads a limit or a time there. */
export const createSettingsSchema = <Sent>(amount: v.GenericSchema<Sent, number>) =>
  v.object({
    validate: v.exactOptional(v.boolean()),
    clientSelection: v.exactOptional(v.boolean()),
    sessionReplacement: v.exactOptional(v.boolean()),
    interactionLimit: v.exactOptional(amount),
    repeatLimit: v.exactOptional(amount),
    answerTimeout: v.exactOptional(amount),
    deadline: v.exactOptional(amount),
    interactionKinds: v.exactOptional(interactionKindsSchema),
  } satisfies { readonly [Name in keyof LoginSettings]-?: unknown });

/** Settings as data for JSON: the deadline is a number. */
export function toPlainSettings({ deadline, ...settings }: LoginSettings) {
  return { ...settings, ...(deadline !== undefined && { deadline: Number(deadline) }) };
}

const parseLimit = optional((field: string, limit: number) =>
  limit === Number.POSITIVE_INFINITY ? limit : parseWholeNumber(field, limit),
);

/** The settings of a login, alone or within a link. */
const settingsParsers = {
  validate: parseFlag,
  clientSelection: parseFlag,
  sessionReplacement: parseFlag,
  interactionLimit: parseLimit,
  repeatLimit: parseLimit,
  answerTimeout: optional(parseDuration),
  deadline: optional(parseTime),
  interactionKinds: optional(
    parseValid(
      (kinds) => v.is(interactionKindsSchema, kinds),
      `must have one of ${Object.keys(settableKinds)} by bank and field`,
    ),
  ),
  provider: unchecked,
  destinations: parseFlag,
  dependentChoices: parseFlag,
} satisfies OptionParsers<LinkSettings>;

/**
 * Checks the settings of a login: a limit that is not a number would never be reached.
 *
 * @throws {BankError} `invalid_input`, naming the setting.
 */
export function checkSettings(settings: LinkSettings): void {
  parseOptions(settings, settingsParsers);
}
