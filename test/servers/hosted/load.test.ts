import { reveal } from "ventanilla";
import { expect, test } from "vitest";
import { localStores } from "./local-stores.ts";
import { insist, logInAtPage } from "./person.ts";
import { stage } from "./stage.ts";
import { simulateFaults } from "./store-faults.ts";

/** People who log in at the same time. */
const PEOPLE = 25;

/** Milliseconds for which the store is away. */
const OUTAGE = 600;

test.each(localStores)(
  "people log in while a store in %s goes and comes back: each gets a key, nothing is sent twice",
  async (_, prepare) => {
    const faults = simulateFaults(await prepare());
    const { hosted, bank, ends, posts } = await stage({ store: faults.connect() });
    let sent = 0;
    // The store goes when half of them are on their way.
    const onStep = async () => {
      sent += 1;
      if (sent !== PEOPLE) return;
      await faults.fail();
      setTimeout(faults.recover, OUTAGE);
    };
    async function logIn(user: string): Promise<string> {
      const { id, url } = await insist(() => hosted.create({ user, provider: "test" }));
      await logInAtPage(url, { username: "12345otp", onStep });
      return reveal(await insist(() => hosted.takeKey(id, { idempotencyKey: user })));
    }
    const keys = await Promise.all(Array.from({ length: PEOPLE }, (_item, index) => logIn(`user-${index}`)));
    await hosted.finish();
    await hosted.sweep();
    expect(new Set(keys).size).toBe(PEOPLE);
    expect(keys.filter((key) => !bank.keys.has(key))).toEqual([]);
    // A form and an answer of each: nothing is sent again.
    expect(posts()).toHaveLength(2 * PEOPLE);
    expect(new Set(ends.map(({ user }) => user)).size).toBe(PEOPLE);
    expect(ends.filter(({ status }) => status !== "logged_in")).toEqual([]);
  },
);
