import type { Secret } from "../../../machines/login.types.ts";
import { BankError } from "./errors.ts";

// The values live here and nowhere else. A WeakMap keeps them out of JSON, structuredClone, `util.inspect` and devtools
// previews, and the garbage collector frees a value with its secret. The import rules list the files that may import this one;
// docs/security.md has the reasons.
const values = new WeakMap<object, string>();

/** What a secret prints and serialises as. */
export const MASK = "[secret]";

class OpaqueSecret {
  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.toPrimitive](): string {
    return MASK;
  }

  // Node's `util.inspect` and `console.log`.
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return MASK;
  }

  // A reactive proxy of Vue has another identity, which has no value.
  get __v_skip(): true {
    return true;
  }
}

/**
 * Wraps a value. Do it where the value enters the program: in the submit handler of a form, beside the prompt.
 *
 * @param value any text, empty or not; it is kept exactly.
 * @throws {BankError} `invalid_input` for anything but a string.
 * @example
 * actor.send({ type: "interaction.answer", answer: secret(input.value) });
 */
export function secret(value: string): Secret {
  if (typeof value !== "string") throw new BankError("invalid_input", { field: "secret", detail: "must be a string" });
  // The brand is only a type, so that nothing else is a `Secret`.
  const wrapped = Object.freeze(new OpaqueSecret()) as unknown as Secret;
  values.set(wrapped, value);
  return wrapped;
}

/**
 * Returns the value of a secret. Nothing else does. Call it where you store a session key, such as in an encrypted column. The
 * client takes secrets as they are.
 *
 * @throws {BankError} `secret_unavailable` if the object has lost its value, because it went through JSON, a
 * structured clone or another process.
 * @example
 * const outcome = await login(client, { … });
 * if (outcome.state === "loggedIn") await vault.store(reveal(outcome.key));
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
