import { type Interaction, login, secret } from "ventanilla";
import { describe, expect, test, vi } from "vitest";
import { asks, loggedIn, person, startSandbox, startService } from "../bank/service.ts";

const unrepeated = { isRepeat: false, answersSent: 0 };

describe("the interaction that onInteraction gets", () => {
  test("has kind, field, context, number and the time until when it waits", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    const service = await startService([
      asks("otp", "key-1", "Enviamos un código"),
      asks("token", "key-2"),
      loggedIn(),
    ]);
    const interactions: Interaction[] = [];
    await login(service.client(), {
      ...person,
      onInteraction: (interaction) => {
        interactions.push(interaction);
        vi.setSystemTime(2_000_000);
        return "8888";
      },
    });
    vi.useRealTimers();
    expect(interactions).toEqual([
      { kind: "code", field: "otp", context: "Enviamos un código", number: 1, ...unrepeated, expiresAt: 1_300_000 },
      { kind: "code", field: "token", context: "token required", number: 2, ...unrepeated, expiresAt: 2_300_000 },
    ]);
  });
});

test.each([
  ["captcha", "picture", { picture: { mediaType: "image/png", width: 230, height: 65 } }, "7K4MP2"],
  ["card", "picture", { picture: { mediaType: "image/gif", width: 156, height: 52 } }, "9WH3T"],
  ["drawing", "picture", { picture: undefined }, "5XA"],
  ["channel", "choices", { choices: [{ value: "mobile" }, { value: "mail" }] }, "mobile"],
  ["confirm", "confirmation", { answer: "confirmed" }, "confirmed"],
] as const)("the sandbox's interaction for %s is of the kind %s", async (username, kind, shows, answer) => {
  const client = (await startSandbox()).client();
  const read = await client.getProvider("mirador_gt");
  if (read.status !== "success") expect.fail(read.status);
  const onInteraction = vi.fn(({ number }: Interaction) => (number === 1 ? answer : "604812"));
  const form = { provider: "mirador_gt", username, password: "s3creto" };
  const outcome = await login(client, { ...form, detail: read.provider, onInteraction });
  expect(outcome.status).toBe("logged_in");
  expect(onInteraction.mock.calls[0]?.[0]).toMatchObject({ kind, ...shows });
});

describe("the answer of onInteraction", () => {
  test.each([
    ["a text", () => "8888"],
    ["a promise of a text", async () => "8888"],
    ["a secret", () => secret("8888")],
    ["a promise of a secret", async () => secret("8888")],
  ])("may be %s", async (_, onInteraction) => {
    const service = await startService([asks("otp", "key-1"), loggedIn()]);
    await login(service.client(), { ...person, onInteraction });
    expect(service.requests[1]?.form["otp"]).toBe("8888");
  });

  test.each([
    ["undefined", undefined],
    ["null", null],
    ["an empty text", ""],
    ["a promise of undefined", Promise.resolve(undefined)],
    ["an empty secret", secret("")],
  ])("cancels the login if it is %s", async (_, answer) => {
    const service = await startService([asks("otp", "key-1"), loggedIn()]);
    const outcome = await login(service.client(), { ...person, onInteraction: () => answer });
    expect(outcome).toEqual({ status: "cancelled", provider: "test" });
    expect(service.requests).toHaveLength(1);
  });

  test("is refused if it is ill-formed Unicode", async () => {
    const service = await startService([asks("otp", "key-1"), loggedIn()]);
    const onInteraction = () => "half a pair \ud800";
    await expect(login(service.client(), { ...person, onInteraction })).rejects.toMatchObject({
      name: "InputError",
      code: "invalid_input",
      field: "otp",
    });
    expect(service.requests).toHaveLength(1);
  });
});

test("a login ends with too_many_interactions after ten interactions", async () => {
  const service = await startService(() => asks("otp", "key-1"));
  const onInteraction = vi.fn(() => "8888");
  const outcome = await login(service.client(), { ...person, onInteraction });
  expect(outcome).toEqual({ status: "too_many_interactions", provider: "test" });
  expect(onInteraction).toHaveBeenCalledTimes(10);
  expect(service.requests).toHaveLength(11);
});
