import { expect, test } from "vitest";
import { Draws } from "./draws.ts";
import { shrink } from "./shrink.ts";

test("a broken run shrinks to the draws that it needs, each as small as it can be", async () => {
  const draws = Array.from({ length: 400 }, (_, index) => index % 7);
  const isBroken = async (list: readonly number[]) => (list[33] ?? 0) > 2 && (list[120] ?? 0) > 0;
  const shrunk = await shrink(draws, isBroken);
  expect(shrunk).toHaveLength(121);
  expect(shrunk.flatMap((drawn, index) => (drawn === 0 ? [] : [[index, drawn]]))).toEqual([
    [33, 3],
    [120, 1],
  ]);
});

test("the draws of a seed are the same as those of its list, and 0 after the list's end", () => {
  const take = (draws: Draws) => Array.from({ length: 50 }, (_, index) => draws.draw(2 + (index % 5), 0.5));
  const seeded = new Draws({ seed: 4711 });
  expect(take(seeded)).toEqual(seeded.made);
  expect(take(new Draws({ list: seeded.made }))).toEqual(seeded.made);
  expect(take(new Draws({ list: [1] }))).toEqual([1, ...Array.from({ length: 49 }, () => 0)]);
});
