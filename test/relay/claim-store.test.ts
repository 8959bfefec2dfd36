import { createBankClient, InputError } from "ventanilla";
import { type ClaimStore, createRelay, type Relay } from "ventanilla/relay";
import { afterEach, describe, expect, test, vi } from "vitest";
import { wrongStores } from "../tokens/wrong-stores.ts";
import { API_KEY, form, interactionKey, OTP, PAGE, SEAL_KEY, stage, startBank } from "./stage.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const answer = form({ ...OTP, otp: "8888" });

/** A store that takes attempts as it should, and is wrong about keys alone. */
const aboutKeys = (store: ClaimStore): ClaimStore => ({
  claim: (id, expiresAt) => id.startsWith("attempt:") || store.claim(id, expiresAt),
});

test.each(wrongStores)("a login is not sent on where the claim store %s", async (_, claimStore, detail) => {
  const set = await stage({ claimStore });
  expect((await set.send("/login/", form(OTP))).status).toBe(500);
  expect(set.bank.requests).toEqual([]);
  expect(set.errors.map(String)).toEqual([`HandlerError: handler_failed: claimStore: ${detail}`]);
});

describe("an answer is not sent on where the claim store", () => {
  test.each(wrongStores)("%s", async (_, claimStore, detail) => {
    const set = await stage({ claimStore: aboutKeys(claimStore) });
    const key = await interactionKey(set);
    expect((await set.send(`/login/?key=${key}`, answer)).status).toBe(500);
    expect(set.bank.requests).toEqual([]);
    expect(set.errors.map(String)).toEqual([`HandlerError: handler_failed: claimStore: ${detail}`]);
  });

  test("never responds, for which it has 10 seconds", async () => {
    let claimed: () => void = () => undefined;
    const isClaimed = new Promise<void>((resolve) => {
      claimed = resolve;
    });
    const claim = () => new Promise<boolean>(() => claimed());
    const set = await stage({ claimStore: aboutKeys({ claim }) });
    const key = await interactionKey(set);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const response = set.send(`/login/?key=${key}`, answer);
    await isClaimed;
    vi.advanceTimersByTime(10_000);
    expect((await response).status).toBe(500);
    expect(set.bank.requests).toEqual([]);
    expect(set.errors.map(String)).toEqual(["HandlerError: handler_failed: claimStore: no response within 10000 ms"]);
  });
});

const usable = {
  client: createBankClient({ baseUrl: "http://127.0.0.1:1", apiKey: API_KEY }),
  sealKey: SEAL_KEY,
  allowedOrigins: [PAGE],
  onLogin: () => undefined,
};

test.each([new Set(), {}, "a table", { has: () => false, add: () => true }])(
  "a claim store that is none is refused before anything is served: %o",
  (store) => {
    const claimStore = store as unknown as ClaimStore;
    const make = () => createRelay({ ...usable, claimStore });
    expect(make).toThrow(InputError);
    expect(make).toThrow("invalid_input: claimStore: must have a function claim(id, expiresAt)");
  },
);

test("without a claim store, the relays of a process share its memory, which says once that it knows no other process", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  // Another test of this process may have been warned already.
  vi.resetModules();
  const [{ createBankClient }, { createRelay }] = await Promise.all([import("ventanilla"), import("ventanilla/relay")]);
  const bank = await startBank();
  const client = createBankClient({ baseUrl: bank.url, apiKey: API_KEY });
  const [one, other] = [createRelay({ ...usable, client }), createRelay({ ...usable, client })];
  const send = (relay: Relay, path: string, fields: Record<string, string>) => {
    const headers = { ...form(fields).headers, origin: PAGE, "x-ventanilla": "1", "x-attempt-id": crypto.randomUUID() };
    return relay(new Request(`https://relay.example${path}`, { ...form(fields), headers }));
  };
  const { key } = await (await send(one, "/login/", OTP)).json();
  const answers = [one, other].map((relay) => send(relay, `/login/?key=${key}`, { ...OTP, otp: "8888" }));
  expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 403]);
  expect(bank.requests).toHaveLength(2);
  const warnings = warn.mock.calls.map(String).filter((text) => text.includes("claimStore"));
  expect(warnings).toHaveLength(1);
});
