import { InputError } from "./errors.ts";
import { keepValue } from "./reveal.ts";

/** What a secret prints and serialises as. */
export const MASK = "[secret]";

/**
 * A value that must not be seen: a username, a password, a form value, an answer, a session key, the API key. It prints
 * and serialises as `[secret]`, and a clone of it is empty, so that it can travel through events, snapshots and logs.
 */
class Secret {
  // Makes the type nominal: nothing but `secret()` yields a `Secret`.
  declare protected readonly brand: "Secret";

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

export type { Secret };

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
  const wrapped = new Secret();
  Object.freeze(wrapped);
  keepValue(wrapped, value);
  return wrapped;
}
