import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Report } from "./exits.ts";
import { moments } from "./moments.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A process of its own that gives up a flow at each moment in turn, and ends when nothing is left to do. */
interface Run {
  readonly code: number | null;
  readonly reports: ReadonlyMap<string, Report>;
  readonly complaints: string;
}

let folder = "";
let run: Run;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ventanilla-exits-"));
  await build({
    configFile: here("../../vitest.config.ts"),
    logLevel: "silent",
    ssr: { noExternal: true },
    build: {
      ssr: here("exits.ts"),
      outDir: folder,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "[name].mjs" } },
    },
  });
  run = await new Promise((resolve) => {
    const child = execFile(process.execPath, [join(folder, "exits.mjs")], { timeout: 20_000 }, (_, out, complaints) => {
      const reports = out.split("\n").flatMap((line): Report[] => (line ? [JSON.parse(line)] : []));
      resolve({ code: child.exitCode, complaints, reports: new Map(reports.map((report) => [report.moment, report])) });
    });
  });
}, 30_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a process in which a flow is given up", () => {
  // Whatever time-out or connection stayed would hold it for a minute.
  test("ends by itself, and nothing went unhandled", () => {
    expect(run.complaints).toBe("");
    expect(run.code).toBe(0);
  });

  test.each(moments)("$name has nothing left that keeps it alive", ({ name }) => {
    expect(run.reports.get(name)).toEqual({ moment: name, left: [] });
  });
});
