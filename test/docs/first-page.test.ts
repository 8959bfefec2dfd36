import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { linkMachine } from "../../machines/link.ts";
import { loginMachine } from "../../machines/login.ts";
import manifest from "../../package.json" with { type: "json" };
import { channels } from "../leaks/channels.ts";
import { findTransitions, findTransitionsOverHttp } from "../machines/coverage.ts";
import { codeFaults, createRows } from "../platforms/table.ts";

test("the site's first page has the version of the package, and the figures that the tests count", async () => {
  const file = new URL("../../docs/index.md", import.meta.url);
  const page = await readFile(file, "utf8");
  const [taken, all] = [findTransitionsOverHttp, findTransitions].map(
    (find) => [loginMachine, linkMachine].flatMap(find).length,
  );
  const written = page
    .replace(/\/ventanilla-[\d.]+\.tgz/, `/ventanilla-${manifest.version}.tgz`)
    .replace(/Each of \d+ faults/, `Each of ${createRows(codeFaults).length} faults`)
    .replace(/search \d+ channels/, `search ${Object.keys(channels).length} channels`)
    .replace(/\*\*\d+ of \d+ transitions run\*\*/, `**${taken} of ${all} transitions run**`);
  await expect(written).toMatchFileSnapshot(file.pathname);
});
