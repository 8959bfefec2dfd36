import type { Secret } from "../../machines/login.types.ts";
import { InputError } from "./errors.ts";
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

  // Vue's reactive proxies would lose the identity that the value hangs on.
  get __v_skip(): true {
    return true;
  }
}

/**
 * Wraps a value. Do it where the value enters the program: in the submit handler of a form, beside the prompt.
 *
 * @param value any non-empty or empty text; it is kept to the letter.
 * @throws {InputError} `invalid_input` for anything but a string.
 * @example
 * actor.send({ type: "interaction.answer", answer: secret(input.value) });
 */
export function secret(value: string): Secret {
  if (typeof value !== "string") throw new InputError("invalid_input", { field: "secret", detail: "must be a string" });
  // The brand exists as a type alone, so that nothing else yields a `Secret`.
  const wrapped = Object.freeze(new OpaqueSecret()) as unknown as Secret;
  keepValue(wrapped, value);
  return wrapped;
}
