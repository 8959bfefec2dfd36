import { type CredentialTexts, createCredentials, type ProviderDetail, type Secret, secret } from "../../index.ts";
import { credentialFields } from "../../login/form.ts";
import { checkCredentials } from "../../login/validation.ts";
import type { Output } from "../terminal/output.ts";
import { askField, isTerminal } from "../terminal/prompts.ts";
import type { KnownCredentials } from "./credentials-file.ts";

/** What a script left out. */
export interface Missing {
  readonly missing: readonly string[];
}

/**
 * The bank's form, filled in from what is known; a terminal is asked for the rest, and a script is told all that is missing.
 *
 * @throws {InputError} `unknown_field`, naming a field that the bank does not ask at the first login.
 */
export async function fillIn(
  provider: string,
  detail: ProviderDetail,
  known: KnownCredentials,
  { output, signal }: { output: Output; signal: AbortSignal },
): Promise<CredentialTexts | Missing> {
  const given = new Map<string, Secret>(Object.entries(known.fields));
  if (known.username) given.set("username", known.username);
  if (known.password) given.set("password", known.password);
  const missing: string[] = [];
  for (const field of credentialFields(detail, output.locale)) {
    if (given.has(field.name)) continue;
    if (isTerminal()) {
      const value = await askField(field, { output, signal });
      if (value) given.set(field.name, value);
    } else if (field.required && field.initial !== "") given.set(field.name, secret(field.initial));
    else if (field.required) missing.push(field.name);
  }
  const { username, password, ...fields } = Object.fromEntries(given);
  if (missing.length > 0 || !username || !password) return { missing };
  const form = { provider, username, password, fields };
  checkCredentials(detail, createCredentials(form));
  return form;
}
