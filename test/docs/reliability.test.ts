import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { channels } from "../leaks/channels.ts";
import { transitionsOf } from "../model/coverage.ts";
import { linkPaths, walkedLink } from "../model/link-walk.ts";
import { loginPaths, walkedLogin } from "../model/login-walk.ts";

test("docs/reliability.md counts the paths, the transitions and the channels as they are", async () => {
  const page = await readFile(new URL("../../docs/reliability.md", import.meta.url), "utf8");
  const [logins, links] = [loginPaths.length, linkPaths.length];
  expect(page).toContain(`| ${logins} login, ${links} link | as the hand-written oracle says |`);
  expect(page).toContain(
    `| ${transitionsOf(walkedLogin).length} login, ${transitionsOf(walkedLink).length} link | all |`,
  );
  expect(page).toContain(`${logins} + ${links} generated paths`);
  expect(page).toContain(`| ${channels.length} channels, each with a control`);
});
