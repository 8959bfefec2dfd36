import { MASK } from "./reveal.ts";

// What everybody may import of secrets: not what opens them.
export type { Secret } from "../../../machines/login.types.ts";
export { MASK, secret } from "./reveal.ts";

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
