import { expect, test } from "vitest";
import { person, startService } from "../bank/service.ts";

test.each([
  ["two that disagree, of two proxies", "10, 20"],
  ["a fraction of seconds", "1.5"],
])("%s are no date long past", async (_, retryAfter) => {
  const service = await startService([{ http: 429, text: "<h1>Busy</h1>", headers: { "retry-after": retryAfter } }]);
  const error = await service
    .client()
    .login(person)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "rate_limited" });
  // Nobody was told to come back at once.
  expect(error).not.toHaveProperty("retryAfter", 0);
});
