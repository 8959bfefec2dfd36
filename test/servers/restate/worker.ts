import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { createBankClient } from "ventanilla";
import { DURABLE_LOGIN_VERSION, durableLogin } from "ventanilla/restate";
import { drainAtSigterm } from "../../../docs/examples/drain.ts";
import { loadOlderVersion } from "./older/older-version.ts";

// A process of its own that serves durable logins on a port. The tests kill it.

const { BASE_URL: baseUrl = "", API_KEY: apiKey = "", SEAL_KEY: sealKey = "" } = process.env;
const { PORT = "0", VERSIONS = DURABLE_LOGIN_VERSION, RETENTION } = process.env;

const more = RETENTION && { retention: Number(RETENTION), journalRetention: Number(RETENTION) };

/** The logins of a version, with its own code. */
async function serveVersion(version: string) {
  const { createBankClient: createClient, durableLogin: createService } =
    version === DURABLE_LOGIN_VERSION ? { createBankClient, durableLogin } : await loadOlderVersion(version);
  return createService({ client: createClient({ baseUrl, apiKey }), sealKey, ...more });
}

const services = await Promise.all(VERSIONS.split(",").map(serveVersion));
const server = createServer(createEndpointHandler({ services }));
drainAtSigterm(server);
// The channel to the process that started this one keeps it alive, but not after that.
process.once("SIGTERM", () => process.channel?.unref());
server.listen(Number(PORT), "127.0.0.1", () => {
  process.send?.((server.address() as AddressInfo).port);
});
// The process that started this one has ended.
process.on("disconnect", () => process.exit());
// The measurements ask for the size of the heap.
process.on("message", () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
