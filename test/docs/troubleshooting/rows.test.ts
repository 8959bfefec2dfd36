import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { install } from "./install-rows.ts";
import { relay } from "./relay-rows.ts";
import type { Row } from "./row.ts";
import { service } from "./service-rows.ts";

const root = new URL("../../../", import.meta.url);
const page = await readFile(new URL("docs/troubleshooting.md", root), "utf8");

/** The first cell of each row: what a developer sees. */
const seen = page
  .split("\n")
  .filter((line) => /^\| (?!you see)/.test(line))
  .map((line) => line.replaceAll("\\|", "/").split(" | ")[0]?.slice(2) ?? "");

/** Rows that cost too much to make happen here, and the tests that prove them. */
const elsewhere: Readonly<Record<string, string>> = {
  "Jest 30: `Must use import": "test/screens/react-native/example.full.ts",
  "`network_failed`, and the console shows a CORS": "test/screens/browser/troubleshooting.test.ts",
  "`network_failed`, and the console shows a violation": "test/screens/browser/troubleshooting.test.ts",
  "The button does nothing, and": "test/screens/browser/troubleshooting.test.ts",
  "The logos of the banks": "test/screens/browser/troubleshooting.test.ts",
  "A click does nothing right after": "test/screens/browser/element-behaviour.test.ts",
  "`file_unusable` (2)": "test/programs/cli/batch.test.ts",
  "`http_failed` with HTTP 404 from Restate": "test/servers/restate/unit/durable-client.test.ts",
};

const rows: readonly Row[] = [...install, ...service, ...relay];

test("each row of docs/troubleshooting.md is made to happen once, and no other", () => {
  const begins = [...rows.map(({ row }) => row), ...Object.keys(elsewhere)];
  expect(seen.length).toBeGreaterThan(30);
  expect(seen.filter((cell) => begins.filter((begin) => cell.startsWith(begin)).length !== 1)).toEqual([]);
  expect(begins.filter((begin) => seen.filter((cell) => cell.startsWith(begin)).length !== 1)).toEqual([]);
  expect(Object.values(elsewhere).filter((name) => !existsSync(new URL(name, root)))).toEqual([]);
});

describe("what a developer sees is in the row", () => {
  test.each(rows)("$row", async ({ row, happen }) => {
    const cell = seen.find((cell) => cell.startsWith(row)) ?? "";
    const found = await happen();
    expect(found.length).toBeGreaterThan(0);
    for (const text of found) expect(cell).toContain(text);
  });
});
