import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { login } from "ventanilla";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { sources } from "../../docs/examples/sources.ts";
import { asks, loggedIn, openQuestion, promised, startService } from "../bank/service.ts";
import { findFreePort } from "../free-port.ts";
import { createLogin, createPage, form, OTP, PAGE, SEAL_KEY } from "../servers/relay/stage.ts";

// docs/examples/workers in workerd, the runtime of Cloudflare Workers.

const example = new URL("../../docs/examples/workers/", import.meta.url);
const workerd = fileURLToPath(
  new URL("runtimes/node_modules/@cloudflare/workerd-linux-64/bin/workerd", import.meta.url),
);
let script: string;

beforeAll(async () => {
  script = join(await mkdtemp(join(tmpdir(), "ventanilla-worker-")), "worker.js");
  const alias = sources.map(({ find, replacement }) => [find, replacement] as const);
  const resolveSources = {
    name: "sources",
    resolveId: (id: string) => alias.find(([find]) => find.test(id))?.[1],
  };
  const input = fileURLToPath(new URL("worker.ts", example));
  const bundle = await rolldown({ input, platform: "browser", plugins: [resolveSources] });
  await bundle.write({ file: script, format: "esm", codeSplitting: false });
  await bundle.close();
});

/** The worker, and its durable objects on the disk. */
async function startWorker(bank: string) {
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-workerd-"));
  const { compatibility_date: date } = JSON.parse(
    (await readFile(new URL("wrangler.jsonc", example), "utf8")).replaceAll(/^ *\/\/.*$/gm, ""),
  ) as { readonly compatibility_date: string };
  const port = await findFreePort();
  const bindings = Object.entries({ BANK_URL: bank, API_KEY: "k", SEAL_KEY, PAGE }).map(
    ([name, text]) => `(name = "${name}", text = "${text}")`,
  );
  await mkdir(join(folder, "objects"));
  await writeFile(join(folder, "worker.js"), await readFile(script));
  await writeFile(
    join(folder, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["private"])),
    (name = "objects", disk = (path = "objects", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "${date}",
  bindings = [(name = "LOGINS", durableObjectNamespace = "Logins"), ${bindings.join(", ")}],
  durableObjectNamespaces = [(className = "Logins", uniqueKey = "logins", enableSql = true)],
  durableObjectStorage = (localDisk = "objects"),
);
`,
  );
  const printed: string[] = [];
  let child: ChildProcess;
  async function start() {
    child = spawn(workerd, ["serve", "config.capnp", "--control-fd=3"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", (line) => printed.push(line));
    }
    const control = child.stdio[3] as NodeJS.ReadableStream;
    await Promise.race([
      once(control, "data"),
      once(child, "exit").then(() => Promise.reject(new Error(printed.join("\n")))),
    ]);
  }
  async function kill() {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await start();
  onTestFinished(kill);
  return {
    url: `http://127.0.0.1:${port}/bank`,
    printed,
    async restart() {
      await kill();
      await start();
    },
  };
}

const posts = ({ paths }: { paths(): string[] }) => paths().filter((path) => path === "POST /login/").length;

test("a login goes on in workerd after its durable object was killed while the bank asked", async () => {
  const bank = await startService([asks("otp", "k1"), loggedIn("k2")]);
  const worker = await startWorker(bank.url);
  const outcome = openQuestion(await login(createPage(worker.url), OTP, { settings: { validate: false } }));
  await worker.restart();
  expect(await outcome.answer("8888")).toMatchObject({ state: "loggedIn" });
  expect(posts(bank)).toBe(2);
  expect(bank.requests[1]?.form).toMatchObject({ username: OTP.username, password: OTP.password, otp: "8888" });
  expect(worker.printed).toEqual([expect.stringContaining("logged in at test with [secret]")]);
});

test("a page leaves while the bank works; a repeat and a question how it ends get the same, in workerd", async () => {
  const { promise: said, keep: say } = promised();
  const bank = await startService([
    async () => {
      await said;
      return loggedIn("k1");
    },
  ]);
  const worker = await startWorker(bank.url);
  const { id, token } = createLogin();
  const headers = {
    origin: PAGE,
    "x-ventanilla": "1",
    "x-ventanilla-login": id,
    "x-ventanilla-token": token,
    "x-ventanilla-submit": "1",
  };
  const { method, body, headers: more } = form(OTP);
  const page = request(`${worker.url}/login/`, { method, headers: { ...headers, ...more } });
  page.on("error", () => {}).end(body);
  await bank.arrival(1);
  page.destroy();
  const repeat = fetch(`${worker.url}/login/`, { method, body, headers: { ...headers, ...more } });
  const asked = fetch(`${worker.url}/submit/`, { headers });
  say();
  for (const response of [await repeat, await asked]) {
    expect(response.headers.get("x-ventanilla-submit")).toBe("1");
    expect(await response.json()).toEqual({ status: "logged_in", key: "step-1" });
  }
  expect(posts(bank)).toBe(1);
});
