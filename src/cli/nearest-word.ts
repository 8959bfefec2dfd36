// Two slips of the keyboard; more, and it is another word.
const MOST_SLIPS = 2;

/** The known word that a mistyped one is nearest to, where it is near at all. */
export function nearestWord(typed: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((word) => ({ word, slips: slipsBetween(typed, word) }))
    .filter(({ word, slips }) => slips <= Math.min(MOST_SLIPS, word.length - 2))
    .sort((one, other) => one.slips - other.slips);
  return ranked[0]?.word;
}

/** How many letters must be put in, taken out or replaced, or neighbours swapped, to make one word of the other. */
function slipsBetween(typed: string, word: string): number {
  // Longer by more than the slips that count: not looked at, whatever was pasted there.
  if (Math.abs(typed.length - word.length) > MOST_SLIPS) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: word.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= typed.length; row += 1) {
    rows[row] = [row];
    for (let column = 1; column <= word.length; column += 1) {
      const isSame = typed[row - 1] === word[column - 1];
      const isSwapped = typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1];
      (rows[row] as number[])[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(typed.length, word.length);
}
