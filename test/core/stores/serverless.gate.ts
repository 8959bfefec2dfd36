import { createServer } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { createClient } from "redis";
import { login } from "ventanilla";
import { createNodeHandler } from "ventanilla/node";
import { createRedisStore } from "ventanilla/tokens";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createHttpRedis } from "../../../docs/examples/redis-http.ts";
import { startSandbox } from "../../bank/service.ts";
import { createPage, listen, OTP, PAGE, SEAL_KEY } from "../../servers/relay/stage.ts";
import { type Server, startRedis } from "./servers.ts";
import { conformance } from "./store-conformance.ts";

// Redis over HTTP for docs/examples: what Upstash has before a Redis.

const TOKEN = "a-token";
let redis: Server;
let close: () => unknown;
let url: string;

beforeAll(async () => {
  redis = await startRedis();
  const client = await createClient({ socket: { path: join(redis.folder, "redis.sock"), tls: false } }).connect();
  const server = createServer(async (request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return reply(401, { error: "Unauthorized" });
    const command = (await json(request)) as (string | number)[];
    return client.sendCommand(command.map(String)).then(
      (result) => reply(200, { result }),
      (error: Error) => reply(400, { error: error.message }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  close = () => {
    server.close();
    client.destroy();
  };
});
afterAll(async () => {
  close?.();
  await redis?.stop();
});

const createStore = () => createRedisStore(createHttpRedis({ url, token: TOKEN }));

test.each(conformance)("Redis over HTTP: %s", async (_, run) => {
  await run(createStore(), createStore());
});

test("Redis over HTTP says why it refuses", async () => {
  await expect(async () => createRedisStore(createHttpRedis({ url, token: "x" })).read("a")).rejects.toThrow(
    "Unauthorized",
  );
  await expect(createHttpRedis({ url, token: TOKEN }).eval("nonsense", { keys: [], arguments: [] })).rejects.toThrow(
    "compiling",
  );
});

test("docs/examples/serverless.ts goes on with a login at another instance, and sends it once", async () => {
  const bank = await startSandbox({ apiKey: "k" });
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const variables = { BANK_URL: bank.url, API_KEY: "k", SEAL_KEY, REDIS_URL: url, REDIS_TOKEN: TOKEN, PAGE };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const file = new URL("../../../docs/examples/serverless.ts", import.meta.url).href;
  const startInstance = async (number: number) => {
    const { default: example } = (await import(
      `${file}?${number}`
    )) as typeof import("../../../docs/examples/serverless.ts");
    return createNodeHandler(example.fetch);
  };
  const instances = [await startInstance(1), await startInstance(2)];
  let count = 0;
  const relay = await listen((request, response) => instances[count++ % 2]?.(request, response));
  const client = createPage(`${relay}/bank`);
  const outcome = await login(client, OTP, { settings: { validate: false }, onInteraction: () => "8888" });
  expect(outcome).toMatchObject({ state: "loggedIn" });
  if (outcome.state !== "loggedIn") return;
  expect(await client.listTransferDestinations(outcome.key)).toMatchObject({ status: "success" });
  expect(count).toBe(3);
  expect(bank.paths().filter((path) => path === "POST /login/")).toHaveLength(2);
  expect(log.mock.calls).toEqual([["logged in at test with [secret]"]]);
  vi.unstubAllEnvs();
  log.mockRestore();
});
