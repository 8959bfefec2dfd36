import { randomBytes } from "node:crypto";
import pg from "pg";
import { createClient } from "redis";
import { expect, onTestFinished, test } from "vitest";
import { watchedBank } from "../../bank/watched-bank.ts";
import { kinds } from "../../core/stores/connections.ts";
import { forwardRedis, type Server } from "../../core/stores/servers.ts";
import { parseLines, run, start, startHere } from "./program.ts";
import { installWithPackages } from "./with-packages.ts";

const stores = {
  Redis: { kind: "Redis, by the package redis", toAddress: forwardRedis },
  Postgres: {
    kind: "Postgres, by the package pg",
    toAddress: ({ folder }: Server) => `postgres:///postgres?host=${folder}&user=ventanilla`,
  },
} as const;

type Name = keyof typeof stores;

/** Lets a database be read, and refuse what is written: as at its memory limit, and as a replica. Its words for that. */
const refusals = {
  async Redis(address: string) {
    const client = await createClient({ url: address }).connect();
    await client.configSet("maxmemory", "1");
    client.destroy();
    return "OOM command not allowed when used memory > 'maxmemory'.";
  },
  async Postgres(address: string) {
    const pool = new pg.Pool({ connectionString: address });
    await pool.query("ALTER DATABASE postgres SET default_transaction_read_only = on");
    // The server connects again, as after a fail-over.
    await pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename IS NOT NULL",
    );
    await pool.end();
    return "cannot execute INSERT in a read-only transaction";
  },
} as const satisfies Record<Name, (address: string) => Promise<string>>;

export const readOnlySessions = (name: Name) =>
  test(`a server whose ${name} refuses what is written is not ready, and its log has the words of the database`, async () => {
    const { address, prepare } = await openDatabase(name);
    await prepare?.();
    const { environment: service } = await watchedBank();
    const key = "a-serve-key-of-a-test-01";
    const environment = {
      ...service,
      VENTANILLA_SEAL_KEY: randomBytes(32).toString("base64"),
      VENTANILLA_SERVE_KEY: key,
      VENTANILLA_STORE: address,
    };
    const words = ["serve", "--json", "--port", "0", "--name", "Shop", "--url", "https://login.shop.example/bank"];
    const program = startHere(words, environment);
    onTestFinished(async () => void (await program.stop()));
    let err = "";
    program.stderr.on("data", (part) => {
      err += part;
    });
    const { url } = await program.firstLine();
    const said = await refusals[name](address);
    const create = () => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      return fetch(`${url}/sessions`, { method: "POST", headers, body: JSON.stringify({ user: "42" }) });
    };
    expect((await create()).status).toBe(503);
    const ready = await fetch(`${url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: "store_failed" }]);
    const requests = ["POST /sessions", "GET /ready"].map((route) =>
      parseLines(err).find((line) => line["route"] === route),
    );
    for (const request of requests) {
      const fault = { event: "error", requestId: request?.["requestId"], said: expect.stringContaining(said) };
      expect(parseLines(err)).toContainEqual(expect.objectContaining(fault));
    }
  });

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
    const key = "a-serve-key-of-a-test-01";
    const environment = {
      ...service,
      VENTANILLA_SEAL_KEY: randomBytes(32).toString("base64"),
      VENTANILLA_SERVE_KEY: key,
      VENTANILLA_STORE: address,
    };
    const words = ["serve", "--json", "--port", "0", "--name", "Shop", "--url", "https://login.shop.example/bank"];
    if (prepare) {
      const refused = await run(words, { environment });
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("[--store: 42P01: relation ") });
      await prepare();
    }
    const toCall = (line: Record<string, unknown>) => {
      const call = async (method: string, path: string, body?: object) => {
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
        const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
        return (await fetch(`${line["url"]}${path}`, init)).json();
      };
      return call;
    };
    const { child, result, firstLine } = await start(words, { environment, main });
    onTestFinished(() => void child.kill("SIGKILL"));
    // The second one is in this process.
    const second = startHere(words, environment);
    onTestFinished(async () => void (await second.stop()));
    const [callFirst, callSecond] = [toCall(await firstLine()), toCall(await second.firstLine())];
    const { id, status } = await callFirst("POST", "/sessions", { user: "42" });
    expect(status).toBe("created");
    expect(await callSecond("DELETE", `/sessions/${id}`)).toMatchObject({ id, status: "cancelled" });
    expect(await callFirst("GET", `/sessions/${id}`)).toMatchObject({ id, user: "42", status: "cancelled" });
    child.kill("SIGTERM");
    expect((await result).code).toBe(0);
  });
