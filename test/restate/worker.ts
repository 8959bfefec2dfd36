import { createServer } from "node:http2";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { createBankClient } from "ventanilla";
import { DURABLE_LOGIN_VERSION, type DurableLoginOptions, durableLogin } from "ventanilla/restate";
import { changedMachine } from "./changed-machine.ts";

// A worker: a process of its own that serves durable logins on a port. Killed at any moment, on purpose.

const {
  BASE_URL: baseUrl = "",
  API_KEY: apiKey = "",
  SEAL_KEY: sealKey = "",
  VERSIONS = DURABLE_LOGIN_VERSION,
} = process.env;
const { PORT = "0", RETENTION, JOURNAL_RETENTION, LOGIN_TIMEOUT = "90000" } = process.env;

const options: DurableLoginOptions = {
  client: createBankClient({ baseUrl, apiKey, timeout: { login: Number(LOGIN_TIMEOUT) } }),
  sealKey,
  ...(RETENTION && { retention: Number(RETENTION) }),
  ...(JOURNAL_RETENTION && { journalRetention: Number(JOURNAL_RETENTION) }),
};
const services = VERSIONS.split(",").map((version) =>
  durableLogin(version === DURABLE_LOGIN_VERSION ? options : { ...options, version, machine: changedMachine }),
);
const server = createServer(createEndpointHandler({ services }));
server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === "object" ? address?.port : undefined })}\n`);
});
// Nobody is left to serve for.
process.on("disconnect", () => process.exit());
process.on("message", () => {
  // What it holds, asked for by the measurements.
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
