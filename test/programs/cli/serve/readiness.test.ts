import { createMemoryStore } from "ventanilla/hosted";
import { afterEach, expect, test, vi } from "vitest";
import { createReadiness } from "../../../../src/programs/cli/serve/readiness.ts";
import { startService } from "../../../bank/service.ts";

afterEach(() => void vi.useRealTimers());

const memory = createMemoryStore({ rows: new Map() });
const banks = { json: { status: "success", providers: [] } };

/** The check five seconds later, when nothing is kept any more. */
async function later<Result>(check: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5_001 });
  return check();
}

test("a server is ready once its store responds and its bank has responded, and asks the bank no more", async () => {
  const bank = await startService(["broken", banks]);
  const check = createReadiness(memory, bank.client());
  expect(await check()).toEqual({ status: "bank_unreachable" });
  // What was found counts for five seconds: nobody can ask the bank through it.
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

test.each([
  [
    "throws",
    () => {
      throw new Error();
    },
  ],
  ["rejects", () => Promise.reject(new Error())],
])("a server whose store %s is not ready, until it responds again", async (_, fails) => {
  const bank = await startService([banks]);
  let read: () => undefined | Promise<undefined> = fails;
  const check = createReadiness({ ...memory, read: () => read() }, bank.client());
  expect(await check()).toEqual({ status: "store_failed" });
  read = () => undefined;
  expect(await later(check)).toEqual({ status: "ready" });
});

test("a server whose store does not respond in two seconds is not ready", async () => {
  vi.useFakeTimers();
  const check = createReadiness({ ...memory, read: () => new Promise(() => {}) }, { listProviders: vi.fn() });
  const checked = check();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await checked).toEqual({ status: "store_failed" });
});
