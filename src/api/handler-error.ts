import { Echoes } from "./echo.ts";
import { describeThrown, HandlerError } from "./errors.ts";
import { createFingerprints, type Fingerprint, findSent } from "./fingerprint.ts";
import { isSecret, reveal } from "./reveal.ts";

/** An error with more values is not searched. */
const VALUE_LIMIT = 1_000;

/**
 * The error for a function of the caller that threw. What it threw is the `cause`, unless it contains a secret or could contain one.
 *
 * @param field names the function.
 * @param secrets what the cause must not contain.
 */
export function createHandlerError(field: string, thrown: unknown, secrets: readonly Fingerprint[]): HandlerError {
  const details = { field, detail: describeThrown(thrown) };
  return new HandlerError("handler_failed", details, isFreeOf(thrown, new Echoes(secrets)) ? thrown : undefined);
}

/** The fingerprints of secrets, and of what was sent with them or with a client: an error must not show them. */
export function collectFingerprints(holders: readonly (object | undefined)[]): Fingerprint[] {
  return holders.flatMap((holder) => [
    ...(isSecret(holder) ? createFingerprints(reveal(holder), true) : []),
    ...findSent(holder),
  ]);
}

/** Whether a log of the whole thrown value would show no secret. False if that can't be decided. */
function isFreeOf(thrown: unknown, secrets: Echoes): boolean {
  const queue: unknown[] = [thrown];
  const seen = new Set<unknown>();
  try {
    for (const value of queue) {
      if (queue.length > VALUE_LIMIT) return false;
      if (typeof value === "function") return false;
      if (typeof value !== "object" || value === null) {
        if (secrets.isIn(String(value))) return false;
      } else if (!isSecret(value) && !seen.has(value)) {
        seen.add(value);
        if (!isOrdinary(value)) return false;
        // An engine may have the stack as a getter; reading it also releases the frames that it is made of.
        if (value instanceof Error) queue.push(value.name, value.message, value.stack);
        for (const name of Reflect.ownKeys(value)) {
          const member = Reflect.getOwnPropertyDescriptor(value, name);
          if (name !== "stack" && member?.get) return false;
          queue.push(name, member?.value);
        }
      }
    }
    return true;
  } catch {
    // A getter or a proxy of the caller threw.
    return false;
  }
}

/** Whether a log of an object shows only its own members. */
function isOrdinary(value: object): boolean {
  if ("toJSON" in value || Symbol.for("nodejs.util.inspect.custom") in value) return false;
  const kind = Object.prototype.toString.call(value);
  return value instanceof Error || kind === "[object Object]" || kind === "[object Array]" || kind === "[object Error]";
}
