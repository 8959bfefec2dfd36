import { beforeAll, describe, expect, test } from "vitest";
import { programs } from "../programs.ts";
import { cancelPoints } from "./cancel-points.ts";
import type { Report } from "./exits.ts";

const run = programs(new URL("exits.ts", import.meta.url));

// A process of its own that gives up a flow at each point in turn, and ends when nothing is left to do.
let ended: Awaited<ReturnType<typeof run>>;
let reports: ReadonlyMap<string, Report>;

beforeAll(async () => {
  ended = await run("exits", { timeout: 100_000 });
  const lines = ended.printed.split("\n").filter((line) => line !== "");
  reports = new Map(lines.map((line) => JSON.parse(line)).map((report: Report) => [report.point, report]));
});

describe("a process in which a flow is given up", () => {
  // Whatever time-out or connection stayed would hold it for a minute.
  test("ends by itself, and nothing went unhandled", () => {
    expect(ended.complaints).toBe("");
    expect(ended.code).toBe(0);
  });

  test.each(cancelPoints)("$name has nothing left that keeps it alive", ({ name }) => {
    expect(reports.get(name)).toEqual({ point: name, left: [] });
  });
});
