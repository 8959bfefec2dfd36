import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { createBankClient } from "ventanilla";
import { durableLogin } from "ventanilla/restate";
import { drainAtSigterm } from "../../../docs/examples/drain.ts";

// A process of its own that serves durable logins on a port. The tests kill it.

const { BASE_URL: baseUrl = "", API_KEY: apiKey = "", SEAL_KEY: sealKey = "" } = process.env;
const { PORT = "0", RETENTION } = process.env;

const more = RETENTION && { retention: Number(RETENTION), journalRetention: Number(RETENTION) };
const login = durableLogin({ client: createBankClient({ baseUrl, apiKey }), sealKey, ...more });
const server = createServer(createEndpointHandler({ services: [login] }));
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
