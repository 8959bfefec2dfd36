/** The known word that a mistyped one is nearest to: one slip of the keyboard away, or two. More, and it is another word. */
export function findNearestWord(typed: string, known: readonly string[]): string | undefined {
  const isNear = (word: string, slips: number) => word.length >= slips + 2 && isWithin(slips, typed, word);
  return [0, 1, 2].map((slips) => known.find((word) => isNear(word, slips))).find((word) => word !== undefined);
}

/** Whether so many slips explain the difference: a letter too many, missing or wrong, or two letters swapped. */
function isWithin(slips: number, typed: string, word: string): boolean {
  if (typed === word) return true;
  if (typed[0] === word[0]) return isWithin(slips, typed.slice(1), word.slice(1));
  if (slips === 0) return false;
  const isSwapped = typed[0] === word[1] && typed[1] === word[0];
  return (
    isWithin(slips - 1, typed.slice(1), word) ||
    isWithin(slips - 1, typed, word.slice(1)) ||
    isWithin(slips - 1, typed.slice(1), word.slice(1)) ||
    (isSwapped && isWithin(slips - 1, typed.slice(2), word.slice(2)))
  );
}
