import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ventanilla-inspect-"));
  await build({
    configFile: here("../../vitest.config.ts"),
    logLevel: "silent",
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      target: "node20",
      rolldownOptions: { input: [here("watched-process.ts")], output: { entryFileNames: "[name].mjs" } },
    },
  });
}, 30_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the program until it ends by itself. */
function run(env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number | null; printed: string; complaints: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [join(folder, "watched-process.mjs")],
      { timeout: 10_000, env: { ...env } },
      (_, printed, complaints) => resolve({ code: child.exitCode, printed, complaints }),
    );
  });
}

test("a process ends by itself though nobody has stopped the watching", async () => {
  expect(await run({})).toEqual({ code: 0, printed: "logged_in alone", complaints: "" });
});

test("and though somebody watches", async () => {
  expect(await run({ WATCHED: "yes" })).toEqual({ code: 0, printed: "logged_in watched", complaints: "" });
});
