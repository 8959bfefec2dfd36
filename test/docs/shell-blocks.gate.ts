import { randomBytes } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { findFreePort } from "../free-port.ts";
import { packInto, run, start } from "./shell.ts";

const root = new URL("../../", import.meta.url);
const docs = (await readdir(new URL("docs", root))).filter((name) => name.endsWith(".md") && name !== "tutorial.md");
const names = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...docs.map((name) => `docs/${name}`)];
const pages = await Promise.all(names.map((name) => readFile(new URL(name, root), "utf8")));

/** The lines of all shell blocks, without comments. */
const commands = pages
  .flatMap((page) => [...page.matchAll(/^( *)```sh\n([\s\S]*?)^\1```/gm)])
  .flatMap(([, , block = ""]) => block.replaceAll(/\\\n\s*/g, "").split("\n"))
  .map((line) => line.replace(/\s+# .*$/, "").trim())
  .filter((line) => line !== "");

/** What runs the others: a check of the gate, or a test that has what they need. */
const elsewhere: readonly (readonly [command: RegExp, place: string])[] = [
  [/^npm ci && npm (start|test|pack)$/, ".ci/run"],
  [/^git pull && npm ci && npm pack$/, ".ci/package"],
  [/^npm install \.\.\/ventanilla\/ventanilla-0\.1\.0\.tgz$/, ".ci/package"],
  [/^npm install @opentelemetry\/api@1 .*exporter-prometheus/, "test/tools/telemetry/prometheus.full.ts"],
  [/^npm install (\.\.\/ventanilla\/ventanilla-0\.1\.0\.tgz )?xstate( |$)/, ".ci/package"],
  [/^npx @restatedev\/restate-server$/, "test/servers/restate/run.mjs"],
  [/^npm run play /, "test/screens/browser/play.test.ts"],
  [/^ventanilla login test$/, "test/programs/cli/terminal.test.ts"],
  [/@restatedev\/restate-sdk-clients$/, "test/programs/cli/batch-setup.test.ts"],
  [/--restate http/, "test/servers/restate/batch.server.ts"],
  [/https:\/\/login\.shop\.example/, "test/programs/cli/serve/serve.test.ts"],
  [/^OTEL_/, "test/programs/cli/telemetry.test.ts"],
  [/^\(umask 077; python3 /, "test/programs/cli/csv.full.ts"],
  [/^ventanilla batch logins\.jsonl --out results\.jsonl$/, "test/programs/cli/csv.full.ts"],
];

const used = new Set<string>();

/** A command as a page has it, with a value for each gap that its reader fills in. */
function onPage(command: string, values: Readonly<Record<string, string>> = {}): string {
  expect(commands).toContain(command);
  used.add(command);
  return Object.entries(values).reduce((line, [gap, value]) => line.replaceAll(gap, value), command);
}

let cwd = "";
let env: NodeJS.ProcessEnv = {};
const place = (changes: NodeJS.ProcessEnv = {}) => ({ cwd, env: { ...env, ...changes } });
const key = randomBytes(32).toString("base64");

beforeAll(async () => {
  cwd = await packInto();
  const { NODE_OPTIONS: _, VITEST: __, ...rest } = process.env;
  const folders = { npm_config_prefix: join(cwd, "global"), XDG_CONFIG_HOME: cwd, XDG_STATE_HOME: cwd };
  env = { ...rest, ...folders, PATH: `${cwd}/global/bin:${rest["PATH"]}`, LANG: "en" };
  await run(onPage("npm install --global ./ventanilla-0.1.0.tgz"), place());
  await writeFile(join(cwd, "login.json"), JSON.stringify({ username: "12345", password: "gfdsa" }), { mode: 0o600 });
});

test("the installed command lists banks and accounts", async () => {
  expect(await run(onPage("ventanilla providers --country UY"), place())).toContain("Banco de prueba");
  expect(await run(onPage("ventanilla sandbox --accounts"), place())).toContain("12345otp");
});

test("a session is opened, used and closed by three commands", async () => {
  const VENTANILLA_BASE_URL = `http://127.0.0.1:${await findFreePort()}`;
  const service = place({ VENTANILLA_BASE_URL, VENTANILLA_API_KEY: "sandbox-api-key" });
  await start(`ventanilla sandbox --port ${new URL(VENTANILLA_BASE_URL).port}`, place(), VENTANILLA_BASE_URL);
  await run(onPage("ventanilla login test --credentials-from login.json --key-to session.key"), service);
  expect((await stat(join(cwd, "session.key"))).mode & 0o777).toBe(0o600);
  const listed = await run(onPage("ventanilla destinations --key-from session.key --json"), service);
  expect(listed).toContain("Institución de prueba 1");
  await run(onPage("ventanilla logout --key-from session.key"), service);
});

test("a batch logs in, and seals the keys", async () => {
  const rows = [{ id: "ana", provider: "test", username: "12345", password: "gfdsa" }];
  await writeFile(join(cwd, "logins.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"), { mode: 0o600 });
  const batch = "ventanilla batch logins.jsonl --concurrency 8 --per-provider 2 --out results.jsonl --seal-keys";
  await run([onPage("export VENTANILLA_SEAL_KEY=…", { "…": key }), onPage(batch)].join("\n"), place());
  expect(JSON.parse(await readFile(join(cwd, "results.jsonl"), "utf8"))).toMatchObject({
    id: "ana",
    state: "logged_in",
  });
});

test("what serves starts", async () => {
  await start(
    onPage("ventanilla serve"),
    place({ VENTANILLA_PORT: String(await findFreePort()) }),
    "Listening on http",
  );
  const mcp = "VENTANILLA_SEAL_KEY=… ventanilla mcp --store folder:/home/ana/.local/state/bank-logins --port 8765";
  const values = { "…": key, "/home/ana": cwd, "8765": String(await findFreePort()) };
  // Without a host, which would be at its standard input, it ends.
  await run(onPage(mcp, values), place());
  await start(onPage("npx vite docs/examples/element"), { ...place(), cwd: fileURLToPath(root) }, "Local:");
});

test("each command of a page is run here or elsewhere", async () => {
  const others = commands.filter((command) => !used.has(command));
  expect(others.filter((command) => !elsewhere.some(([known]) => known.test(command)))).toEqual([]);
  expect(elsewhere.filter(([known]) => !others.some((command) => known.test(command)))).toEqual([]);
  await Promise.all(elsewhere.map(([, file]) => stat(new URL(file, root))));
});
