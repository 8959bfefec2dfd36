import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { promised } from "../../bank/service.ts";
import { isLogin, watchedBank } from "../../bank/watched-bank.ts";
import { kinds } from "../../core/stores/connections.ts";
import { forwardRedis, type Server } from "../../core/stores/servers.ts";
import { type Line, openBatch } from "./open-batch.ts";
import { run, runProcess, start, startHere } from "./program.ts";
import { installWithPackages } from "./with-packages.ts";

const stores = {
  Redis: { kind: "Redis, by the package redis", toAddress: forwardRedis },
  Postgres: {
    kind: "Postgres, by the package pg",
    toAddress: ({ folder }: Server) => `postgres:///postgres?host=${folder}&user=ventanilla`,
  },
} as const;

type Name = keyof typeof stores;

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

export const threeHosts = (name: Name) =>
  test(`claims in ${name}: three hosts with one batch send each login once, and once in the next batch`, async () => {
    const { address, main, prepare } = await openDatabase(name);
    const ids = Array.from({ length: 40 }, (_, index) => `user-${index}`);
    const hosts = ["1.jsonl", "2.jsonl", "3.jsonl"];
    // No login is answered before all hosts have begun.
    const { promise, keep } = promised<undefined>();
    let begun = 0;
    const { options, sent, results } = await openBatch(
      ids.map((id) => ({ id, provider: "test", username: id, password: "no" })),
      (request) => {
        if (isLogin(request)) return promise;
        begun += 1;
        if (begun === hosts.length) keep(undefined);
        return undefined;
      },
    );
    const words = (host: string) => ["batch", "logins.jsonl", "--out", host];
    const inMonth = (month: string) => {
      const environment = { ...options.environment, VENTANILLA_CLAIMS: `${address}#${month}` };
      return { ...options, environment, main };
    };
    // Without its table a database is refused before anything is sent.
    if (prepare) {
      const stderr = expect.stringContaining("[--claims: 42P01]");
      expect(await run(words("1.jsonl"), inMonth("may"))).toMatchObject({ code: 2, stderr });
      expect(sent()).toEqual([]);
      await prepare();
      begun = 0;
    }
    // The first host is this process.
    const ended = await Promise.all(
      hosts.map((host, index) => (index === 0 ? run : runProcess)(words(host), inMonth("may"))),
    );
    expect(ended).toMatchObject(hosts.map(() => ({ code: 8 })));
    expect(sent().sort()).toEqual([...ids].sort());
    const lines = (await Promise.all(hosts.map(results))).flat();
    const own = lines.filter(({ status }) => status === "wrong_credentials").map(({ id }) => id);
    expect(own.sort()).toEqual([...ids].sort());
    // Each host knows how the logins of the others ended.
    expect(lines.map(({ end, status }) => end ?? status)).toEqual(Array(3 * ids.length).fill("wrong_credentials"));
    await run(words("june.jsonl"), inMonth("june"));
    expect(sent()).toHaveLength(2 * ids.length);
  });

export const killedHost = (name: Name) =>
  test(`claims in ${name}: two hosts with one batch, one killed twice, send no login twice and lose none`, async () => {
    const { address, main, prepare } = await openDatabase(name);
    await prepare?.();
    const ids = Array.from({ length: 30 }, (_, index) => `user-${index}`);
    let isHeld = true;
    const { bank, options, sent, results } = await openBatch(
      ids.map((id) => ({ id, provider: "test", username: id, password: "no" })),
      async (request) => {
        if (!isLogin(request)) return undefined;
        await setTimeout(30);
        return isHeld ? "held" : undefined;
      },
    );
    const environment = { ...options.environment, VENTANILLA_CLAIMS: `${address}#may` };
    const words = (host: string) => ["batch", "logins.jsonl", "--out", host];
    const startOn = (host: string) => start(words(host), { ...options, environment, main });
    const killAt = async (logins: number) => {
      const reached = bank.nextLogin(logins);
      const { child, result } = await startOn("2.jsonl");
      await reached;
      child.kill("SIGKILL");
      await result;
    };
    // Once with a login at the bank, and once while both hosts work.
    await killAt(1);
    isHeld = false;
    const first = await startOn("1.jsonl");
    await killAt(4);
    const second = await run(words("2.jsonl"), { ...options, environment });
    expect([(await first.result).code, second.code]).toEqual([8, 8]);

    expect(new Set(sent()).size).toBe(sent().length);
    const [ofFirst = [], ofSecond = []] = await Promise.all(["1.jsonl", "2.jsonl"].map(results));
    for (const lines of [ofFirst, ofSecond]) {
      expect(lines.map(({ id }) => id).sort()).toEqual([...ids].sort());
      const known = lines.filter(({ status }) => status !== "outcome_unknown");
      expect(known.map(({ end, status }) => end ?? status)).toEqual(known.map(() => "wrong_credentials"));
      expect(sent()).toEqual(expect.arrayContaining(known.map(({ id }) => id)));
    }
    // What the killed one has not written is unknown to both.
    const findUnknown = (lines: readonly Line[]) =>
      lines.flatMap(({ id, status }) => (status === "outcome_unknown" ? [id] : []));
    expect(findUnknown(ofSecond).length).toBeGreaterThan(0);
    expect(findUnknown(ofFirst)).toEqual(expect.arrayContaining(findUnknown(ofSecond)));
  });

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
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("[--store: 42P01]") });
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
