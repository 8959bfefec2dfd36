import { Echoes } from "./echo.ts";
import { describeThrown, HandlerError } from "./errors.ts";
import { createFingerprints, type Fingerprint, findSent } from "./fingerprint.ts";
import { isSecret, reveal } from "./reveal.ts";

/** Values of a thrown error that are looked at. An error with more of them holds half a program. */
const VALUE_LIMIT = 1_000;

/**
 * The error of a function of the caller's that threw. What it threw is the `cause`, unless a secret stands in it, or may.
 *
 * @param field names the function.
 * @param secrets what must not stand in it.
 */
export function createHandlerError(field: string, thrown: unknown, secrets: readonly Fingerprint[]): HandlerError {
  const details = { field, detail: describeThrown(thrown) };
  const isShown = thrown !== undefined && thrown !== null && isFreeOf(thrown, new Echoes(secrets));
  return new HandlerError("handler_failed", details, isShown ? thrown : undefined);
}

/** What must not be shown of secrets, and of what was sent with them or with a client. */
export function collectFingerprints(holders: readonly (object | undefined)[]): Fingerprint[] {
  return holders.flatMap((holder) => [
    ...(isSecret(holder) ? createFingerprints(reveal(holder), true) : []),
    ...findSent(holder),
  ]);
}

/** Whether a log that shows all of a thrown value shows no secret. Where that can't be told, it is not. */
function isFreeOf(thrown: unknown, secrets: Echoes): boolean {
  const left: unknown[] = [thrown];
  const seen = new Set<unknown>();
  try {
    for (const value of left) {
      if (left.length > VALUE_LIMIT) return false;
      if (typeof value === "function") return false;
      if (typeof value !== "object" || value === null) {
        const text = typeof value === "symbol" ? value.description : value;
        if (secrets.isIn(String(text))) return false;
      } else if (!isSecret(value) && !seen.has(value)) {
        seen.add(value);
        if (!isOrdinary(value)) return false;
        // An engine may have the stack as a getter; reading it also releases the frames that it is made of.
        if (value instanceof Error) left.push(value.name, value.message, value.stack);
        for (const name of Reflect.ownKeys(value)) {
          const member = Reflect.getOwnPropertyDescriptor(value, name);
          if (name !== "stack" && member?.get) return false;
          left.push(name, member?.value);
        }
      }
    }
    return true;
  } catch {
    // A getter or a proxy of the caller's.
    return false;
  }
}

/** Whether it shows its own members and nothing else. */
function isOrdinary(value: object): boolean {
  if ("toJSON" in value || Symbol.for("nodejs.util.inspect.custom") in value) return false;
  const kind = Object.prototype.toString.call(value);
  return value instanceof Error || kind === "[object Object]" || kind === "[object Array]" || kind === "[object Error]";
}
