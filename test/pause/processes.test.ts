import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API_KEY, startSandbox } from "../login/service.ts";
import { KEY } from "./paused.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ventanilla-pause-"));
  await build({
    configFile: here("../../vitest.config.ts"),
    logLevel: "silent",
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      target: "node20",
      rolldownOptions: {
        input: [here("first-process.ts"), here("second-process.ts")],
        output: { entryFileNames: "[name].mjs" },
      },
    },
  });
}, 30_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program until it ends by itself. */
function run(program: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number | null; printed: string; complaints: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [join(folder, `${program}.mjs`)],
      { timeout: 10_000, env: { ...env } },
      (_, printed, complaints) => resolve({ code: child.exitCode, printed, complaints }),
    );
  });
}

test("a login paused in one process is taken up in another, and both end by themselves", async () => {
  const sandbox = await startSandbox();
  const env = { BASE_URL: sandbox.url, API_KEY, SEAL_KEY: KEY };
  const first = await run("first-process", env);
  expect(first).toEqual({ code: 0, printed: expect.stringMatching(/^[\w.-]{300,600}$/), complaints: "" });
  expect(sandbox.lines()).toEqual(["POST /login/"]);

  const second = await run("second-process", { ...env, TOKEN: first.printed });
  expect({ ...second, printed: JSON.parse(second.printed) }).toEqual({
    code: 0,
    printed: {
      status: "success",
      destinations: [
        { id: 1, name: "Institución de prueba 1" },
        { id: 2, name: "Institución de prueba 2" },
      ],
    },
    complaints: "",
  });
  expect(sandbox.lines().map((line) => line.replace(/key=[\w-]+$/, "key=…"))).toEqual([
    "POST /login/",
    "POST /login/?key=…",
    "GET /transfer/destinations?key=…",
  ]);
  expect(sandbox.requests[1]?.form).toEqual({
    provider: "test",
    username: "12345otp",
    password: "asdfg",
    otp: "8888",
  });
}, 30_000);
