import { setTimeout as wait } from "node:timers/promises";
import { reveal } from "ventanilla";
import { expect, test } from "vitest";
import { localStores } from "./local-stores.ts";
import { createBrowser, stage } from "./stage.ts";
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
    /** As an app and a page do: again, until it is done. */
    async function insist<Result>(work: () => Promise<Result | undefined>): Promise<Result> {
      for (;;) {
        const result = await work().catch(() => undefined);
        if (result !== undefined) return result;
        await wait(50);
      }
    }
    let sent = 0;
    async function logIn(user: string): Promise<string> {
      const { id, url } = await insist(() => hosted.create({ user, provider: "test" }));
      const browser = createBrowser();
      await insist(async () => ((await browser.open(url)).status === 200 ? true : undefined));
      for (;;) {
        const state = await insist(() =>
          browser.readState().then((response) => (response.status < 500 ? response : undefined)),
        );
        if (state.status === 410) break;
        const { login } = await state.json();
        // A submit whose response was lost is waited for.
        if (login?.attempt)
          await browser
            .client()
            .readAttempt(login.attempt.id)
            .catch(() => wait(50));
        else if (login?.question) await browser.answer(login.question.key, { otp: "8888" }).catch(() => wait(50));
        else await browser.logIn("12345otp", "asdfg").catch(() => wait(50));
        sent += 1;
        // The store goes when half of them are on their way.
        if (sent === PEOPLE) {
          await faults.fail();
          setTimeout(faults.recover, OUTAGE);
        }
      }
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
