import { expect, test } from "vitest";
import { killAtEachStep, STEPS } from "./killing.ts";

test("a kill -9 at each step loses no login, sends nothing twice, and changes no result", async () => {
  const report = await killAtEachStep({ kills: STEPS.length, seed: 7 });
  expect(report.violations).toEqual([]);
  expect(report.logins).toBe(70);
  expect(report.results["loggedIn"]).toBeGreaterThan(20);
}, 300_000);
