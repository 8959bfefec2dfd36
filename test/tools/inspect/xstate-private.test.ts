import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("one file of all that ships names what XState calls `_…`", () => {
  const root = new URL("../../../", import.meta.url);
  const files = ["machines", "src"].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const found = files.filter((file) =>
    /\b_(parent|transitions|snapshot|nodes|processingStatus|deferred)\b/.test(
      readFileSync(new URL(file, root), "utf8"),
    ),
  );
  expect(found).toEqual(["src/tools/trace/xstate-private.ts"]);
});
