import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startMeasuredServe } from "../../programs/cli/serve/measured-serve.ts";
import { scrape } from "./prometheus.ts";

const alerts = fileURLToPath(new URL("../../../docs/examples/telemetry/alerts.yml", import.meta.url));

/** Runs Debian's checker. */
function promtool(words: readonly string[], input = "") {
  const { status, stdout, stderr } = spawnSync("promtool", words, { input, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

test("Prometheus takes the text of serve --metrics as it is", async () => {
  const { logIn, readMetrics } = await startMeasuredServe();
  await logIn("12345", "gfdsa");
  expect(promtool(["check", "metrics"], await readMetrics())).toEqual({ status: 0, output: "" });
});

test("Prometheus reads serve --metrics, and evaluates each alert over it", async () => {
  const { logIn, metrics } = await startMeasuredServe();
  // The service knows the bank: no other one gets a label.
  await logIn("12345", "gfdsa");
  await logIn("12345", "wrong");
  const { read } = await scrape(new URL(metrics).host, [alerts]);
  const count = async () => {
    const query = 'sum(ventanilla_login_duration_seconds_count{ventanilla_outcome="wrong_credentials"})';
    const { data } = await read(`query?${new URLSearchParams({ query })}`);
    return data.result[0]?.value[1];
  };
  await expect.poll(count, { timeout: 20_000 }).toBe("1");
  const listRules = async () => (await read("rules")).data.groups.flatMap(({ rules }: { rules: object[] }) => rules);
  await expect
    .poll(listRules, { timeout: 20_000 })
    .toEqual(expect.arrayContaining([expect.objectContaining({ name: "BankLoginsBreak", health: "ok" })]));
  for (const rule of await listRules()) expect(rule).toMatchObject({ type: "alerting", health: "ok" });
});

test("the alerts fire by their rules, and are quiet while all is well", async () => {
  expect(promtool(["check", "rules", alerts])).toMatchObject({ status: 0 });
  const tests = fileURLToPath(new URL("alerts.test.yml", import.meta.url));
  const { status, output } = promtool(["test", "rules", tests]);
  expect(output).toContain("SUCCESS");
  expect(status).toBe(0);
});
