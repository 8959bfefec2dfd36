import type { RecordStore } from "ventanilla/tokens";
import { expect } from "vitest";

const inAnHour = () => new Date(Date.now() + 3_600_000);
const soon = () => new Date(Date.now() + 1);

/**
 * What each record store must do, by hand: as two instances see it. Each row has ids of its own, because databases are shared by all of them, and
 * waits for an expiry by the store's own clock.
 */
export const conformance: readonly (readonly [
  title: string,
  run: (one: RecordStore, other: RecordStore) => Promise<void>,
])[] = [
  [
    "keeps the first text of an id, until it expires",
    async (one, other) => {
      expect(await one.read("first:id")).toBeUndefined();
      expect(await one.write("first:id", "first\nsecond ñ", inAnHour())).toBe(true);
      expect(await other.write("first:id", "another", inAnHour())).toBe(false);
      expect(await other.read("first:id")).toBe("first\nsecond ñ");
      expect(await other.read("first")).toBeUndefined();
      await one.write("first:short", "text", soon());
      await expect.poll(() => other.read("first:short")).toBeUndefined();
    },
  ],
  [
    "gives an id to one of many that write it at once",
    async (one, other) => {
      const texts = Array.from({ length: 20 }, (_, number) => `text ${number}`);
      const written = await Promise.all(
        texts.map(async (text, number) =>
          (await (number % 2 ? one : other).write("race:id", text, inAnHour())) ? text : "",
        ),
      );
      expect(written.filter((text) => text !== "")).toEqual([await other.read("race:id")]);
    },
  ],
  [
    "keeps claims apart from texts",
    async (one, other) => {
      await one.write("apart:id", "", inAnHour(), true);
      expect(await one.claim("apart:id", inAnHour())).toBe(true);
      expect(await other.claim("apart:id", inAnHour())).toBe(false);
      expect(await other.read("apart:id")).toBe("");
      await other.delete("apart:id");
      expect(await one.claim("apart:id", inAnHour())).toBe(false);
    },
  ],
  [
    "replaces a text, also one that is not there yet, and forgets it when the newest time has come",
    async (one, other) => {
      await one.replace("life:id", "one", soon());
      await other.replace("life:id", "two", inAnHour());
      expect(await one.read("life:id")).toBe("two");
      expect(await one.write("life:id", "three", inAnHour())).toBe(false);
      await other.replace("life:id", "four", soon());
      await expect.poll(() => one.read("life:id")).toBeUndefined();
    },
  ],
  [
    "lists the ids that begin with a prefix, by their characters' codes, up to a limit",
    async (one, other) => {
      expect(await one.list("list:", 10)).toEqual([]);
      const ids = ["list:b:2", "list:B:3", "list:10", "list:9", "list:a-b", "list:a_b", "list:a:b"];
      for (const id of [...ids, "list", "lists:a", "lis:a"]) await other.write(id, "text", inAnHour(), true);
      const sorted = ["list:10", "list:9", "list:B:3", "list:a-b", "list:a:b", "list:a_b", "list:b:2"];
      expect(await one.list("list:", 100)).toEqual(sorted);
      expect(await other.list("list:", 2)).toEqual(sorted.slice(0, 2));
      expect(await one.list("list:a", 100)).toEqual(["list:a-b", "list:a:b", "list:a_b"]);
      expect(await one.list("list:c", 100)).toEqual([]);
    },
  ],
  [
    "lists an id that is written twice once",
    async (one, other) => {
      await one.write("again:id", "", inAnHour(), true);
      await other.write("again:id", "", inAnHour(), true);
      expect(await other.list("again:", 10)).toEqual(["again:id"]);
    },
  ],
  [
    "forgets an id that is deleted, and what was never there",
    async (one, other) => {
      for (const id of ["delete:a", "delete:b"]) await one.write(id, "text", inAnHour(), true);
      await other.delete("delete:a");
      await other.delete("delete:none");
      expect([await one.read("delete:a"), await one.read("delete:b")]).toEqual([undefined, "text"]);
      expect(await one.list("delete:", 10)).toEqual(["delete:b"]);
      expect(await one.write("delete:a", "new", inAnHour(), true)).toBe(true);
      expect(await other.list("delete:", 10)).toEqual(["delete:a", "delete:b"]);
    },
  ],
];
