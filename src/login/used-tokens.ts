/**
 * Remembers which tokens were used. A `Set` covers one process; a shared one, such as a database table, several instances.
 */
export interface UsedTokens {
  /** Whether the token was used. */
  has(id: string): boolean | Promise<boolean>;
  /**
   * Takes note of a use; the note may be dropped at `expiresAt`. Return `false`, or the 0 of a database that counts rows, where
   * somebody else was faster.
   */
  add(id: string, expiresAt: Date): unknown;
}

/** Takes note of a token's use, and says whether it was the first. It throws what the store throws. */
export async function isFirstUse(
  tokens: UsedTokens,
  { id, expiresAt }: { id: string; expiresAt: Date },
): Promise<boolean> {
  const known = tokens.has(id);
  // Awaited only where there is something to await: between the two calls to a `Set` nobody else gets in.
  if (known === true || (known !== false && (await known))) return false;
  const added = await tokens.add(id, expiresAt);
  return added !== false && added !== 0;
}
