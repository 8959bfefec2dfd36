import type { Secret } from "../../machines/login.types.ts";
import { SecretError } from "./errors.ts";

// The values live here and nowhere else. A WeakMap keeps them out of JSON, structuredClone, `util.inspect` and devtools
// previews, and lets the garbage collector take a value as soon as nobody holds its secret. Who may import this file stands
// in the import rules, and in docs/security.md with the reasons.
const values = new WeakMap<object, string>();

/** Puts a value behind a secret; called once, by the secret's constructor. */
export function keepValue(secret: Secret, value: string): void {
  values.set(secret, value);
}

/**
 * The value behind a secret: the one door out. Call it where a session key leaves for a place of your own, such as an
 * encrypted column; the client takes secrets as they are.
 *
 * @throws {SecretError} `secret_unavailable` where the object is no secret any more, because it went through JSON, a
 * structured clone or another process.
 * @example
 * const outcome = await login(client, { … });
 * if (outcome.status === "logged_in") await vault.store(reveal(outcome.key));
 */
export function reveal(secret: Secret): string {
  const value = values.get(secret);
  if (value === undefined) throw new SecretError("secret_unavailable");
  return value;
}

/** Whether the value is a secret that can still be opened. */
export function isSecret(value: unknown): value is Secret {
  return typeof value === "object" && value !== null && values.has(value);
}
