/**
 * Makes the list of draws of a broken run smaller, as long as it stays broken: cut, set to 0 in blocks, then made smaller one by one.
 *
 * @param isBroken runs a list.
 */
export async function shrink(
  draws: readonly number[],
  isBroken: (draws: readonly number[]) => Promise<boolean>,
  runs = 1_000,
): Promise<readonly number[]> {
  let best = draws;
  let left = runs;
  const attempt = async (candidate: readonly number[]): Promise<boolean> => {
    if (left-- <= 0 || !(await isBroken(candidate))) return false;
    best = candidate;
    return true;
  };
  for (let length = best.length >> 1; length > 0; length >>= 1) {
    while (best.length > length && (await attempt(best.slice(0, best.length - length)))) {}
  }
  for (let size = Math.max(1, best.length >> 1); size > 0; size >>= 1) {
    for (let from = 0; from < best.length; from += size) {
      const block = best.slice(from, from + size);
      if (block.every((drawn) => drawn === 0)) continue;
      await attempt([...best.slice(0, from), ...block.map(() => 0), ...best.slice(from + size)]);
    }
  }
  for (let index = 0; index < best.length; index += 1) {
    const drawn = best[index] ?? 0;
    for (let smaller = 1; smaller < drawn; smaller += 1) if (await attempt(best.with(index, smaller))) break;
  }
  return best.slice(0, best.findLastIndex((drawn) => drawn !== 0) + 1);
}
