import { expect, test } from "vitest";
import { killAtEachStep, MOMENTS } from "./killing.ts";

test("a kill -9 at each step loses no login, sends nothing twice, and every end is the bank's", async () => {
  const report = await killAtEachStep({ kills: MOMENTS.length, seed: 7 });
  expect(report.violations).toEqual([]);
  expect(report.logins).toBe(70);
  expect(report.ends["logged_in"]).toBeGreaterThan(20);
}, 300_000);
