import { TOTP, Secret as TotpSecret, URI } from "otpauth";
import * as v from "valibot";
import { anyNameRecord } from "../../../core/api/any-name-record.ts";
import { BankError, type Secret, secret } from "../../../index.ts";
import { parseJson } from "../settings/config-file.ts";

const secretText: v.GenericSchema<string, Secret> = v.pipe(v.string(), v.nonEmpty(), v.transform(secret));
const secretsByField = anyNameRecord(secretText);

/** The members of a login's credentials, in a separate file or in a line of a batch. */
export const credentialMembers = {
  provider: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
  username: v.exactOptional(secretText),
  password: v.exactOptional(secretText),
  fields: v.optional(secretsByField, {}),
  answers: v.optional(secretsByField, {}),
  totp: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
  client: v.exactOptional(v.string()),
};

/** The credentials that a login has before any prompt. */
export interface KnownCredentials {
  readonly provider?: string;
  readonly username?: Secret;
  readonly password?: Secret;
  readonly fields: Readonly<Record<string, Secret>>;
  /** Answers that are always the same, such as to a personal question. */
  readonly answers: Readonly<Record<string, Secret>>;
  readonly totp?: () => Secret;
  readonly client?: string;
}

export function readCredentials(text: string, field: string): KnownCredentials {
  return prepareCredentials(parseJson(v.strictObject(credentialMembers), text, field), field);
}

export function prepareCredentials<Members extends { totp?: string }>(
  { totp, ...members }: Members,
  field: string,
): Omit<Members, "totp"> & { totp?: () => Secret } {
  return { ...members, ...(totp !== undefined && { totp: createCodes(totp, `${field}.totp`) }) };
}

/** Creates one-time codes from an `otpauth://totp/…` address, or from a secret in base32 with six digits every 30 seconds. */
function createCodes(text: string, field: string): () => Secret {
  let made: unknown;
  try {
    made = text.startsWith("otpauth:")
      ? URI.parse(text)
      : new TOTP({ secret: TotpSecret.fromBase32(text.replaceAll(/[\s-]/g, "")) });
  } catch {
    // The library's error repeats the secret.
  }
  if (!(made instanceof TOTP) || made.secret.bytes.length === 0) {
    throw new BankError("invalid_input", { field, detail: "must be an otpauth://totp address or a base32 secret" });
  }
  const totp = made;
  return () => secret(totp.generate());
}
