import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { createClient } from "redis";
import { expect, onTestFinished, test } from "vitest";
import { watchedBank } from "../../bank/watched-bank.ts";
import { kinds, TEST } from "../../core/stores/connections.ts";
import { forwardRedis, type Server } from "../../core/stores/servers.ts";
import { ownFolder, parseLines, run, start, startHere } from "./program.ts";
import { installWithPackages } from "./with-packages.ts";

const stores = {
  Redis: { kind: "Redis, by the package redis", toAddress: forwardRedis },
  Postgres: {
    kind: "Postgres, by the package pg",
    toAddress: ({ folder }: Server) => `postgres:///postgres?host=${folder}&user=ventanilla`,
  },
} as const;

type Name = keyof typeof stores;

/** Each lets a store be read, and refuse what is written. */
const refusals = {
  Redis: {
    "is at its memory limit": ["OOM command not allowed when used memory > 'maxmemory'.", configure("maxmemory", "1")],
    "has too few replicas": ["NOREPLICAS Not enough good replicas to write.", configure("min-replicas-to-write", "1")],
    "is a replica after a fail-over": [
      "READONLY You can't write against a read only replica.",
      async (address: string) => {
        const client = await createClient({ url: address }).connect();
        await client.sendCommand(["REPLICAOF", "127.0.0.1", "1"]);
        client.destroy();
      },
    ],
  },
  Postgres: {
    "is a replica after a fail-over": [
      "cannot execute INSERT in a read-only transaction",
      async (address: string) => {
        const pool = new pg.Pool({ connectionString: address, application_name: TEST });
        await pool.query("ALTER DATABASE postgres SET default_transaction_read_only = on");
        // The server connects again. A connection of a test that is about to end would throw.
        await pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name <> $1 AND usename IS NOT NULL",
          [TEST],
        );
        await pool.end();
      },
    ],
  },
} as const satisfies Record<Name, Record<string, readonly [string, (address: string) => Promise<void>]>>;

function configure(setting: string, value: string) {
  return async (address: string) => {
    const client = await createClient({ url: address }).connect();
    await client.configSet(setting, value);
    client.destroy();
  };
}

/** A server is not ready if its store refuses what is written, and its log has the words of the store. */
export const readOnlySessions = (name: Name) =>
  test.each(Object.entries(refusals[name]))(
    `a server whose ${name} %s is not ready, and says why`,
    async (_, [said, refuse]) => {
      const { address, prepare } = await openDatabase(name);
      await prepare?.();
      const { environment } = await watchedBank();
      const program = startHere(serveWords, { ...environment, ...serveEnvironment(address) });
      onTestFinished(async () => void (await program.stop()));
      let err = "";
      program.stderr.on("data", (part) => {
        err += part;
      });
      const { url } = await program.firstLine();
      await refuse(address);
      await expectRefusal(url, () => err, { said: expect.stringContaining(said) });
    },
  );

export const fullFolder = () =>
  test("a server whose folder of sessions is on a full disk is not ready, and says why", async () => {
    const store = `folder:${await ownFolder()}`;
    const { environment } = await watchedBank();
    const { child, firstLine } = await start(serveWords, {
      environment: { ...environment, ...serveEnvironment(store) },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let err = "";
    child.stderr.on("data", (part) => {
      err += part;
    });
    const { url } = await firstLine();
    // No file of this process may grow any more.
    execFileSync("prlimit", ["--pid", `${child.pid}`, "--fsize=0:0"]);
    await expectRefusal(url, () => err, { cause: "EFBIG" });
  });

const KEY = "a-serve-key-of-a-test-01";
const serveWords = ["serve", "--json", "--port", "0", "--name", "Shop", "--url", "https://login.shop.example/bank"];
const serveEnvironment = (store: string) => ({
  VENTANILLA_SEAL_KEY: randomBytes(32).toString("base64"),
  VENTANILLA_SERVE_KEY: KEY,
  VENTANILLA_STORE: store,
});

/** A server with a store that refuses what is written makes no session and is not ready. */
async function expectRefusal(url: unknown, readLog: () => string, fault: object): Promise<void> {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const created = await fetch(`${url}/sessions`, { method: "POST", headers, body: JSON.stringify({ user: "42" }) });
  expect(created.status).toBe(503);
  const ready = await fetch(`${url}/ready`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: "store_failed" }]);
  const readLines = () => parseLines(readLog().slice(0, readLog().lastIndexOf("\n") + 1));
  for (const route of ["POST /sessions", "GET /ready"]) {
    const findRequest = () => readLines().find((line) => line["route"] === route)?.["requestId"];
    await expect.poll(findRequest).toBeDefined();
    const error = { event: "error", requestId: findRequest(), ...fault };
    expect(readLines()).toContainEqual(expect.objectContaining(error));
  }
}

/** A database of a test's own, and the program with the packages beside it. */
async function openDatabase(name: Name) {
  const { kind: kindName, toAddress } = stores[name];
  const kind = kinds.find(([known]) => known === kindName)?.[1];
  if (!kind) throw new Error(`There is no ${kindName}.`);
  const server = await kind.start();
  onTestFinished(() => server.stop());
  const [address, { main }] = [await toAddress(server), await installWithPackages()];
  return { address, main, prepare: kind.prepare && (() => kind.prepare?.(server)) };
}

export const sharedSessions = (name: Name) =>
  test(`two servers share their sessions in ${name}`, async () => {
    const { address, main, prepare } = await openDatabase(name);
    const { environment: service } = await watchedBank();
    const environment = { ...service, ...serveEnvironment(address) };
    if (prepare) {
      const refused = await run(serveWords, { environment });
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("[--store: 42P01: relation ") });
      await prepare();
    }
    const toCall = (line: Record<string, unknown>) => {
      const call = async (method: string, path: string, body?: object) => {
        const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
        const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
        return (await fetch(`${line["url"]}${path}`, init)).json();
      };
      return call;
    };
    const { child, result, firstLine } = await start(serveWords, { environment, main });
    onTestFinished(() => void child.kill("SIGKILL"));
    // The second one is in this process.
    const second = startHere(serveWords, environment);
    onTestFinished(async () => void (await second.stop()));
    const [callFirst, callSecond] = [toCall(await firstLine()), toCall(await second.firstLine())];
    const { id, status } = await callFirst("POST", "/sessions", { user: "42" });
    expect(status).toBe("created");
    expect(await callSecond("DELETE", `/sessions/${id}`)).toMatchObject({ id, status: "cancelled" });
    expect(await callFirst("GET", `/sessions/${id}`)).toMatchObject({ id, user: "42", status: "cancelled" });
    child.kill("SIGTERM");
    expect((await result).code).toBe(0);
  });
