// A batch at slow banks, with and without faults of every kind, beside each other. Run by `npm run bench -- batch`.
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { batch } from "../../src/core/batch/index.ts";
import { createBankClient } from "../../src/index.ts";

const ROWS = 5_000;
const BANKS = 50;
/** Milliseconds that a bank takes. */
const SLOW = 2_400;
/** One login of so many meets a fault. */
const FAULTY = 20;
/** As long as the same load without faults, at most. */
const LIMIT = 1.2;

const loggedIn = JSON.stringify({ status: "logged_in", key: "0f".repeat(16) });

const faults: readonly ((response: ServerResponse) => unknown)[] = [
  (response) => response.destroy(),
  (response) => response.writeHead(200, { "content-length": "100" }).write('{"status"', () => response.destroy()),
  (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
  (response) => response.writeHead(429, { "retry-after": "1" }).end(),
  (response) => response.writeHead(429).end(),
  (response) => response.writeHead(500).end(),
  (response) => response.writeHead(502).end(),
  (response) => response.writeHead(503).end(),
  (response) => response.writeHead(503).end(JSON.stringify({ status: "provider_unavailable" })),
  (response) => response.writeHead(403).end(JSON.stringify({ status: "wrong_credentials" })),
];

/** Runs all rows at a service of its own. @returns the seconds, and how the rows ended. */
async function run(isFaulty: boolean) {
  let logins = 0;
  const server = createServer((request, response) => {
    request.resume();
    const number = request.method === "POST" ? ++logins : 0;
    const fault = isFaulty && number % FAULTY === 1 ? faults[Math.floor(number / FAULTY) % faults.length] : undefined;
    setTimeout(() => (fault ? fault(response) : response.end(loggedIn)), SLOW);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = createBankClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: "key",
  });
  const rows = Array.from({ length: ROWS }, (_, index) => ({
    id: `${index}`,
    provider: `bank-${index % BANKS}`,
    username: `${index}`,
    password: "gfdsa",
    settings: { validate: false },
  }));
  const begun = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-batch-"));
  const options = { journal: join(folder, "journal"), concurrency: 100 };
  const endings = new Map<string, number>();
  for await (const { outcome, fault } of batch(client, rows, options)) {
    const failure = outcome?.state === "failed" ? outcome.failure : fault;
    const ending = failure?.code ?? outcome?.state ?? "";
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
  }
  const seconds = (performance.now() - begun) / 1000;
  await rm(folder, { recursive: true });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { seconds, logins, endings };
}

const plain = await run(false);
const faulty = await run(true);
const ratio = faulty.seconds / plain.seconds;
console.log(`${ROWS} rows at ${BANKS} banks, 100 at a time, ${SLOW} ms each: ${plain.seconds.toFixed(1)} s`);
console.log(
  `one fault in ${FAULTY} logins: ${faulty.seconds.toFixed(1)} s, ${ratio.toFixed(2)} times as long, one run`,
);
console.log(`${faulty.logins} logins came to the banks: ${[...faulty.endings].map((end) => end.join(" ")).join(", ")}`);
if (faulty.logins !== ROWS || ratio > LIMIT) process.exitCode = 1;
