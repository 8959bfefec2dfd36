/** Where the draws of a run come from: a seed, or the list of an earlier run. After the end of a list each draw is 0. */
export type DrawSource = { readonly seed: number } | { readonly list: readonly number[] };

/** The decisions of a run. 0 is always the harmless one, so a run is a list of integers, and a shorter list is a smaller run. */
export class Draws {
  readonly made: number[] = [];
  /** From then on each decision is the harmless one, and none is kept. */
  isQuiet = false;
  readonly #list: readonly number[] | undefined;
  readonly #random: () => number;

  constructor(source: DrawSource) {
    this.#list = "list" in source ? source.list : undefined;
    this.#random = createRandom("seed" in source ? source.seed : 0);
  }

  /** An integer below the limit. @param share how many of all draws are not 0, from 0 to 1. */
  draw(limit: number, share = 1 - 1 / limit): number {
    if (this.isQuiet) return 0;
    const drawn = this.#list ? Math.min(this.#list[this.made.length] ?? 0, limit - 1) : this.#drawFresh(limit, share);
    this.made.push(drawn);
    return drawn;
  }

  #drawFresh(limit: number, share: number): number {
    const random = this.#random();
    return random >= share ? 0 : 1 + Math.floor((random / share) * (limit - 1));
  }
}

/** Random numbers from 0 to 1 that follow from a seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = (seed + 0x9e3779b9) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
