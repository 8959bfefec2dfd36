import { reveal } from "./reveal.ts";
import { MASK, type Secret } from "./secret.ts";

/** Clears a text of the service. */
export type Clear = (text: string) => string;

// A shorter value stands in too many innocent words: only where it stands alone is it taken for an echo.
const TELLING_LENGTH = 8;

// An engine's regular expressions have a size limit.
const PATTERN_LENGTH = 1024;
const NOTHING = "(?!)";

/**
 * Clears what the service says of what was just sent to it, plain or encoded: services have been known to echo, and their
 * texts go to screens and logs. Values of one or two characters stay, for they would turn any text into noise.
 */
export function clearOf(sent: readonly string[]): Clear {
  const forms = [...new Set(sent.filter((value) => value.length > 2).flatMap(formsOf))];
  if (forms.length === 0) return (text) => text;
  forms.sort((left, right) => right.length - left.length);
  const long = forms.filter(({ length }) => length > PATTERN_LENGTH);
  // One pattern for all the others, so that none is looked for in the mask of another.
  const echo = new RegExp(forms.slice(long.length).map(patternOf).join("|") || NOTHING, "gu");
  return (text) => {
    const cleared = long.reduce((part, form) => part.replaceAll(form, MASK), text).replace(echo, MASK);
    forgetLastMatch();
    return cleared;
  };
}

/** The same for values that are still concealed. */
export function withoutSecrets(text: string, sent: readonly Secret[]): string {
  return clearOf(sent.map(reveal))(text);
}

/** The same for a whole JSON value, names of members included. */
export function clearDeep(value: unknown, clear: Clear, depth = 0): unknown {
  // No description is worth a crash of the stack.
  if (depth > 20) return "[unreadable]";
  if (typeof value === "string") return clear(value);
  if (typeof value === "number") return clear(`${value}`) === `${value}` ? value : MASK;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => clearDeep(member, clear, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [clear(name), clearDeep(member, clear, depth + 1)]),
  );
}

/** The engine keeps the text of its last match, for `RegExp.$_`, until the next one. */
export function forgetLastMatch(): void {
  /^/.test("");
}

/** A value as it stands in a text, an address, a form and JSON. */
function formsOf(value: string): string[] {
  // Half a character stands in no address.
  if (/\p{Surrogate}/u.test(value)) return [value];
  const form = new URLSearchParams({ value }).toString().slice("value=".length);
  return [value, encodeURIComponent(value), form, JSON.stringify(value).slice(1, -1)];
}

function patternOf(form: string): string {
  const literal = form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return form.length < TELLING_LENGTH ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal;
}
