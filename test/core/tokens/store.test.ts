import { BankError } from "ventanilla";
import { createMemoryStore, type Store } from "ventanilla/tokens";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { checkStore, claim, createRecords } from "../../../src/core/tokens/store.ts";
import { readFailure } from "../pause/paused.ts";

const NOW = 1_700_000_000_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: NOW }));
afterEach(() => void vi.useRealTimers());

const later = (milliseconds: number) => new Date(Date.now() + milliseconds);
const broken = () => {
  throw new TypeError("a canary");
};

/** A store in memory with other functions, and what it was asked. */
function createStore(change: (memory: Store) => Partial<Store> = () => ({})) {
  const memory = createMemoryStore({ rows: new Map() });
  const swap = vi.fn<Store["swap"]>(change(memory).swap ?? memory.swap);
  return { memory, store: { ...memory, ...change(memory), swap }, swap };
}

/** What takes an id, and says whether it was free. */
const takes: readonly [string, string, (store: Store, id: string, expiresAt: Date) => Promise<boolean>][] = [
  ["a claim", "claimStore", claim],
  [
    "a swap",
    "store",
    async (store, id) => (await createRecords(store).swap(id, undefined, "a text", 1000)) === "a text",
  ],
  ["a write", "store", (store, id, expiresAt) => createRecords(store).write(id, "a text", expiresAt)],
];

describe.each(takes)("%s", (_, field, take) => {
  test("takes an id once", async () => {
    const { store } = createStore();
    expect([await take(store, "id", later(1000)), await take(store, "other", later(1000))]).toEqual([true, true]);
    await store.delete("id");
    await store.swap("id", undefined, "another", 1000);
    expect(await take(store, "id", later(1000))).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  const lost = new Error("the connection broke");

  test.each<[string, boolean, (memory: Store, tries: number, change: Parameters<Store["swap"]>) => unknown]>([
    ["was carried out", true, (memory, tries, change) => [memory.swap(...change), tries]],
    ["was not carried out", true, () => undefined],
    ["came after another one", false, (memory, _tries, [id]) => memory.swap(id, undefined, "another", 1000)],
  ])("whose answer is lost, and that %s, is settled: %s", async (_title, isTaken, onSwap) => {
    let tries = 0;
    const { store } = createStore((memory) => ({
      swap(...change) {
        tries += 1;
        if (tries > 1) return memory.swap(...change);
        onSwap(memory, tries, change);
        throw lost;
      },
    }));
    expect([await take(store, "id", later(1000)), tries]).toEqual([isTaken, 2]);
  });

  test("that waits in a queue, and has no answer in time, is settled by the one behind it", async () => {
    let goOn: () => void = () => {};
    const queue: (() => unknown)[] = [];
    const { store, memory } = createStore((memory) => ({
      swap: (...change) =>
        new Promise((resolve) => {
          queue.push(() => resolve(memory.swap(...change)));
          if (queue.length === 2) goOn();
        }),
    }));
    const both = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const taken = take(store, "id", later(60_000));
    await vi.advanceTimersByTimeAsync(10_000);
    await both;
    expect(await memory.read("id")).toBeUndefined();
    for (const run of queue) run();
    expect(await taken).toBe(true);
  });

  const wrong = [null, undefined, 0, 1, 0n, 1n, "", "OK", { rowCount: 1 }, [], new Set(["id"])];

  test.each<[returned: unknown, swap: () => unknown, detail: string]>([
    ...wrong.flatMap((value): [unknown, () => unknown, string][] => [
      [value, () => value, "returned neither true nor false"],
      [Promise.resolve(value), async () => value, "returned neither true nor false"],
    ]),
    ["an error that is thrown", broken, "threw TypeError"],
    ["a rejection", async () => broken(), "threw TypeError"],
  ])("is an error if the store returns %o", async (_, swap, detail) => {
    const { store } = createStore(() => ({ swap: swap as Store["swap"] }));
    const error = await readFailure(take(store, "an-id", later(1000)));
    expect(error).toEqual(new BankError("handler_failed", { field, detail }));
  });

  test("is an error if the store does not respond for 10 seconds, twice", async () => {
    const { store, swap } = createStore(() => ({ swap: () => new Promise(() => {}) }));
    const failure = readFailure(take(store, "an-id", later(60_000)));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await failure).toMatchObject({ field, detail: "no response within 10000 ms" });
    expect(swap).toHaveBeenCalledTimes(2);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("a claim has a random mark, and its id is remembered for a minute longer", async () => {
  const { store, swap } = createStore();
  for (const id of ["one", "two"]) await claim(store, id, later(90_000));
  const marks = new Set(swap.mock.calls.map(([, , mark]) => mark));
  expect(marks.size).toBe(2);
  expect(swap).toHaveBeenCalledWith("one", undefined, expect.stringMatching(/^[\da-f-]{36}$/), 150_000);
});

test("a claim that its client repeats after a connection broke is taken once", async () => {
  const { store } = createStore((memory) => ({
    swap(...change) {
      memory.swap(...change);
      return memory.swap(...change);
    },
  }));
  expect([await claim(store, "id", later(1000)), await claim(store, "id", later(1000))]).toEqual([true, false]);
});

describe("records", () => {
  test("swap a text, and say which one the id has then", async () => {
    const { store, memory } = createStore();
    const { swap } = createRecords(store);
    expect(await swap("id", undefined, "a", 1000)).toBe("a");
    expect(await swap("id", undefined, "b", 1000)).toBe("a");
    expect(await swap("id", "a", "b", 1000)).toBe("b");
    expect(await swap("other", "a", "b", 1000)).toBeUndefined();
    expect([memory.read("id"), memory.read("other")]).toEqual(["b", undefined]);
  });

  test("replace a text, whichever it was, also if another instance changes it at the same time", async () => {
    let [reads, changes] = [0, 3];
    const { memory, store } = createStore((memory) => ({
      read(id) {
        const text = memory.read(id) as string | undefined;
        reads += 1;
        if (reads <= changes) memory.swap(id, text, `other ${reads}`, 1000);
        return text;
      },
    }));
    await createRecords(store).replace("id", "text", later(1000));
    expect([memory.read("id"), reads]).toEqual(["text", 4]);
    changes = Number.POSITIVE_INFINITY;
    expect(await readFailure(createRecords(store).replace("id", "text", later(1000)))).toMatchObject({
      code: "handler_failed",
      field: "store",
    });
  });

  test("give a text whose time is over the shortest lifetime", async () => {
    const { store, swap } = createStore();
    await createRecords(store).write("id", "text", later(-1000));
    expect(swap).toHaveBeenCalledWith("id", undefined, "text", 1, false);
  });

  test.each<[keyof Store & ("read" | "list"), unknown]>([
    ["read", null],
    ["list", undefined],
  ])("of a store that fails, or whose %s returns %o, are handler_failed", async (name, wrong) => {
    const call = (result: () => unknown) => {
      const records = createRecords({ ...createStore().store, [name]: result });
      return readFailure(name === "list" ? records.list("id", 1) : records.read("id"));
    };
    expect(await call(() => wrong)).toMatchObject({ code: "handler_failed", field: "store" });
    expect(await call(broken)).toMatchObject({ code: "handler_failed", field: "store", detail: "threw TypeError" });
  });

  test.each([undefined, null, {}, new Set(), "a table", { read: broken, swap: broken, list: broken }])(
    "and claims refuse what is not a store: $0",
    (store) => {
      expect(() => createRecords(store as unknown as Store)).toThrow("invalid_input: store: must have a function");
      expect(() => checkStore("claimStore", store as unknown as Store)).toThrow("invalid_input: claimStore: must have");
    },
  );
});
