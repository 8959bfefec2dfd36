import { setTimeout as wait } from "node:timers/promises";
import { reveal } from "ventanilla";
import type { Store } from "ventanilla/tokens";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Server } from "../../core/stores/servers.ts";
import type { Connected } from "./database.ts";
import { insist, logInAtPage } from "./person.ts";
import { postgres } from "./postgres-database.ts";
import { redis } from "./redis-database.ts";
import { RECIPIENT, stage } from "./stage.ts";

// What only a real database can show: it is killed, or stops, while a row of it is changed. Two instances at once, kills of an instance and all that comes
// together: test/servers/simulation.

/** Milliseconds for which a database is away. */
const OUTAGE = 300;

/** The changes of the row of a login with one question: it is made, opened, claimed, has its question, is claimed again, and ends. */
const CHANGES = { claim: 3, question: 4, "claim of the answer": 5, end: 6, turn: 7 };

/** One login with a question at a store that does something at one change of its row. */
async function logInWith(store: Store, change: number, fail: () => Promise<unknown>) {
  let changes = 0;
  const failing: Store = {
    ...store,
    async swap(id, ...rest) {
      if (id.startsWith("login:")) changes += 1;
      if (id.startsWith("login:") && changes === change) await fail();
      return store.swap(id, ...rest);
    },
  };
  const { bank, hosted, ends, posts } = await stage({ store: failing });
  const { id, url } = await hosted.create({ user: "42" });
  await logInAtPage(url, { username: "12345otp" });
  const key = reveal(await insist(() => hosted.takeKey(id, RECIPIENT)));
  await insist(async () => {
    await hosted.sweep();
    return ends.length > 0 || undefined;
  });
  await hosted.finish();
  return {
    posts: posts().length,
    isKeyRight: key === [...bank.keys].at(-1),
    hasFailed: changes >= change,
    ends: new Set(ends.map(({ status }) => status)),
  };
}

describe.each([
  ["Redis", redis],
  ["Postgres", postgres],
])("a hosted login with a store in %s", (_, database) => {
  let server: Server;
  let connected: Connected;
  beforeAll(async () => {
    server = await database.start();
    connected = await database.connect(server);
  });
  afterAll(async () => {
    await connected?.close();
    await server?.stop();
  });

  const all = { posts: 2, isKeyRight: true, hasFailed: true, ends: new Set(["logged_in"]) };

  test.each(Object.entries(CHANGES))("loses nothing and sends nothing twice, killed at the %s", async (_, change) => {
    let restarted: Promise<unknown> | undefined;
    const kill = async () => {
      await server.kill();
      restarted = wait(OUTAGE).then(() => server.restart());
    };
    expect(await logInWith(connected.store, change, kill)).toEqual(all);
    await restarted;
  });

  test.each(Object.entries(CHANGES))("loses nothing and sends nothing twice, stopped at the %s", async (_, change) => {
    let gone: Promise<unknown> | undefined;
    const pause = async () => {
      const goOn = await database.pause(server);
      gone = wait(OUTAGE).then(goOn);
    };
    expect(await logInWith(connected.store, change, pause)).toEqual(all);
    await gone;
  });
});
