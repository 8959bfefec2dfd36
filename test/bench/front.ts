import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "redis";
import { createNodeHandler } from "../../src/core/http/node-handler.ts";
import type { Store } from "../../src/core/tokens/index.ts";
import { createMemoryStore } from "../../src/core/tokens/memory-store.ts";
import { createRedisStore } from "../../src/core/tokens/redis-store.ts";
import { createBankClient } from "../../src/index.ts";
import { createRelay } from "../../src/servers/relay/index.ts";

// What stands between a page and the bank, in a process of its own: a relay, and a bare proxy that passes a login on. Ends with its parent.
const [baseUrl = "", connections = ""] = process.argv.slice(2);
// The relay opens a connection to the bank for each login.
const connection: HeadersInit = connections === "kept" ? {} : { connection: "close" };
const { REDIS_URL } = process.env;

const createHandler = (store: Store) =>
  createNodeHandler(
    createRelay({
      client: createBankClient({ baseUrl, apiKey: "api-key" }),
      allowedOrigins: ["https://shop.example"],
      store,
      ...(store.startedAt === undefined && { sealKey: randomBytes(32).toString("base64") }),
      rateLimit: false,
      readCaller: () => "bench",
      readUser: false,
      onLogin: () => undefined,
    }),
  );
const relay = createHandler(createMemoryStore({ rows: new Map() }));
const shared = REDIS_URL && createHandler(createRedisStore(await createClient({ url: REDIS_URL }).connect()));

const proxy = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const key = request.headers["x-session-key"];
  const address = `${baseUrl}${request.url}${key === undefined ? "" : `?key=${key}`}`;
  const headers = { ...connection, "x-api-key": "api-key", "content-type": "application/x-www-form-urlencoded" };
  const answer = await fetch(address, { method: "POST", headers, body: Buffer.concat(chunks) });
  const body = await answer.text();
  response.writeHead(answer.status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
});

const ports = [createServer(relay), proxy, ...(shared ? [createServer(shared)] : [])].map(
  (server) =>
    new Promise<number>((resolve) => {
      // While the others are measured a kept connection is idle.
      server.keepAliveTimeout = 60_000;
      server.listen(0, "127.0.0.1", 4096, () => resolve((server.address() as AddressInfo).port));
    }),
);
process.send?.(await Promise.all(ports));
process.on("disconnect", () => process.exit());
