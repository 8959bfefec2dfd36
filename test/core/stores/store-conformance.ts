import type { Store } from "ventanilla/tokens";
import { expect } from "vitest";

const HOUR = 3_600_000;

/** Waits until the store has forgotten a text, by its own clock. */
const expires = (store: Store, id: string) => expect.poll(() => store.read(id)).toBeUndefined();

/**
 * What each store must do, by hand: as two instances see it. Each row has separate ids, because databases are shared by all rows.
 */
export const conformance: readonly (readonly [title: string, run: (one: Store, other: Store) => Promise<void>])[] = [
  [
    "gives an id without a text one, and keeps it",
    async (one, other) => {
      expect(await one.read("new:id")).toBeUndefined();
      expect(await one.swap("new:id", undefined, "first\nsecond ñ", HOUR)).toBe(true);
      expect(await other.swap("new:id", undefined, "another", HOUR)).toBe(false);
      expect(await other.read("new:id")).toBe("first\nsecond ñ");
      expect(await other.read("new")).toBeUndefined();
      expect(await other.swap("new:empty", undefined, "", HOUR)).toBe(true);
      expect(await one.swap("new:empty", undefined, "", HOUR)).toBe(false);
      expect(await one.read("new:empty")).toBe("");
    },
  ],
  [
    "swaps a text from the one that is there, and from no other",
    async (one, other) => {
      expect(await one.swap("from:id", "a", "b", HOUR)).toBe(false);
      expect(await one.read("from:id")).toBeUndefined();
      await one.swap("from:id", undefined, "a", HOUR);
      for (const wrong of ["", "A", "a ", "ab", "nil", "undefined"]) {
        expect(await other.swap("from:id", wrong, "b", HOUR)).toBe(false);
      }
      expect(await other.swap("from:id", "a", "b", HOUR)).toBe(true);
      expect(await one.swap("from:id", "a", "c", HOUR)).toBe(false);
      expect(await one.swap("from:id", "b", "b", HOUR)).toBe(true);
      expect(await one.swap("from:id", "b", "", HOUR)).toBe(true);
      expect(await other.swap("from:id", "", "a", HOUR)).toBe(true);
      expect(await one.read("from:id")).toBe("a");
    },
  ],
  [
    "forgets a text when its lifetime is over: then the id has none",
    async (one, other) => {
      await one.swap("expired:id", undefined, "a", 1);
      await expires(other, "expired:id");
      expect(await other.swap("expired:id", "a", "b", HOUR)).toBe(false);
      expect(await other.swap("expired:id", undefined, "b", HOUR)).toBe(true);
      expect(await one.swap("expired:id", undefined, "c", HOUR)).toBe(false);
      expect(await one.read("expired:id")).toBe("b");
    },
  ],
  [
    "counts the newest lifetime",
    async (one, other) => {
      await one.swap("lifetime:id", undefined, "a", 500);
      expect(await other.swap("lifetime:id", "a", "b", HOUR)).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 600));
      expect(await one.read("lifetime:id")).toBe("b");
      expect(await one.swap("lifetime:id", "b", "c", 1)).toBe(true);
      await expires(other, "lifetime:id");
    },
  ],
  [
    "lets one of two win that swap at once, each of 50 times",
    async (one, other) => {
      for (let round = 0; round < 50; round += 1) {
        let text: string | undefined;
        for (const texts of [
          ["a", "b"],
          ["c", "d"],
        ]) {
          const swaps = texts.map((next, number) => [one, other][number]?.swap(`race:${round}`, text, next, HOUR));
          const won = (await Promise.all(swaps)).flatMap((hasWon, number) => (hasWon ? [texts[number]] : []));
          expect({ round, won }).toEqual({ round, won: [await one.read(`race:${round}`)] });
          text = won[0];
        }
      }
    },
  ],
  [
    "lists the ids that begin with a prefix, by their characters' codes, up to a limit",
    async (one, other) => {
      expect(await one.list("list:", 10)).toEqual([]);
      const ids = ["list:b:2", "list:B:3", "list:10", "list:9", "list:a-b", "list:a_b", "list:a:b"];
      for (const id of [...ids, "list", "lists:a", "lis:a"]) await other.swap(id, undefined, "text", HOUR, true);
      const sorted = ["list:10", "list:9", "list:B:3", "list:a-b", "list:a:b", "list:a_b", "list:b:2"];
      expect(await one.list("list:", 100)).toEqual(sorted);
      expect(await other.list("list:", 2)).toEqual(sorted.slice(0, 2));
      expect(await one.list("list:a", 100)).toEqual(["list:a-b", "list:a:b", "list:a_b"]);
      expect(await one.list("list:c", 100)).toEqual([]);
    },
  ],
  [
    "lists an id once, for as long as its longest lifetime",
    async (one, other) => {
      await one.swap("again:id", undefined, "", HOUR, true);
      await other.swap("again:id", undefined, "", 1, true);
      await other.swap("again:id", "", "text", HOUR, true);
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await other.list("again:", 10)).toEqual(["again:id"]);
    },
  ],
  [
    "forgets an id that is deleted, and what was never there",
    async (one, other) => {
      for (const id of ["delete:a", "delete:b"]) await one.swap(id, undefined, "text", HOUR, true);
      await other.swap("delete:a", "text", "second", HOUR, true);
      await other.delete("delete:a");
      await other.delete("delete:none");
      expect([await one.read("delete:a"), await one.read("delete:b")]).toEqual([undefined, "text"]);
      expect(await one.list("delete:", 10)).toEqual(["delete:b"]);
      expect(await one.swap("delete:a", "second", "new", HOUR, true)).toBe(false);
      expect(await one.swap("delete:a", undefined, "new", HOUR, true)).toBe(true);
      expect(await other.list("delete:", 10)).toEqual(["delete:a", "delete:b"]);
    },
  ],
  [
    "keeps a text of 400 000 characters, and swaps from it",
    async (one, other) => {
      const text = "ñ\n{}0".repeat(80_000);
      expect(await one.swap("long:id", undefined, text, HOUR)).toBe(true);
      expect((await other.read("long:id")) === text).toBe(true);
      expect(await other.swap("long:id", `${text.slice(0, -1)}1`, "", HOUR)).toBe(false);
      expect(await other.swap("long:id", text, "short", HOUR)).toBe(true);
      expect(await one.read("long:id")).toBe("short");
    },
  ],
  [
    "takes any id of at most 100 letters, digits, -, _ and :",
    async (one, other) => {
      const ids = ["odd", "Odd", "odd:", ":odd", "odd::1", "--", "con", "nul:nul", "0", `odd:${"x_".repeat(48)}`];
      for (const id of ids) expect(await one.swap(id, undefined, `text of ${id}`, HOUR)).toBe(true);
      for (const id of ids) expect(await other.read(id)).toBe(`text of ${id}`);
      for (const id of ids) await other.delete(id);
      for (const id of ids) expect(await one.read(id)).toBeUndefined();
    },
  ],
];
