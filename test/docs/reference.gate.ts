import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { generateReference } from "./reference/generate.ts";
import { type Pages, pagesIn, reference } from "./reference/pages.ts";

test("docs/reference shows the public surface as it is", { timeout: 240_000 }, async () => {
  const made = await generated();
  const kept = await pagesIn(reference);
  if (isUpdate()) return write(made, kept);
  const message = "The public surface has changed; `npm run docs` writes docs/reference anew.";
  expect(Object.fromEntries(made), message).toEqual(Object.fromEntries(kept));
});

async function generated(): Promise<Pages> {
  const folder = await mkdtemp(join(tmpdir(), "reference-"));
  try {
    const complaints = await generateReference(folder);
    expect(complaints, "TypeDoc complains.").toEqual([]);
    return await pagesIn(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function isUpdate(): boolean {
  return Reflect.get(expect.getState().snapshotState, "_updateSnapshot") === "all";
}

async function write(made: Pages, kept: Pages): Promise<void> {
  for (const name of kept.keys()) if (!made.has(name)) await rm(join(reference, name));
  for (const [name, text] of made) {
    await mkdir(dirname(join(reference, name)), { recursive: true });
    await writeFile(join(reference, name), text);
  }
}
