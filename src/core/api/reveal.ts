import type { Secret } from "../../../machines/login.types.ts";
import { BankError } from "./errors.ts";

// The values live here and nowhere else. A WeakMap keeps them out of JSON, structuredClone, `util.inspect` and devtools
// previews, and the garbage collector frees a value with its secret. The import rules list the files that may import this one;
// docs/security.md has the reasons.
const values = new WeakMap<object, string>();

/** Puts a value behind a secret; called once, by the secret's constructor. */
export function keepValue(secret: Secret, value: string): void {
  values.set(secret, value);
}

/**
 * Returns the value of a secret. Nothing else does. Call it where you store a session key, such as in an encrypted column. The
 * client takes secrets as they are.
 *
 * @throws {BankError} `secret_unavailable` if the object has lost its value, because it went through JSON, a
 * structured clone or another process.
 * @example
 * const outcome = await login(client, { … });
 * if (outcome.status === "logged_in") await vault.store(reveal(outcome.key));
 */
export function reveal(secret: Secret): string {
  const value = values.get(secret);
  if (value === undefined) throw new BankError("secret_unavailable");
  return value;
}

/** Whether the value is a secret that can be revealed. */
export function isSecret(value: unknown): value is Secret {
  return values.has(value as object);
}
