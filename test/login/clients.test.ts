import { type ClientEntry, login } from "ventanilla";
import { describe, expect, test, vi } from "vitest";
import { expectedSecret, person, promised, selectClient, startService } from "../bank/service.ts";

const clients = { json: { status: "success", clients: { 0: "First Client", "FIC-7": "Second Client" } } };
const chosen = (key?: string) => ({ json: { status: "success", key } });

describe("a choice of clients", () => {
  test("is shown, made, and leaves the key as it was", async () => {
    const service = await startService([selectClient("key-1"), clients, chosen()]);
    const shown: (readonly ClientEntry[])[] = [];
    const outcome = await login(service.client(), {
      ...person,
      onSelectClient: async (choices, { signal }) => {
        expect(signal.aborted).toBe(false);
        shown.push(choices);
        return "FIC-7";
      },
    });
    expect(outcome).toEqual({ status: "logged_in", provider: "test", key: expectedSecret("key-1") });
    expect(shown).toEqual([
      [
        { id: "0", name: "First Client" },
        { id: "FIC-7", name: "Second Client" },
      ],
    ]);
    expect(service.lines()).toEqual(["POST /login/", "GET /client/?key=key-1", "GET /client/FIC-7/?key=key-1"]);
  });

  test.each([
    ["undefined", undefined],
    ["null", null],
    ["an empty text", ""],
    ["a promise of nothing", Promise.resolve(null)],
  ])("cancels the login where it is %s", async (_, choice) => {
    const service = await startService([selectClient("key-1"), clients, chosen()]);
    const outcome = await login(service.client(), { ...person, onSelectClient: () => choice });
    expect(outcome).toEqual({ status: "cancelled", provider: "test" });
    expect(service.requests).toHaveLength(2);
  });

  test("of an id that can't stand in a path is refused, and nothing is sent for it", async () => {
    const odd = { json: { status: "success", clients: { "..": "Dots" } } };
    const service = await startService([selectClient("key-1"), odd, chosen()]);
    await expect(login(service.client(), { ...person, onSelectClient: () => ".." })).rejects.toMatchObject({
      name: "InputError",
      code: "invalid_input",
      field: "client",
    });
    expect(service.requests).toHaveLength(2);
  });

  test("that is not made in time expires", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 1_000_000 });
    const service = await startService([selectClient("key-1"), clients]);
    const called = promised<AbortSignal>();
    const outcome = login(service.client(), {
      ...person,
      answerTimeout: 1000,
      onSelectClient: (_, { signal }) => {
        called.keep(signal);
        return new Promise<string>(() => {});
      },
    });
    const signal = await called.promise;
    await vi.advanceTimersByTimeAsync(999);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toEqual({ status: "expired", provider: "test" });
    expect(signal.aborted).toBe(true);
    vi.useRealTimers();
  });
});
