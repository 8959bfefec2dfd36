import { createBankClient } from "ventanilla";
import { describe, expect, test } from "vitest";
import { formatResponse, listen, type Wire } from "./wire.ts";

const dateIn = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

/** A bank that is busy at its first request, and well from then on. */
async function busyOnce(http: string, retryAfter: () => string) {
  const wire: Wire = await listen({
    onRequest: (socket) => {
      const isFirst = wire.requests.length === 1;
      if (isFirst) socket.write(formatResponse(http, "<h1>Busy</h1>", { "retry-after": retryAfter() }));
      else socket.write(formatResponse("200 OK", '{"status":"success","providers":[]}'));
    },
  });
  const client = createBankClient({ baseUrl: `http://127.0.0.1:${wire.port}`, apiKey: "k", retry: { delay: 1 } });
  return { wire, client };
}

describe.concurrent.each([
  ["429", "in seconds", "429 Too Many Requests", (seconds: number) => `${seconds}`],
  ["429", "as a date", "429 Too Many Requests", dateIn],
  ["503", "in seconds", "503 Service Unavailable", (seconds: number) => `${seconds}`],
  ["503", "as a date", "503 Service Unavailable", dateIn],
])("a %s that says %s when to come back", (_, __, http, retryAfter) => {
  test("is obeyed by a read, to the second", async () => {
    const { wire, client } = await busyOnce(http, () => retryAfter(2));
    try {
      expect(await client.listProviders()).toEqual({ status: "success", providers: [] });
      const [first, second] = wire.requests.map(({ arrivedAt }) => arrivedAt);
      // A date has no fractions of a second: two seconds from now may be little more than one.
      expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(950);
      expect(wire.requests).toHaveLength(2);
    } finally {
      await wire.close();
    }
  });

  test("is told to whoever logs in, and not obeyed for them", async () => {
    const { wire, client } = await busyOnce(http, () => retryAfter(13));
    try {
      const end = client.login({ provider: "test", username: "ana", password: "hunter two" });
      await expect(end).rejects.toMatchObject({
        httpStatus: Number(http.slice(0, 3)),
        retryAfter: expect.toSatisfy((wait) => wait > 5000 && wait <= 13_000, "is thirteen seconds, or a little less"),
      });
      expect(wire.requests).toHaveLength(1);
    } finally {
      await wire.close();
    }
  });
});

test.each([
  ["two that disagree, of two proxies", "10, 20"],
  ["a fraction of seconds", "1.5"],
])("%s are no date long past", async (_, retryAfter) => {
  const { wire, client } = await busyOnce("429 Too Many Requests", () => retryAfter);
  try {
    const end = client.login({ provider: "test", username: "ana", password: "hunter two" });
    const error = await end.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "rate_limited" });
    // Nobody was told to come back at once.
    expect(error).not.toHaveProperty("retryAfter", 0);
  } finally {
    await wire.close();
  }
});
