import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { linkMachine } from "../../machines/link.ts";
import { loginMachine } from "../../machines/login.ts";
import manifest from "../../package.json" with { type: "json" };
import { channels } from "../leaks/channels.ts";
import { findTransitions, findTransitionsOverHttp } from "../machines/coverage.ts";
import { codeFaults, createRows } from "../platforms/table.ts";

test("the site's first page has the version of the package, and the figures that the tests count", async () => {
  const page = await readFile(new URL("../../docs/index.md", import.meta.url), "utf8");
  const [taken, all] = [findTransitionsOverHttp, findTransitions].map(
    (find) => [loginMachine, linkMachine].flatMap(find).length,
  );
  expect(page).toContain(`/ventanilla-${manifest.version}.tgz`);
  expect(page).toContain(`Each of ${createRows(codeFaults).length} faults`);
  expect(page).toContain(`search ${Object.keys(channels).length} channels`);
  expect(page).toContain(`**${taken} of ${all} transitions run**`);
});
