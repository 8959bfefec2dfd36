import { createMemoryStore, type Store } from "ventanilla/tokens";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createReadiness } from "../../../../src/programs/cli/serve/readiness.ts";
import { startService } from "../../../bank/service.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "performance"] }));
afterEach(() => void vi.useRealTimers());

const memory = createMemoryStore({ rows: new Map() });
const banks = { json: { status: "success", providers: [] } };

/** The check five seconds later, when nothing is kept any more, although the clock was set back by an hour. */
async function later<Result>(check: () => Promise<Result>): Promise<Result> {
  vi.advanceTimersByTime(5_001);
  vi.setSystemTime(Date.now() - 3_600_000);
  return check();
}

test("a server is ready once its store responds and its bank has responded, and asks the bank no more", async () => {
  const bank = await startService(["broken", banks]);
  const check = createReadiness(memory, bank.client());
  expect(await check()).toEqual({ status: "bank_unreachable" });
  // The result is kept for five seconds, so that it can't be used to flood the bank.
  expect(await check()).toEqual({ status: "bank_unreachable" });
  expect(bank.requests).toHaveLength(1);
  expect(await later(check)).toEqual({ status: "ready" });
  expect(await later(check)).toEqual({ status: "ready" });
  expect(bank.lines()).toEqual(["GET /provider/", "GET /provider/"]);
});

test("a refusal of the bank is a response: the address is right", async () => {
  const bank = await startService([{ http: 403, json: { status: "error", message: "Key not found" } }]);
  expect(await createReadiness(memory, bank.client())()).toEqual({ status: "ready" });
});

const fail = () => {
  throw new Error("OOM command not allowed");
};
const reject = () => Promise.reject(new Error("READONLY You can't write against a read only replica."));

// A store that is full, or a replica, can be read.
test.each<[string, Partial<Store>]>([
  ["throws", { read: fail, swap: fail }],
  ["rejects", { read: reject, swap: reject }],
  ["takes nothing, and can be read", { swap: fail }],
  ["is a replica that can be read", { swap: reject }],
  ["can be written, and not be read", { read: fail }],
  ["says that it has taken what it has not", { swap: () => true, read: () => undefined }],
])("a server whose store %s is not ready, until it responds again", async (_, broken) => {
  const bank = await startService([banks]);
  let store: Store = { ...memory, ...broken };
  const check = createReadiness(
    { ...memory, read: (id) => store.read(id), swap: (...change) => store.swap(...change) },
    bank.client(),
  );
  expect(await check()).toEqual({ status: "store_failed", fault: expect.objectContaining({ field: "store" }) });
  store = memory;
  expect(await later(check)).toEqual({ status: "ready" });
});

test("a server that is ready leaves one short text in the store", async () => {
  const rows = new Map();
  const check = createReadiness(createMemoryStore({ rows }), (await startService([banks])).client());
  for (let times = 0; times < 3; times += 1) await later(check);
  expect(rows.size).toBe(1);
});

test("a server whose store does not respond in two seconds is not ready", async () => {
  vi.useFakeTimers();
  const check = createReadiness({ ...memory, read: () => new Promise(() => {}) }, { listProviders: vi.fn() });
  const checked = check();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await checked).toMatchObject({ status: "store_failed", fault: { detail: "no response within 2000 ms" } });
});
