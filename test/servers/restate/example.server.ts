import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../free-port.ts";
import { repository } from "./repository.ts";
import { startRestate } from "./restate-server.ts";

test("the example of docs/scale.md runs against the real server", async () => {
  const server = await startRestate();
  onTestFinished(() => server.stop());
  const env = {
    PATH: process.env["PATH"] ?? "",
    PORT: `${await findFreePort()}`,
    RESTATE_ADMIN: server.admin,
    RESTATE_INGRESS: server.ingress,
    RESTATE_LOGGING: "ERROR",
  };
  const program = `${repository}test/servers/restate/dist/restate.mjs`;
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env, timeout: 120_000 });
  expect(stdout).toContain("serves ventanilla-login-14\nlogged_in\n");
  expect(stdout).toContain("Institución de prueba 1");
});
