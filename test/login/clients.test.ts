import { type ClientEntry, login } from "ventanilla";
import { describe, expect, test, vi } from "vitest";
import {
  expectedSecret,
  person,
  promised,
  selectClient,
  sessionKey,
  startSandbox,
  startService,
  unasked,
} from "../bank/service.ts";

const clients = { json: { status: "success", clients: { 0: "First Client", "FIC-7": "Second Client" } } };
const chosen = (key?: string) => ({ json: { status: "success", key } });

describe("a login that ends with a choice of clients", () => {
  test("is left at that, with its key, where nobody chooses", async () => {
    const service = await startService([selectClient("key-1")]);
    const outcome = await login(service.client(), { ...person, onInteraction: unasked });
    expect(outcome).toEqual({ status: "select_client", provider: "test", key: expectedSecret("key-1") });
    expect(service.lines()).toEqual(["POST /login/"]);
  });

  test("is left at that where the bank gives no key", async () => {
    const service = await startService([selectClient()]);
    const outcome = await login(service.client(), { ...person, onInteraction: unasked });
    expect(outcome).toStrictEqual({ status: "select_client", provider: "test", key: undefined });
  });
});

describe("a choice of clients", () => {
  test("is shown, made, and leaves the key as it was", async () => {
    const service = await startService([selectClient("key-1"), clients, chosen()]);
    const shown: (readonly ClientEntry[])[] = [];
    const outcome = await login(service.client(), {
      ...person,
      onInteraction: unasked,
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

  test("may bring a new key, which replaces the old one", async () => {
    const service = await startService([selectClient("key-1"), clients, chosen("key-2")]);
    const outcome = await login(service.client(), { ...person, onInteraction: unasked, onSelectClient: () => "0" });
    expect(outcome).toEqual({ status: "logged_in", provider: "test", key: expectedSecret("key-2") });
    expect(service.lines()[2]).toBe("GET /client/0/?key=key-1");
  });

  test.each([
    ["undefined", undefined],
    ["null", null],
    ["an empty text", ""],
    ["a promise of nothing", Promise.resolve(null)],
  ])("cancels the login where it is %s", async (_, choice) => {
    const service = await startService([selectClient("key-1"), clients, chosen()]);
    const outcome = await login(service.client(), { ...person, onInteraction: unasked, onSelectClient: () => choice });
    expect(outcome).toEqual({ status: "cancelled", provider: "test" });
    expect(service.requests).toHaveLength(2);
  });

  test("of an id that the bank doesn't list ends with wrong_client, and nothing is sent for it", async () => {
    const sandbox = await startSandbox();
    const outcome = await login(sandbox.client(), {
      provider: "canal_pa",
      username: "letters",
      password: "s3creto",
      fields: { company_code: "7701" },
      onInteraction: unasked,
      onSelectClient: () => "FIC-0",
    });
    expect(outcome).toEqual({ status: "wrong_client", provider: "canal_pa" });
    expect(sandbox.lines()).toHaveLength(2);
  });

  test("of an id that can't stand in a path is refused, and nothing is sent for it", async () => {
    const odd = { json: { status: "success", clients: { "..": "Dots" } } };
    const service = await startService([selectClient("key-1"), odd, chosen()]);
    await expect(
      login(service.client(), { ...person, onInteraction: unasked, onSelectClient: () => ".." }),
    ).rejects.toMatchObject({ name: "InputError", code: "invalid_input", field: "client" });
    expect(service.requests).toHaveLength(2);
  });

  test("from an empty list ends with no_clients, and nobody is asked", async () => {
    const service = await startService([selectClient("key-1"), { json: { status: "success", clients: {} } }]);
    const outcome = await login(service.client(), { ...person, onInteraction: unasked, onSelectClient: unasked });
    expect(outcome).toEqual({ status: "no_clients", provider: "test" });
    expect(service.requests).toHaveLength(2);
  });

  test("from a list that the bank refuses ends with what it said", async () => {
    const service = await startService([selectClient("key-1"), { json: { status: "error", message: "Invalid key" } }]);
    const outcome = await login(service.client(), { ...person, onInteraction: unasked, onSelectClient: unasked });
    expect(outcome).toEqual({ status: "invalid_key", provider: "test", httpStatus: 200 });
  });

  test("without any key is against the contract", async () => {
    const service = await startService([selectClient()]);
    await expect(
      login(service.client(), { ...person, onInteraction: unasked, onSelectClient: unasked }),
    ).rejects.toMatchObject({ code: "response_against_contract", field: "key" });
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    ["list", [selectClient("key-1"), "broken"], "GET /client/"],
    ["choice", [selectClient("key-1"), clients, "broken"], "GET /client/{id}/"],
  ] as const)("rejects where the %s breaks", async (_, script, request) => {
    const service = await startService(script);
    await expect(
      login(service.client(), { ...person, onInteraction: unasked, onSelectClient: () => "0" }),
    ).rejects.toMatchObject({ name: "NetworkError", code: "network_failed", request });
    expect(service.requests).toHaveLength(script.length);
  });

  test.each(["newkey", "samekey", "letters", "token"])("leaves canal_pa/%s with a session", async (username) => {
    const sandbox = await startSandbox();
    const client = sandbox.client();
    const outcome = await login(client, {
      provider: "canal_pa",
      username,
      password: "s3creto",
      fields: { company_code: "7701" },
      onInteraction: () => "864209",
      onSelectClient: ([first]) => first?.id,
    });
    expect(await client.listTransferDestinations(sessionKey(outcome))).toMatchObject({ status: "success" });
  });

  test("that is not made in time expires", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 1_000_000 });
    const service = await startService([selectClient("key-1"), clients]);
    const asked = promised<AbortSignal>();
    const outcome = login(service.client(), {
      ...person,
      answerTimeout: 1000,
      onInteraction: unasked,
      onSelectClient: (_, { signal }) => {
        asked.keep(signal);
        return new Promise<string>(() => {});
      },
    });
    const signal = await asked.promise;
    await vi.advanceTimersByTimeAsync(999);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toEqual({ status: "expired", provider: "test" });
    expect(signal.aborted).toBe(true);
    vi.useRealTimers();
  });
});
