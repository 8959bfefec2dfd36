import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type DoorName, openApp, openHosted, openPage, openServe } from "./doors.ts";
import { provedElsewhere } from "./elsewhere.ts";
import { type Proof, promises, type Row } from "./promises.ts";

afterEach(() => void vi.useRealTimers());

const repository = new URL("../../../", import.meta.url);
const rows: readonly Row[] = promises;
/** Each is opened for each test, but for what `once` has seen of it. */
const doors = { page: () => openPage(), app: openApp, hosted: openHosted, serve: openServe } satisfies Readonly<
  Record<DoorName, unknown>
>;

/** What the documentation says and the code does not do. The test of such a cell is red once the code is mended: then its line goes. */
const knownBreaks: readonly (readonly [DoorName, says: (typeof promises)[number]["says"]])[] = [];

/** The beginning of a sentence, or of a row of a table. */
const toTitle = (says: string) => {
  const [title = ""] = /^.{1,95}(?=$|\s)/.exec(says.split(" | ").slice(0, 2).join(": ")) ?? [];
  return title;
};

describe.each(Object.keys(doors) as DoorName[])("%s", (name) => {
  for (const row of rows) {
    const cell = row[name];
    if (typeof cell === "string") continue;
    const isBroken = knownBreaks.some(([door, says]) => door === name && says === row.says);
    (isBroken ? test.fails : test)(toTitle(row.says), () =>
      (cell as Proof<never>)(doors[name] as () => Promise<never>),
    );
  }
});

/** The rows of the tables in a document, without their heads. @param sections those that count. Default all. */
async function readRows(doc: string, sections?: readonly string[]): Promise<readonly string[]> {
  const text = await readFile(new URL(doc, repository), "utf8");
  return text.split(/^## /m).flatMap((section) => {
    if (sections && !sections.includes(section.split("\n")[0] ?? "")) return [];
    const tables = section.match(/(?:^\|.*\n)+/gm) ?? [];
    return tables.flatMap((table) =>
      table
        .trim()
        .split("\n")
        .slice(2)
        .map((line) => line.replaceAll(/^\|\s*|\s*\|$/g, "").replaceAll(/\s*\|\s*/g, " | ")),
    );
  });
}

describe("the documentation", () => {
  const digestOf = (row: string) => createHash("sha256").update(row).digest("hex").slice(0, 8);
  const elsewhere = new Map(Object.values(provedElsewhere).flat());

  test.each<[doc: string, sections?: readonly string[]]>([
    ["docs/reliability.md"],
    ["docs/security.md", ["Who could see what, and what stops them", "The relay under attack", "A hosted login"]],
  ])("has no row without a proof in %s", async (doc, sections) => {
    const found = await readRows(doc, sections);
    expect(found.length).toBeGreaterThan(30);
    const unproved = found.filter(
      (text) =>
        !rows.some((row) => row.doc === doc && row.says === text) &&
        !text.startsWith(elsewhere.get(digestOf(text)) ?? "no row begins like this"),
    );
    expect(unproved.map((text) => `${digestOf(text)} ${text}`)).toEqual([]);
  });

  test("has each row that other tests prove, and has these tests", async () => {
    const found = (await Promise.all(["docs/reliability.md", "docs/security.md"].map((doc) => readRows(doc)))).flat();
    const digests = new Set(found.map(digestOf));
    expect([...elsewhere].filter(([digest]) => !digests.has(digest))).toEqual([]);
    const files = Object.keys(provedElsewhere).filter((name) => name.startsWith("test/"));
    expect(files.filter((name) => !existsSync(new URL(name, repository)))).toEqual([]);
  });

  test("has each sentence of the table", async () => {
    const missing: string[] = [];
    for (const { doc, says } of rows) {
      const text = await readFile(new URL(doc, repository), "utf8");
      if (!text.replaceAll(/\s+/g, " ").includes(says)) missing.push(`${doc}: ${says}`);
    }
    expect(missing).toEqual([]);
  });
});
