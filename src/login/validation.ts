import type { Credentials } from "../../machines/login.types.ts";
import { InputError } from "../api/errors.ts";
import type { ProviderDetail } from "../api/schemas.ts";

/**
 * Checks the names of the credentials against the provider's fields (contract, section 2.2), without revealing values.
 *
 * @throws {InputError} `missing_field` or `unknown_field`, naming the field.
 */
export function checkCredentials(provider: ProviderDetail, { fields }: Credentials): void {
  const listed = provider.auth_fields.filter(({ name, interactive }) => !interactive && name !== "provider");
  const missing = listed.find((field) => !field.optional && !Object.hasOwn(fields, field.name));
  if (missing) throw new InputError("missing_field", { field: missing.name });
  // Every bank requires these two (contract, section 4.1), even if it does not list them.
  const known = new Set(["username", "password", ...listed.map((field) => field.name)]);
  const unknown = Object.keys(fields).find((name) => !known.has(name));
  if (unknown === undefined) return;
  const isLater = provider.auth_fields.some((field) => field.name === unknown);
  throw new InputError("unknown_field", {
    field: unknown,
    detail: isLater ? "is an answer: the bank asks for it after the login" : undefined,
  });
}
