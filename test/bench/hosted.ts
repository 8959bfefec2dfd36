// How many hosted logins `ventanilla serve` makes and shows in a second, and what 10,000 open ones take of a process's memory. Run by
// `npm run bench -- hosted`.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { availableParallelism, loadavg } from "node:os";
import { root } from "./entries.ts";

const SESSIONS = 10_000;
const ROUNDS = 5;
const AT_A_TIME = 16;

const built = (path: string) => new URL(`dist/src/${path}`, root);

/** Does something that often, 16 at a time. @returns how often in a second. */
async function measureRate(times: number, act: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const begun = performance.now();
  const work = async () => {
    while (next < times) await act(next++);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return (1000 * times) / (performance.now() - begun);
}

/** The program on a port, with the sandbox, called over HTTP. */
async function measureServe() {
  const words = [built("programs/cli/main.js").pathname, "serve", "--port", "0", "--json"];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await once(child.stdout, "data");
  const { url, key } = JSON.parse(String(line));
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const addresses: string[] = [];
  const create = async (index: number) => {
    const body = JSON.stringify({ user: `user-${addresses.length}-${index}`, provider: "test", username: "12345" });
    const response = await fetch(`${url}/sessions`, { method: "POST", headers, body });
    addresses.push((await response.json()).url);
  };
  const open = async () => void (await (await fetch(addresses.pop() ?? "")).text());
  const rates = { created: [] as number[], opened: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.created.push(await measureRate(SESSIONS / ROUNDS, create));
    rates.opened.push(await measureRate(SESSIONS / ROUNDS, open));
  }
  child.kill();
  await once(child, "exit");
  return rates;
}

/** Bytes of the heap for one session that a page shows, with a sealed user name, in the memory store. */
async function measureMemory(): Promise<number> {
  const { createBankClient }: typeof import("../../src/index.ts") = await import(built("index.js").href);
  const { createHostedLogin, createMemoryRecordStore }: typeof import("../../src/servers/hosted/index.ts") =
    await import(built("servers/hosted/index.js").href);
  const url = "https://login.shop.example/bank";
  const hosted = createHostedLogin({
    // Each bank exists.
    client: createBankClient({
      baseUrl: "https://bank.example",
      apiKey: "a-key",
      fetch: async () =>
        Response.json({ status: "success", provider: { name: "", country: "", auth_fields: [], account_type: [] } }),
    }),
    sealKey: randomBytes(32).toString("base64"),
    store: createMemoryRecordStore(),
    url,
    name: "Shop",
    rateLimit: false,
    onEnd: () => {},
  });
  const open = async (index: number) => {
    const created = await hosted.create({ user: `user-${index}`, provider: "test", username: "12345" });
    const page = await hosted.handle(new Request(created.url));
    const cookie = page.headers.get("set-cookie")?.split(";")[0] ?? "";
    await page.text();
    const headers = { cookie, "x-ventanilla-login": created.id };
    const state = await hosted.handle(new Request(`${url}/state/`, { headers }));
    if (!state.ok) throw new Error(`The page got HTTP ${state.status}.`);
    await state.text();
  };
  await measureRate(100, open);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  await measureRate(SESSIONS, open);
  globalThis.gc?.();
  const bytes = (process.memoryUsage().heapUsed - before) / SESSIONS;
  // What holds them is alive until here.
  await hosted.sweep();
  return bytes;
}

const { created, opened } = await measureServe();
const bytes = await measureMemory();
const middle = (rates: readonly number[]) =>
  Math.round([...rates].sort((one, other) => one - other)[ROUNDS >> 1] ?? Number.NaN);
const megabytes = ((bytes * SESSIONS) / 1e6).toFixed(1);
process.stdout.write(`Measured on ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}.

| hosted logins through \`ventanilla serve\`, ${AT_A_TIME} at a time, sessions in memory | |
|---|---:|
| sessions made in a second (\`POST /sessions\`) | ${middle(created)} |
| pages shown in a second | ${middle(opened)} |
| heap of ${SESSIONS} open sessions | ${megabytes} MB, ${Math.round(bytes)} bytes each |
`);
