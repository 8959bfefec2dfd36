import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { asWords } from "../../../leaks/canaries.ts";
import { listen } from "../../../servers/relay/stage.ts";
import { run } from "../program.ts";
import { startMeasuredServe } from "./measured-serve.ts";

test("serve --metrics gives Prometheus's text of the logins, and neither user nor session", async () => {
  const { logIn, readMetrics } = await startMeasuredServe();
  expect(await readMetrics()).toContain("target_info{");
  const { id } = await logIn("12345", "gfdsa");
  await logIn("12345", "wrong");
  const text = await readMetrics();
  const lines = text.split("\n");
  const find = (name: string, label: string) =>
    lines.find((line) => line.startsWith(`${name}{`) && line.includes(label));
  expect(find("ventanilla_login_duration_seconds_count", 'ventanilla_outcome="logged_in"')).toMatch(/ 1$/);
  expect(find("ventanilla_login_duration_seconds_count", 'ventanilla_outcome="wrong_credentials"')).toMatch(/ 1$/);
  expect(find("ventanilla_request_duration_seconds_bucket", 'ventanilla_request="submitCredentials"')).toBeDefined();
  expect(find("target_info", 'service_name="ventanilla"')).toMatch(/service_instance_id="[\da-f-]{36}"/);
  expect(text).not.toMatch(asWords("ana", "12345", "gfdsa", id));
});

test("the port has nothing but the metrics, and closes with the server", async () => {
  const { metrics, stop } = await startMeasuredServe();
  expect((await fetch(new URL("/sessions", metrics))).status).toBe(404);
  expect(await stop()).toBe(0);
  await expect(fetch(metrics)).rejects.toThrow();
});

test("a port that is taken or none is refused by the option's name", async () => {
  const server = createServer();
  const { port } = new URL(await listen(server));
  onTestFinished(() => void server.close());
  for (const [text, words] of [
    [port, `Port ${port} is taken. Give another one with --metrics.`],
    ["x", "--metrics"],
  ] as const) {
    const { code, stderr } = await run(["serve", "--port", "0", "--metrics", text]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  }
});
