import { Redis } from "ioredis";
import { createClient } from "redis";
import { pause, resume } from "ventanilla";
import { createRedisStore, type Store } from "ventanilla/tokens";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { claim } from "../../../src/core/tokens/store.ts";
import { asks, loggedIn, openQuestion } from "../../bank/service.ts";
import { form, interactionKey, OTP, stage } from "../../servers/relay/stage.ts";
import { codeFor, KEY, waiting } from "../pause/paused.ts";
import { type Connection, kinds, startCluster } from "./connections.ts";
import { forwardRedis, type Server, startRedis } from "./servers.ts";
import { conformance } from "./store-conformance.ts";

const HOUR = 3_600_000;

describe.each(kinds)("%s", (_, kind) => {
  let server: Server;
  let [first, second]: Connection[] = [];
  const both = () => [first, second] as [Connection, Connection];

  beforeAll(async () => {
    server = await kind.start();
    await kind.prepare?.(server);
    [first, second] = await Promise.all([kind.connect(server), kind.connect(server)]);
  });
  afterAll(async () => {
    await Promise.all([first?.close(), second?.close()]);
    await server?.stop();
  });

  test.each(conformance)("%s", async (_title, run) => {
    const [{ store: one }, { store: other }] = both();
    await run(one, other);
  });

  test("gives an id to one of many simultaneous claims over two connections", async () => {
    for (const id of Array.from({ length: 50 }, (_, number) => `race-${number}`)) {
      const claims = Array.from({ length: 20 }, (_, number) =>
        both()[(number % 2) as 0 | 1].store.swap(id, undefined, `${number}`, HOUR),
      );
      const won = (await Promise.all(claims)).filter((claimed) => claimed);
      expect({ id, won }).toEqual({ id, won: [true] });
    }
  });

  test("removes an id from the server when its lifetime is over", async () => {
    const [{ store, lifetimes }] = both();
    await store.swap("kept", undefined, "", HOUR);
    const left = await lifetimes();
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter((milliseconds) => milliseconds <= 0 || milliseconds > HOUR)).toEqual([]);
    await store.swap("short", undefined, "", 1);
    await expect
      .poll(async () => {
        // Postgres removes expired rows with the next id.
        await store.swap("kept", undefined, "", HOUR);
        return (await lifetimes()).length;
      })
      .toBe(left.length);
  });

  test("counts by the clock of the server, also in an instance whose clock is an hour behind or ahead", async () => {
    onTestFinished(() => void vi.useRealTimers());
    for (const [number, difference] of [-HOUR, HOUR].entries()) {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + difference });
      const [{ store }, { store: other }] = both();
      expect(await store.swap(`clock:${number}`, undefined, "a", 600_000, true)).toBe(true);
      expect(await other.swap(`clock:${number}`, undefined, "b", 600_000, true)).toBe(false);
      expect([await store.read(`clock:${number}`), await other.list(`clock:${number}`, 1)]).toEqual([
        "a",
        [`clock:${number}`],
      ]);
      vi.useRealTimers();
    }
  });

  test("the bank gets one second login from two relays that send the same answer at once", async () => {
    const [one, other] = both();
    const left = await stage({ store: one.store, rateLimit: false });
    const right = await stage({ store: other.store, rateLimit: false }, { bank: left.bank });
    for (let round = 0; round < 10; round += 1) {
      const key = await interactionKey(left);
      const answers = [left, right, left, right].map(({ send }) => send("/login/", form({ ...OTP, otp: "8888" }), key));
      const bodies = (await Promise.all(answers)).map(async (response) => (await response.json()).status);
      expect(await Promise.all(bodies)).toEqual(Array(4).fill("logged_in"));
      expect(left.bank.requests).toHaveLength(1);
    }
  });

  test("a paused login that is resumed in two places at once goes on in one", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1"), loggedIn("key-2")]);
    const token = await pause(service.client(), actor, { key: KEY });
    const uses = await Promise.allSettled(
      both().map(({ store }) => resume(service.client(), token, { key: KEY, claimStore: store })),
    );
    expect(uses.filter(({ status }) => status === "rejected")).toMatchObject([{ reason: { code: "token_used" } }]);
    for (const use of uses) {
      if (use.status === "fulfilled") await openQuestion(use.value).answer("8888");
    }
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key-1"]);
  });

  // The last test, because it stops the server.
  test("without its server the store refuses every claim", async () => {
    const set = await stage({ store: both()[0].store });
    const key = await interactionKey(set);
    const { service, actor } = await waiting([asks("otp", "key-1")]);
    const token = await pause(service.client(), actor, { key: KEY });
    await server.stop();
    expect((await set.send("/login/", form({ ...OTP, otp: "8888" }), key)).status).toBe(500);
    expect(set.errors).toMatchObject([{ code: "handler_failed", field: "store" }]);
    expect(set.bank.requests).toEqual([]);
    const { store: claimStore } = both()[1];
    expect(await codeFor(service.client(), token, { claimStore })).toMatchObject({
      code: "handler_failed",
      field: "claimStore",
    });
    expect(service.requests).toHaveLength(1);
  });
});

describe("a cluster of Redis", () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.stop());

  test.each(conformance)("%s", async (_title, run) => run(...cluster.stores));
});

describe("a claim whose answer is lost with its connection is taken, once:", () => {
  const clients: readonly [name: string, open: (url: string) => Promise<readonly [Store, close: () => void]>][] = [
    [
      "redis",
      async (url) => {
        const client = createClient({ url });
        await client.on("error", () => undefined).connect();
        return [createRedisStore(client), () => client.destroy()];
      },
    ],
    [
      "ioredis",
      async (url) => {
        const client = new Redis(url).on("error", () => undefined);
        return [createRedisStore(client), () => client.disconnect()];
      },
    ],
  ];

  test.each(clients)("by the package %s", async (_, open) => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    let isCut = false;
    const url = await forwardRedis(server, () => {
      const isNow = isCut;
      isCut = false;
      return isNow;
    });
    const [store, close] = await open(url);
    onTestFinished(close);
    await store.read("connected");
    isCut = true;
    expect(await claim(store, "an-id", new Date(Date.now() + HOUR))).toBe(true);
    expect([isCut, await claim(store, "an-id", new Date(Date.now() + HOUR))]).toEqual([false, false]);
  });
});
