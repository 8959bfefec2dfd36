import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { endpoints } from "../faults/endpoints.ts";
import { moments } from "../faults/moments.ts";
import { waits } from "../faults/places.ts";
import { quickFaults, slowFaults } from "../faults/table.ts";
import { channels } from "../leaks/channels.ts";
import { echoingFaults } from "../leaks/echoing-faults.ts";
import { transitionsOf } from "../model/coverage.ts";
import { linkPaths, walkedLink } from "../model/link-walk.ts";
import { loginPaths, walkedLogin } from "../model/login-walk.ts";
import { connectionFaults } from "../platforms/table.ts";

test("docs/reliability.md counts what is tried as it is", async () => {
  const page = await readFile(new URL("../../docs/reliability.md", import.meta.url), "utf8");
  const [logins, links] = [loginPaths.length, linkPaths.length];
  expect(page).toContain(`| ${logins} login, ${links} link | as the hand-written oracle says |`);
  expect(page).toContain(
    `| ${transitionsOf(walkedLogin).length} login, ${transitionsOf(walkedLink).length} link | all |`,
  );
  expect(page).toContain(`${logins} + ${links} generated paths`);
  expect(page).toContain(`| ${channels.length} channels, each with a control`);
  const faults = quickFaults.length + slowFaults.length;
  expect(page).toContain(`| ${faults} faults × ${endpoints.length} requests |`);
  expect(page).toContain(`| ${faults} faults × ${waits.length} waits |`);
  expect(page).toContain(`| ${moments.length} moments × 2 ways |`);
  expect(page).toContain(`${faults + echoingFaults.length} faults × ${waits.length + 1} places`);
  expect(page).toContain(`| HTTP 400 to 599; ${connectionFaults.length} connection faults,`);
});
