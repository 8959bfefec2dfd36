import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const text = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

test("the code in docs/inspection.md is that of the examples that are run, to the letter", async () => {
  const blocks = [...(await text("docs/inspection.md")).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  expect(blocks).toEqual([await text("docs/examples/inspect.ts"), await text("docs/examples/record.ts")]);
});

test("its tables name each option, and no other", async () => {
  const [, declared = ""] = (await text("src/inspect/inspection.ts")).split("export interface InspectOptions {");
  const options = [...(declared.split("\n}")[0] ?? "").matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name);
  const [page = ""] = (await text("docs/inspection.md")).split("## Recording a run");
  const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(options));
});
