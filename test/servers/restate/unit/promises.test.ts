import { expect, test } from "vitest";
import { providePromiseWithResolvers } from "../../../../src/servers/restate/durable-login.ts";

test("Promise.withResolvers is provided on Node 20, and not replaced elsewhere", async () => {
  const promise = Promise as unknown as {
    withResolvers?: () => { promise: Promise<string>; resolve(value: string): void; reject(reason: Error): void };
  };
  const made = () => (promise as Required<typeof promise>).withResolvers();
  const own = promise.withResolvers;
  delete promise.withResolvers;
  providePromiseWithResolvers();
  const first = made();
  first.resolve("done");
  await expect(first.promise).resolves.toBe("done");
  const second = made();
  second.reject(new Error("broken"));
  await expect(second.promise).rejects.toThrow("broken");
  const provided = promise.withResolvers;
  providePromiseWithResolvers();
  expect(promise.withResolvers).toBe(provided);
  if (own) promise.withResolvers = own;
});
