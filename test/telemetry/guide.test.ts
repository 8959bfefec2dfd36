import { readFile } from "node:fs/promises";
import { type BankClient, login } from "ventanilla";
import { inspectAll, onLifecycle } from "ventanilla/telemetry";
import { afterEach, expect, test, vi } from "vitest";
import { traceLogins } from "../../src/telemetry/opentelemetry/index.ts";
import { startSandbox, unasked } from "../bank/service.ts";
import { recorder } from "./spans.ts";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
const guide = await read("../../docs/telemetry.md");
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, code]) => code);

afterEach(() => vi.restoreAllMocks());

test("the example is that of the guide, and prints what the guide says", async () => {
  const path = "../../docs/examples/telemetry.ts";
  expect(blocks("ts")).toEqual([await read(path)]);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  // It runs once more, wherever another test has run it already.
  await import(`${new URL(path, import.meta.url).href}?once-more`);
  const printed = log.mock.calls.map((values) => values.join(" ")).join("\n");
  expect(guide).toContain(`It prints:\n\n\`\`\`\n${printed}\n\`\`\``);
});

test("the set-up with OpenTelemetry works as the guide writes it", async () => {
  const [code = ""] = blocks("js");
  const body = code.replaceAll(/^import .*\n/gm, "").replace("const outcome = await", "return await");
  const { tracer, tree } = recorder();
  const counted: unknown[] = [];
  const count = (...what: unknown[]) => counted.push(what);
  const service = await startSandbox();
  const options = { provider: "test", username: "12345", password: "gfdsa", onInteraction: unasked };
  const names = { login, inspectAll, onLifecycle, traceLogins: () => traceLogins({ tracer }), count, options };
  const client: BankClient = service.client();
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const run = new AsyncFunction(...Object.keys(names), "client", body);
  expect(await run(...Object.values(names), client)).toMatchObject({ status: "logged_in" });
  expect(tree()).toEqual(["ventanilla.login: logged_in", "  ventanilla.submitCredentials: logged_in"]);
  expect(counted).toEqual([
    ["login.started", { provider: "test", code: "started" }],
    ["login.finished", { provider: "test", code: "logged_in" }],
  ]);
});

test("the guide names every attribute of a span", async () => {
  const files = ["trace-logins.ts", "span-outcome.ts"];
  const sources = await Promise.all(files.map((name) => read(`../../src/telemetry/opentelemetry/${name}`)));
  const names = [...sources.join("").matchAll(/"((?:ventanilla|http|error)\.[a-z._]+)"/g)].map(([, name]) => `${name}`);
  expect(new Set(names).size).toBeGreaterThan(8);
  for (const name of names) expect(guide).toContain(name);
});
