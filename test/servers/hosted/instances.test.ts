import { createServer } from "node:http";
import { createBankClient, reveal } from "ventanilla";
import { createHostedLogin, type HostedEnd, type HostedLogin } from "ventanilla/hosted";
import { createNodeHandler } from "ventanilla/node";
import type { Store } from "ventanilla/tokens";
import { afterEach, describe, expect, test, vi } from "vitest";
import { expectedId, startSandbox } from "../../bank/service.ts";
import { API_KEY, listen, SEAL_KEY } from "../relay/stage.ts";
import { localStores } from "./local-stores.ts";
import { createBrowser, RECIPIENT } from "./stage.ts";

afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;

/** Thrown in place of all that an instance would have done after it was killed. */
class Killed extends Error {}

/**
 * Two instances behind a load balancer, which share a store. `kill` stops the first one for good: its next operation on the store never
 * happens, and it responds to nothing. The balancer then sends everything to the other one.
 */
async function stageInstances(createStore: () => Store) {
  const bank = await startSandbox({ apiKey: API_KEY });
  const ends: (HostedEnd & { readonly instance: number })[] = [];
  const instances: HostedLogin[] = [];
  let isKilled = false;
  let onFirstEnd = () => {};
  let current = 0;
  const origin = await listen(
    createServer(async (request, response) => {
      const handling = instances[current];
      if (!handling) return;
      const handle: HostedLogin["handle"] = async (incoming) => {
        const result = await handling.handle(incoming);
        if (handling === instances[0] && isKilled) response.destroy();
        return result;
      };
      await createNodeHandler(handle)(request, response);
    }),
  );
  /** The store as the first instance sees it. */
  const watch = (store: Store): Store => {
    const guard =
      <Operation extends "swap" | "read" | "delete" | "list">(name: Operation): Store[Operation] =>
      // @ts-expect-error the same parameters for each
      (...parameters: never[]) => {
        if (isKilled) throw new Killed();
        // @ts-expect-error the same
        return store[name](...parameters);
      };
    return { swap: guard("swap"), read: guard("read"), delete: guard("delete"), list: guard("list") };
  };
  const create = (instance: number) =>
    createHostedLogin({
      client: createBankClient({ baseUrl: bank.url, apiKey: API_KEY, retry: false }),
      sealKey: SEAL_KEY,
      store: instance === 0 ? watch(createStore()) : createStore(),
      url: `${origin}/login`,
      name: "Shop",
      rateLimit: false,
      onEnd: (end) => {
        if (instance === 0) onFirstEnd();
        if (instance === 0 && isKilled) throw new Killed();
        ends.push({ ...end, instance });
      },
    });
  instances.push(create(0), create(1));
  const kill = () => {
    isKilled = true;
    current = 1;
  };
  return {
    bank,
    ends,
    first: instances[0] as HostedLogin,
    other: instances[1] as HostedLogin,
    switchTo: (instance: 0 | 1) => {
      current = instance;
    },
    kill,
    isKilled: () => isKilled,
    /** Kills the first instance as soon as it tells an end. */
    killAtEnd: () => {
      onFirstEnd = kill;
    },
    posts: () => bank.paths().filter((line) => line.startsWith("POST")),
  };
}

const ANSWER = { provider: "test", username: "12345otp", password: "asdfg", otp: "8888" };

// With one in memory: test/servers/simulation.
describe.each(localStores.filter(([store]) => store !== "memory"))("two instances with a store in %s", (_, prepare) => {
  test("serve one login in turns", async () => {
    const set = await stageInstances(await prepare());
    const { id, url } = await set.first.create({ user: "42", provider: "test", username: "12345otp" });
    const browser = createBrowser();
    set.switchTo(1);
    await browser.open(url);
    set.switchTo(0);
    expect(await (await browser.readState()).json()).toMatchObject({ provider: "test", username: "12345otp" });
    set.switchTo(1);
    const response = await browser.logIn("12345otp", "asdfg");
    if (response.status !== "interaction_required" || !response.key) throw new Error(response.status);
    expect((await set.first.read(id)).status).toBe("awaiting_interaction");
    set.switchTo(0);
    expect((await browser.client().login(ANSWER, { key: response.key })).status).toBe("logged_in");
    await expect
      .poll(() => set.ends)
      .toEqual([
        {
          id,
          user: "42",
          status: "logged_in",
          provider: "test",
          login: expectedId,
          loggedInAt: expect.anything(),
          instance: 0,
        },
      ]);
    const taken = await Promise.allSettled([
      set.first.takeKey(id, RECIPIENT),
      set.other.takeKey(id, { idempotencyKey: "another job" }),
    ]);
    expect(taken.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(taken.flatMap((one) => (one.status === "fulfilled" ? [reveal(one.value)] : []))).toEqual(
      [...set.bank.keys].slice(-1),
    );
    expect(set.posts()).toHaveLength(2);
  });

  test("one is killed while a question is open: the other one takes the answer", async () => {
    const set = await stageInstances(await prepare());
    const { id, url } = await set.first.create({ user: "42" });
    const browser = createBrowser();
    await browser.open(url);
    const response = await browser.logIn("12345otp", "asdfg");
    if (response.status !== "interaction_required" || !response.key) throw new Error(response.status);
    set.kill();
    expect((await browser.client().login(ANSWER, { key: response.key })).status).toBe("logged_in");
    await expect
      .poll(() => set.ends)
      .toEqual([
        {
          id,
          user: "42",
          status: "logged_in",
          provider: "test",
          login: expectedId,
          loggedInAt: expect.anything(),
          instance: 1,
        },
      ]);
    expect(set.posts()).toHaveLength(2);
  });

  test("one is killed after the response, while it tells: the other tells the session's end", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const set = await stageInstances(await prepare());
    const { id, url } = await set.first.create({ user: "42" });
    const browser = createBrowser();
    await browser.open(url);
    set.killAtEnd();
    await browser.logIn().catch(() => undefined);
    await expect.poll(set.isKilled).toBe(true);
    expect((await set.other.read(id)).status).toBe("logged_in");
    // Whoever has begun to tell has a minute for it.
    vi.setSystemTime(Date.now() + MINUTE);
    await set.other.sweep();
    const end = { id, user: "42", status: "logged_in", provider: "test", login: expectedId };
    await expect.poll(() => set.ends).toEqual([{ ...end, loggedInAt: expect.anything(), instance: 1 }]);
    // Until that is noted, the next minute would be another one's turn.
    await set.other.finish();
    vi.setSystemTime(Date.now() + MINUTE);
    await set.other.sweep();
    await set.other.read(id);
    expect(set.ends).toHaveLength(1);
    expect((await browser.open(url)).text).toContain("Banco de prueba is connected.");
    expect(reveal(await set.other.takeKey(id, RECIPIENT))).toBe([...set.bank.keys].at(-1));
    expect(set.posts()).toHaveLength(1);
  });

  test("one is killed for good after it created a session: the other one tells that it expired", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const set = await stageInstances(await prepare());
    const { id } = await set.first.create({ user: "42", expiresIn: MINUTE });
    set.kill();
    await set.other.sweep();
    vi.setSystemTime(Date.now() + MINUTE);
    await set.other.sweep();
    await expect
      .poll(() => set.ends)
      .toEqual([{ id, user: "42", status: "expired", lastStep: "created", instance: 1 }]);
  });
});
