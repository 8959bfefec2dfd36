/**
 * One name for one account at a bank, in whatever way it was typed: many banks ignore case, blanks, dots and dashes. The rate limit and the memory of
 * refusals both go by it.
 */
export function toAccountName(username: string): string {
  const typed = username.normalize("NFKC").toLowerCase();
  return typed.replace(/[^\p{L}\p{N}]/gu, "") || typed;
}
