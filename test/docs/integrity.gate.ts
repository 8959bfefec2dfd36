import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

test("the example of a plain page names dist/element.js by the hash that it has", async () => {
  const hash = createHash("sha384")
    .update(await readFile(file("dist/element.js")))
    .digest("base64");
  const page = await readFile(file("docs/examples/plain/index.html"), "utf8");
  await expect(page.replace(/integrity="[^"]*"/, `integrity="sha384-${hash}"`)).toMatchFileSnapshot(
    file("docs/examples/plain/index.html"),
  );
});
