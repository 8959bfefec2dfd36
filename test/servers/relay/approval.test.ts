import { type BankClient, createRelayClient, login, secret } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ApprovalResponse } from "../../../src/core/api/client.ts";
import { formatRelayKey, parseRelayKey } from "../../../src/core/api/relay-login.ts";
import { loginUnread, startService } from "../../bank/service.ts";
import { API_KEY, interactionKey, PAGE, readResponse, refused, stage } from "./stage.ts";

const person = { provider: "test", username: "ana", password: "1234" };
const asked = { status: "interaction_required", key: "key-1", field: "app_confirmation", context: "In your app" };
const never = () => new Promise<never>(() => {});

/** A bank that asks for a confirmation in its app and then lets in, behind a relay whose client can ask the app. */
async function open(says: (signal: AbortSignal) => Promise<ApprovalResponse>) {
  const bank = await startService(({ method, form }) => {
    if (method !== "POST") return { http: 404, json: { status: "provider_doesnt_exist" } };
    return { json: "app_confirmation" in form ? { status: "logged_in", key: "key-of-session" } : asked };
  });
  const calls: string[] = [];
  const client: BankClient = {
    ...bank.client({ apiKey: API_KEY, retry: false }),
    awaitApproval(key, { signal }) {
      calls.push(`${key}`);
      return says(signal);
    },
  };
  return { ...(await stage({ client }, { bank })), calls };
}

const posts = ({ bank }: Awaited<ReturnType<typeof open>>) => bank.requests.filter(({ method }) => method === "POST");

describe("an approval in the bank's app, behind a relay,", () => {
  test("finishes the login of a page by one second login", async () => {
    const set = await open(async () => ({ status: "approved" }));
    expect(await loginUnread(set.browser(), person, { onInteraction: never })).toMatchObject({ state: "loggedIn" });
    expect(posts(set).map(({ form }) => form["app_confirmation"])).toEqual([undefined, "true"]);
    expect(set.logins).toHaveLength(1);
    expect(set.calls).toEqual(["[secret]"]);
  });

  test.each([
    ["denied", "approval_denied"],
    ["expired", "expired"],
  ] as const)("that is %s ends it with %s, and nothing more is sent", async (status, code) => {
    const set = await open(async () => ({ status }));
    const outcome = await loginUnread(set.browser(), person, { onInteraction: never });
    expect(outcome).toMatchObject({ state: "failed", failure: { code } });
    expect(posts(set)).toHaveLength(1);
  });

  test("is only the user's: no other user's key shows it, nor that of another step", async () => {
    const set = await open(async () => ({ status: "approved" }));
    expect(await readResponse(await set.send("/approval/"))).toEqual([400, { status: "missing_params" }]);
    const key = await interactionKey(set, { provider: "test", username: "ana", password: "1234" });
    const { id, token } = parseRelayKey(key);
    for (const other of [
      { token: `${token}x`, step: "step-1" },
      { token, step: "step-2" },
    ])
      expect((await set.send("/approval/", {}, formatRelayKey({ id, last: 1, ...other }))).status).toBe(403);
    expect(set.calls).toEqual([]);
    expect(await readResponse(await set.send("/approval/", {}, key))).toEqual([200, { status: "approved" }]);
  });

  test("is not asked for where the client of the relay can't know", async () => {
    const { browser, bank, send, traffic } = await stage();
    const otp = { provider: "test", username: "12345otp", password: "asdfg" };
    expect(await login(browser(), otp, { onInteraction: () => "8888" })).toMatchObject({ state: "loggedIn" });
    expect(traffic.map(({ response }) => response.text).join()).not.toContain("awaits_approval");
    expect(await readResponse(await send("/approval/"))).toEqual(refused(404, "Not found"));
    expect(bank.paths().filter((line) => line.startsWith("POST"))).toHaveLength(2);
  });
});

/** The same in one process, so that a clock can stand still. */
async function openClocked(says: (signal: AbortSignal) => Promise<ApprovalResponse>) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const client: BankClient = {
    baseUrl: "http://bank.test",
    login: async (fields) =>
      "app_confirmation" in fields
        ? { status: "logged_in" }
        : { status: "interaction_required", field: "app_confirmation", context: "", key: secret("key-1") },
    awaitApproval: (_, { signal }) => says(signal),
  } as Partial<BankClient> as BankClient;
  const relay = createRelay({
    client,
    store: createMemoryStore({ rows: new Map() }),
    allowedOrigins: [PAGE],
    readUser: false,
    rateLimit: false,
    onLogin: () => undefined,
  });
  let isOffline = false;
  const asks: number[] = [];
  const page = createRelayClient({
    baseUrl: "http://relay.test",
    retry: false,
    async fetch(input, init) {
      const request = new Request(input, init);
      request.headers.set("origin", PAGE);
      if (request.url.endsWith("/approval/")) asks.push(asks.length);
      if (isOffline) throw new TypeError("fetch failed");
      return relay(request);
    },
  });
  return { page, asks, setOffline: (now: boolean) => (isOffline = now) };
}

test("a page asks again after twenty seconds, and after its connection was lost", async () => {
  let say: (response: ApprovalResponse) => void = () => {};
  const signals: AbortSignal[] = [];
  const { page, asks, setOffline } = await openClocked((signal) => {
    signals.push(signal);
    return new Promise((resolve) => (say = resolve));
  });
  const response = await page.login({ provider: "test", username: "ana", password: "1234" });
  if (response.status !== "interaction_required" || !response.key) throw new Error(JSON.stringify(response));
  expect(response.awaitsApproval).toBe(true);
  const leaving = new AbortController();
  const waiting = page.awaitApproval(response.key, { signal: leaving.signal });
  await expect.poll(() => signals).toHaveLength(1);
  setOffline(true);
  await vi.advanceTimersByTimeAsync(20_000);
  await expect.poll(() => asks).toHaveLength(2);
  expect(signals[0]?.aborted).toBe(true);
  setOffline(false);
  await vi.advanceTimersByTimeAsync(3_000);
  await expect.poll(() => signals).toHaveLength(2);
  say({ status: "approved" });
  expect(await waiting).toEqual({ status: "approved" });
  expect(asks).toHaveLength(3);
});
