import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { linkMachine } from "../../machines/link.ts";
import { loginMachine } from "../../machines/login.ts";
import { channels } from "../leaks/channels.ts";
import { findTransitions, findTransitionsOverHttp } from "../machines/coverage.ts";
import { codeFaults, createRows } from "../platforms/table.ts";

test("each figure of the site's first page is what the tests count", async () => {
  const page = await readFile(new URL("../../docs/index.md", import.meta.url), "utf8");
  const [taken, all] = [findTransitionsOverHttp, findTransitions].map(
    (find) => [loginMachine, linkMachine].flatMap(find).length,
  );
  expect(page).toContain(`Each of ${createRows(codeFaults).length} faults`);
  expect(page).toContain(`search ${Object.keys(channels).length} channels`);
  expect(page).toContain(`**${taken} of ${all} transitions run**`);
});
