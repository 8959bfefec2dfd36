import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createBankClient } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, test } from "vitest";
import { createNodeHandler } from "../../src/core/http/node-handler.ts";
import { startSandbox } from "../bank/service.ts";
import { listen } from "../servers/relay/stage.ts";

const file = fileURLToPath(new URL("../../docs/examples/relay-client.py", import.meta.url));

/** What the example prints. @param isLost whether the response is lost. @param limits how many reads are refused once the limit is reached. */
async function run(isLost: (request: string) => boolean, limits = 0) {
  let refusals = limits;
  const bank = await startSandbox({ apiKey: "k" });
  const relay = createRelay({
    client: createBankClient({ baseUrl: bank.url, apiKey: "k" }),
    store: createMemoryStore({ rows: new Map() }),
    allowedOrigins: [],
    checkAppToken: () => true,
    readUser: () => "ana",
    rateLimit: ({ kind }) => (kind === "read" && refusals-- > 0 ? 1_000 : 0),
    onLogin: () => {},
  });
  const handle = createNodeHandler(relay);
  const url = await listen((request, response) => {
    const name = `${request.method} ${request.url} ${request.headers["x-ventanilla-submit"]}`;
    if (isLost(name)) response.end = () => response.destroy() as never;
    return handle(request, response);
  });
  const env = { PATH: process.env["PATH"], RELAY_URL: url, APP_TOKEN: "t", PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn("python3", [file], { env });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part) => {
      printed += part;
    });
  }
  await once(child, "close");
  return { printed: printed.split("\n"), posts: bank.paths().filter((path) => path === "POST /login/") };
}

test.each([
  ["loses no response", [], 0],
  ["loses the response to the login", ["POST /login/ 1"], 0],
  ["loses the response to the answer, and that to its question", ["POST /login/ 2", "GET /submit/ 2"], 0],
  ["asks again if the relay can't say yet", ["POST /login/ 1"], 2],
])("a client in Python logs in by the wire of docs/relay.md, and %s", async (_, lost, limits) => {
  const names = new Set<string>(lost);
  const { printed, posts } = await run((name) => names.delete(name), limits);
  expect(names).toEqual(new Set());
  expect(printed).toEqual([
    expect.stringContaining("The bank asks:"),
    "logged_in",
    "Can transfer to Institución de prueba 1",
    "Can transfer to Institución de prueba 2",
    "",
  ]);
  expect(posts).toHaveLength(2);
});
