import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repository } from "./repository.ts";
import { freePort, type RestateServer, startRestate } from "./restate-server.ts";

let server: RestateServer;
let folder = "";
beforeAll(async () => {
  server = await startRestate();
  // Beside the sources, where the packages are found.
  folder = await mkdtemp(join(repository, "test/restate/dist/example-"));
  await build({
    configFile: join(repository, "test/restate/vite.config.ts"),
    logLevel: "silent",
    build: { outDir: folder, rolldownOptions: { input: join(repository, "docs/examples/restate.ts") } },
  });
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("the example of docs/scale.md runs against the real server", async () => {
  const env = {
    PATH: process.env["PATH"] ?? "",
    PORT: `${await freePort()}`,
    RESTATE_ADMIN: server.admin,
    RESTATE_INGRESS: server.ingress,
    RESTATE_LOGGING: "ERROR",
  };
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "restate.mjs")], {
    env,
    timeout: 30_000,
  });
  expect(stdout).toContain("serves ventanilla-login-5\nlogged_in\n");
  expect(stdout).toContain("Institución de prueba 1");
});
