import { mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { bundleSimulation, readPlantedBugs } from "./bundle.mjs";
import { checkers } from "./checkers.ts";
import { knownBreaks } from "./known-breaks.ts";
import { runThread } from "./threads.mjs";

/** Through `Request`, as all. `npm run simulation` runs more of them. */
const SCHEDULES = 500;
/** In which a planted bug is found. */
const MOST = 2_000;

const folder = mkdtempSync(join(tmpdir(), "simulation-"));
const file = join(folder, "simulation.mjs");
beforeAll(() => bundleSimulation(file));

describe("a kept login at both doors, in five hundred schedules", () => {
  test("keeps each promise, and runs alike again", async () => {
    const [{ found, print, fingerprints }, again] = await Promise.all([
      runThread(file, { from: 0, count: SCHEDULES }),
      runThread(file, { from: 0, count: 100 }),
    ]);
    expect(print).toBeUndefined();
    expect(new Set(found.map(({ promise }) => promise))).toEqual(new Set(knownBreaks.map(({ promise }) => promise)));
    expect(again.fingerprints).toEqual(fingerprints.slice(0, 100));
    // Hardly two schedules are alike.
    expect(new Set(fingerprints).size).toBeGreaterThan(0.9 * SCHEDULES);
  });
});

// `npm run simulation -- planted`, each night, finds each five times.
describe("the planted bugs", () => {
  const bugs = readPlantedBugs();

  test("are twenty, each meant for a checker", () => {
    expect(new Set(bugs.map(({ name }) => name)).size).toBe(20);
    expect(Object.keys(checkers)).toEqual(expect.arrayContaining(bugs.map(({ promise }) => promise)));
  });

  test.each(bugs)("have their text in its file: $name", async ({ file, text }) => {
    expect((await readFile(file, "utf8")).split(text)).toHaveLength(2);
  });

  const quick = ["the claim is left out", "the user of a login is not compared", "a claim is written over an end"];
  test.each(bugs.filter(({ name }) => quick.includes(name)))("are found: $name", async (bug) => {
    const { name, promise } = bug;
    const planted = join(folder, `${name}.mjs`);
    await bundleSimulation(planted, bug);
    const { found } = await runThread(planted, { from: 0, count: MOST, until: { promise, times: 1 } });
    expect(found.filter((one) => !one.isKnown).map((one) => one.promise)).toContain(promise);
  });
});
