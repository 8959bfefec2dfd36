import { pause, resume } from "ventanilla";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { asks, loggedIn, openQuestion } from "../../bank/service.ts";
import { form, interactionKey, OTP, stage } from "../../servers/relay/stage.ts";
import { codeFor, KEY, waiting } from "../pause/paused.ts";
import { type Connection, kinds } from "./connections.ts";
import { conformance } from "./record-conformance.ts";
import type { Server } from "./servers.ts";

const inAnHour = () => new Date(Date.now() + 3_600_000);

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

  test("gives an id to one of many simultaneous claims over two connections", async () => {
    for (const id of Array.from({ length: 50 }, (_, number) => `race-${number}`)) {
      const claims = Array.from({ length: 20 }, (_, number) =>
        both()[(number % 2) as 0 | 1].claimStore.claim(id, inAnHour()),
      );
      const won = (await Promise.all(claims)).filter((claimed) => claimed);
      expect({ id, won }).toEqual({ id, won: [true] });
    }
  });

  test("remembers an id until it expires, and then forgets it", async () => {
    const [{ claimStore, lifetimes }] = both();
    await claimStore.claim("kept", inAnHour());
    const left = await lifetimes();
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter((milliseconds) => milliseconds <= 0 || milliseconds > 3_600_000)).toEqual([]);
    expect(await claimStore.claim("kept", inAnHour())).toBe(false);

    await claimStore.claim("short", new Date(Date.now() + 1));
    await expect
      .poll(async () => {
        // Postgres removes expired rows with the next claim.
        await claimStore.claim("kept", inAnHour());
        return (await lifetimes()).length;
      })
      .toBe(left.length);
    expect(await claimStore.claim("short", inAnHour())).toBe(true);
  });

  test("remembers an id in an instance whose clock is an hour behind the server's", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    for (const [number, { claimStore }] of [...both(), ...both()].entries()) {
      expect(await claimStore.claim("behind", new Date(Date.now() + 600_000))).toBe(number === 0);
    }
  });

  test.each(conformance)("as a record store, %s", async (_title, run) => {
    const [{ recordStore: one }, { recordStore: other }] = both();
    await run(one, other);
  });

  test("the bank gets one second login from two relays that send the same answer at once", async () => {
    const [one, other] = both();
    const left = await stage({ claimStore: one.claimStore, rateLimit: false });
    const right = await stage({ claimStore: other.claimStore, rateLimit: false }, { bank: left.bank });
    for (let round = 0; round < 10; round += 1) {
      const key = await interactionKey(left);
      const answers = [left, right, left, right].map(({ send }) => send("/login/", form({ ...OTP, otp: "8888" }), key));
      expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
      expect(left.bank.requests).toHaveLength(1);
    }
  });

  test("a paused login that is resumed in two places at once goes on in one", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1"), loggedIn("key-2")]);
    const token = await pause(service.client(), actor, { key: KEY });
    const uses = await Promise.allSettled(
      both().map(({ claimStore }) => resume(service.client(), token, { key: KEY, claimStore })),
    );
    expect(uses.filter(({ status }) => status === "rejected")).toMatchObject([{ reason: { code: "token_used" } }]);
    for (const use of uses) {
      if (use.status === "fulfilled") await openQuestion(use.value).answer("8888");
    }
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key-1"]);
  });

  // The last test, because it stops the server.
  test("without its server the store refuses every claim", async () => {
    const set = await stage({ claimStore: both()[0].claimStore });
    const key = await interactionKey(set);
    const { service, actor } = await waiting([asks("otp", "key-1")]);
    const token = await pause(service.client(), actor, { key: KEY });
    await server.stop();
    expect((await set.send("/login/", form({ ...OTP, otp: "8888" }), key)).status).toBe(500);
    expect(set.errors).toMatchObject([{ code: "handler_failed", field: "claimStore" }]);
    expect(set.bank.requests).toEqual([]);
    const { claimStore } = both()[1];
    expect(await codeFor(service.client(), token, { claimStore })).toMatchObject({
      code: "handler_failed",
      field: "claimStore",
    });
    expect(service.requests).toHaveLength(1);
  });
});
