import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { createBankClient } from "ventanilla";
import { DURABLE_LOGIN_VERSION, type DurableLoginOptions, durableLogin } from "ventanilla/restate";
import { changedMachine } from "./changed-machine.ts";

// A process of its own that serves durable logins on a port. The tests kill it.

const { BASE_URL: baseUrl = "", API_KEY: apiKey = "", SEAL_KEY: sealKey = "" } = process.env;
const { PORT = "0", VERSIONS = DURABLE_LOGIN_VERSION, RETENTION } = process.env;

const options: DurableLoginOptions = {
  client: createBankClient({ baseUrl, apiKey }),
  sealKey,
  ...(RETENTION && { retention: Number(RETENTION), journalRetention: Number(RETENTION) }),
};
const services = VERSIONS.split(",").map((version) =>
  durableLogin(version === DURABLE_LOGIN_VERSION ? options : { ...options, version, machine: changedMachine }),
);
const server = createServer(createEndpointHandler({ services }));
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
