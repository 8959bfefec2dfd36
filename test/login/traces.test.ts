import { getEventListeners } from "node:events";
import { type LoginOptions, login } from "ventanilla";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { asks, type Line, loggedIn, person, selectClient, startService } from "../bank/service.ts";

const clients = { json: { status: "success", clients: { 0: "First Client" } } };
const never = () => new Promise<string>(() => {});
const failing = () => Promise.reject(new Error("hunter two"));

const logins: [ending: string, options: Partial<LoginOptions>, script: readonly Line[]][] = [
  ["logged in", {}, [asks("otp", "key-1"), loggedIn("key-2")]],
  ["at select_client", {}, [selectClient("key-1")]],
  [
    "logged in with a client",
    { onSelectClient: () => "0" },
    [selectClient("key-1"), clients, { json: { status: "success" } }],
  ],
  ["with a refusal", {}, [{ json: { status: "wrong_credentials" } }]],
  ["cancelled by onInteraction", { onInteraction: () => null }, [asks("otp", "key-1")]],
  ["expired", { onInteraction: never, answerTimeout: 1 }, [asks("otp", "key-1")]],
  ["by a broken connection", {}, ["broken"]],
  ["by its deadline", { deadline: 0 }, []],
  ["by onInteraction that rejects", { onInteraction: failing }, [asks("otp", "key-1")]],
  ["by onSelectClient that rejects", { onSelectClient: failing }, [selectClient("key-1"), clients]],
  ["by onTransition that throws", { onTransition: () => void JSON.parse("{") }, []],
];

/** The timers of this program that keep a process alive: those of the code, and those of the HTTP library it calls. */
function watchTimers(): () => number {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const running = new Set<unknown>();
  vi.stubGlobal(
    "setTimeout",
    (act: (...values: unknown[]) => void, ...rest: [delay?: number, ...values: unknown[]]) => {
      const timer = set(
        (...values: unknown[]) => {
          running.delete(timer);
          act(...values);
        },
        ...rest,
      );
      running.add(timer);
      return timer;
    },
  );
  vi.stubGlobal("clearTimeout", (timer: NodeJS.Timeout | undefined) => {
    running.delete(timer);
    clear(timer);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return () => [...running].filter((timer) => (timer as NodeJS.Timeout).hasRef()).length;
}

/** Records unhandled rejections until the returned function is called, which expects none. */
function watchRejections() {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  onTestFinished(() => void process.off("unhandledRejection", unhandled));
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  };
}

describe("a login that ends", () => {
  test.each(logins)("%s leaves no listener, no timer and no rejection behind", async (_, options, script) => {
    const service = await startService(script);
    const expectHandled = watchRejections();
    const { signal } = new AbortController();
    const timers = watchTimers();
    const during: number[] = [];
    await login(service.client(), {
      ...person,
      signal,
      onInteraction: () => {
        during.push(getEventListeners(signal, "abort").length, timers());
        return "8888";
      },
      ...options,
    }).catch(() => undefined);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(timers()).toBe(0);
    // While a handler runs, there is one listener, and one timer that keeps the process alive.
    if (during.length > 0) expect(during).toEqual([1, 1]);
    await expectHandled();
  });

  test("by its signal leaves no listener, no timer and no rejection behind", async () => {
    const service = await startService(["held"]);
    const expectHandled = watchRejections();
    const caller = new AbortController();
    const timers = watchTimers();
    const outcome = login(service.client(), { ...person, signal: caller.signal, onInteraction: never });
    await service.arrival(1);
    // The client's own time-out runs.
    expect(timers()).toBe(1);
    caller.abort();
    expect(await outcome).toEqual({ status: "cancelled", provider: "test" });
    await expectHandled();
    expect(getEventListeners(caller.signal, "abort")).toEqual([]);
    expect(timers()).toBe(0);
  });

  test("leaves no rejection behind if its handler rejects later", async () => {
    const service = await startService([asks("otp", "key-1")]);
    const expectHandled = watchRejections();
    let fail: (error: Error) => void = () => {};
    const outcome = await login(service.client(), {
      ...person,
      answerTimeout: 1,
      onInteraction: () =>
        new Promise<string>((_, reject) => {
          fail = reject;
        }),
    });
    expect(outcome.status).toBe("expired");
    fail(new Error("too late"));
    await expectHandled();
  });

  test("leaves no listener on a signal that many logins share", async () => {
    const service = await startService(() => loggedIn("key-1"));
    const { signal } = new AbortController();
    const client = service.client({ signal });
    for (let round = 0; round < 20; round++) await login(client, { ...person, signal, onInteraction: never });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
