import type { Secret } from "../../../machines/login.types.ts";
import { BankError } from "./errors.ts";
import { keepValue } from "./reveal.ts";

/** What a secret prints and serialises as. */
export const MASK = "[secret]";

export type { Secret };

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
  keepValue(wrapped, value);
  return wrapped;
}

// A shorter value is a word of ordinary sentences.
const SHORTEST_MASKED = 6;

/**
 * The bank's text without the exact password, answer and keys of its request: a courtesy, not a promise. The person reads the rest as
 * the bank wrote it, user names included; logs, traces and errors never get such a text at all.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= SHORTEST_MASKED)
    .reduce((masked, value) => masked.replaceAll(value, MASK), text);
}
