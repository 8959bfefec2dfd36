import { getEventListeners } from "node:events";
import { type LoginOptions, login } from "ventanilla";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { asks, cancelled, loggedIn, person, type Reply, selectClient } from "../../bank/service.ts";
import { endlessFetch } from "../api/clock.ts";
import { localBank } from "../api/local-bank.ts";

const clients = { json: { status: "success", clients: { 0: "First Client" } } };
const never = () => new Promise<string>(() => {});
const failing = () => Promise.reject(new Error("hunter two"));
const rejectingLater = () => new Promise<string>((_, reject) => setTimeout(reject, 1000, new Error("too late")));

const unhandled = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  process.on("unhandledRejection", unhandled);
});
afterEach(() => {
  vi.useRealTimers();
  process.off("unhandledRejection", unhandled);
  unhandled.mockReset();
});

test.each<[ending: string, options: LoginOptions, script: readonly Reply[]]>([
  ["logged in", {}, [asks("otp", "key-1"), loggedIn("key-2")]],
  ["at select_client", {}, [selectClient("key-1")]],
  [
    "logged in with a client",
    { onSelectClient: () => "0" },
    [selectClient("key-1"), clients, { json: { status: "success" } }],
  ],
  ["with a refusal", {}, [{ json: { status: "wrong_credentials" } }]],
  ["cancelled by onInteraction", { onInteraction: () => null }, [asks("otp", "key-1")]],
  ["expired", { settings: { answerTimeout: 1 }, onInteraction: never }, [asks("otp", "key-1")]],
  [
    "expired before onInteraction rejects",
    { settings: { answerTimeout: 1 }, onInteraction: rejectingLater },
    [asks("otp", "key-1")],
  ],
  ["by a fault", {}, [{ text: "<html>" }]],
  ["by its deadline", { settings: { deadline: new Date("2000-01-01") } }, []],
  ["by onInteraction that rejects", { onInteraction: failing }, [asks("otp", "key-1")]],
  ["by onSelectClient that rejects", { onSelectClient: failing }, [selectClient("key-1"), clients]],
  ["by onTransition that throws", { onTransition: () => void JSON.parse("{") }, []],
])("a login that ends %s leaves no listener, timer or rejection behind", async (_, options, script) => {
  const { signal } = new AbortController();
  const during: number[] = [];
  const outcome = login(localBank(...script).client({ signal }), {
    ...person,
    signal,
    onInteraction: () => {
      during.push(getEventListeners(signal, "abort").length, vi.getTimerCount());
      return "8888";
    },
    ...options,
  }).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(2000);
  await outcome;
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  // When a handler is called: one listener, and the timer of the answer.
  if (during.length > 0) expect(during).toEqual([1, 1]);
  await new Promise(setImmediate);
  expect(unhandled).not.toHaveBeenCalled();
});

test("a login that ends by its signal leaves no listener, no timer and no rejection behind", async () => {
  const caller = new AbortController();
  const fetch = vi.fn(endlessFetch);
  const client = localBank().client({ fetch });
  const outcome = login(client, person, { signal: caller.signal, onInteraction: never });
  await expect.poll(() => fetch).toHaveBeenCalledOnce();
  // The client's own time-out runs, and the timer that keeps the process alive.
  expect(vi.getTimerCount()).toBe(2);
  caller.abort();
  expect(await outcome).toEqual(cancelled);
  expect(getEventListeners(caller.signal, "abort")).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  await new Promise(setImmediate);
  expect(unhandled).not.toHaveBeenCalled();
});
