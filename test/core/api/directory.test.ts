import { type BankClient, type BankClientOptions, createBankClient, login } from "ventanilla";
import { createMemoryStore, type Store } from "ventanilla/tokens";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { loggedIn, person, promised, type Reply, startService } from "../../bank/service.ts";
import { freezeTime } from "./clock.ts";
import { API_KEY, localBank } from "./local-bank.ts";

const HOUR = 3_600_000;
const list: Reply = { json: { status: "success", providers: [{ code: "test", country: "UY", name: "Test" }] } };
const detail = (name: string, status = "success"): Reply => ({
  json: { status, provider: { name, country: "UY", auth_fields: [{ name: "username" }, { name: "password" }] } },
});
const readName = async (client: BankClient) => {
  const response = await client.getProvider("test");
  return response.status === "success" ? response.provider.name : response.status;
};

describe("the directory of a client", () => {
  beforeEach(freezeTime);
  afterEach(() => void vi.useRealTimers());

  test.each([
    ["listProviders", (client: BankClient) => client.listProviders(), list],
    ["getProvider", (client: BankClient) => client.getProvider("test"), detail("Bank")],
  ])("%s sends one request in an hour, and hooks see that one", async (_, read, response) => {
    const [onRequest, onResponse] = [vi.fn(), vi.fn()];
    const bank = localBank(response);
    const client = bank.client({ onRequest, onResponse });
    const first = await read(client);
    vi.setSystemTime(Date.now() + HOUR - 1);
    expect(await read(client)).toBe(first);
    expect(bank.requests).toHaveLength(1);
    expect(onRequest).toHaveBeenCalledTimes(1);
    expect(onResponse).toHaveBeenCalledTimes(1);
  });

  test("in the second hour what is kept is given at once, and read again behind the caller's back", async () => {
    const bank = localBank(detail("old"), detail("new"));
    const client = bank.client();
    await readName(client);
    vi.setSystemTime(Date.now() + HOUR);
    expect(await readName(client)).toBe("old");
    await expect.poll(() => readName(client)).toBe("new");
    expect(bank.requests).toHaveLength(2);
  });

  test("after the second hour nothing old is given", async () => {
    const bank = localBank(detail("old"), { http: 503, json: {} }, detail("new"));
    const client = bank.client();
    await readName(client);
    vi.setSystemTime(Date.now() + 2 * HOUR);
    await expect(readName(client)).rejects.toMatchObject({ code: "service_unavailable" });
    expect(await readName(client)).toBe("new");
  });

  test("in the second hour a fault of the service is not seen", async () => {
    const bank = localBank(detail("old"), { http: 503, json: {} }, detail("new"));
    const client = bank.client();
    await readName(client);
    vi.setSystemTime(Date.now() + HOUR);
    expect(await readName(client)).toBe("old");
    await expect.poll(() => readName(client)).toBe("new");
    expect(bank.requests).toHaveLength(3);
  });

  test("the lifetime can be set", async () => {
    const bank = localBank(detail("old"), detail("new"));
    const client = bank.client({ directory: { lifetime: 1_000 } });
    await readName(client);
    vi.setSystemTime(Date.now() + 2_000);
    expect(await readName(client)).toBe("new");
  });

  test.each<[what: string, first: Reply, name: string]>([
    ["a refusal", { http: 404, json: { status: "provider_doesnt_exist" } }, "provider_doesnt_exist"],
    ["a bank beside a state", detail("Bank", "under_maintenance"), "Bank"],
  ])("%s is not kept", async (_, first, name) => {
    const bank = localBank(first, detail("new"));
    const client = bank.client();
    expect(await readName(client)).toBe(name);
    expect(await readName(client)).toBe("new");
  });

  test("choices, other banks and the list are read for themselves", async () => {
    const bank = localBank(detail("Bank"), detail("Bank"), detail("Bank"), detail("Bank"), list);
    const client = bank.client();
    await client.getProvider("test");
    await client.getProvider("other");
    for (const value of ["1", "1"]) await client.getProvider("test", { choice: { field: "branch", value } });
    await client.listProviders();
    expect(bank.requests.map(({ url }) => url)).toEqual([
      "/provider/test/",
      "/provider/other/",
      "/provider/test/?key=branch&value=1",
      "/provider/test/?key=branch&value=1",
      "/provider/",
    ]);
  });

  test("false sends a request each time", async () => {
    const bank = localBank(detail("Bank"));
    const client = bank.client({ directory: false });
    await readName(client);
    await readName(client);
    expect(bank.requests).toHaveLength(2);
  });
});

describe("calls at the same time", () => {
  async function startHeld() {
    const { promise, keep } = promised<Reply>();
    const service = await startService(() => promise);
    return { service, client: service.client(), respond: keep };
  }

  test("send one request", async () => {
    const { service, client, respond } = await startHeld();
    const reads = Array.from({ length: 20 }, () => readName(client));
    respond(detail("Bank"));
    expect(new Set(await Promise.all(reads))).toEqual(new Set(["Bank"]));
    expect(service.requests).toHaveLength(1);
  });

  test("are not aborted by one of them", async () => {
    const { service, client, respond } = await startHeld();
    const first = new AbortController();
    const aborted = client.getProvider("test", { signal: first.signal });
    const other = readName(client);
    await service.arrival(1);
    first.abort();
    await expect(aborted).rejects.toMatchObject({ code: "request_aborted", request: "GET /provider/{code}/" });
    respond(detail("Bank"));
    expect(await other).toBe("Bank");
    expect(service.requests).toHaveLength(1);
  });

  test("abort the request when the last of them is aborted; the next one sends its own", async () => {
    const { service, client, respond } = await startHeld();
    const controller = new AbortController();
    const reads = [1, 2].map(() => client.getProvider("test", { signal: controller.signal }));
    const { abandoned } = await service.arrival(1);
    controller.abort();
    for (const read of reads) await expect(read).rejects.toMatchObject({ code: "request_aborted" });
    await abandoned;
    respond(detail("Bank"));
    expect(await readName(client)).toBe("Bank");
    expect(service.requests).toHaveLength(2);
  });

  test("with other limits send their own", async () => {
    const { service, client, respond } = await startHeld();
    const reads = [client.getProvider("test", { timeout: 30_000 }), readName(client)];
    const late = client.getProvider("test", { deadline: Date.now() + 1 });
    await expect(late).rejects.toMatchObject({ code: "request_timed_out" });
    respond(detail("Bank"));
    await Promise.all(reads);
    expect(service.requests.length).toBeGreaterThan(1);
  });

  test("500 logins at one bank read it once", async () => {
    const bank = localBank(detail("Bank"), loggedIn("key"));
    const client = bank.client();
    await Promise.all(Array.from({ length: 500 }, () => login(client, person)));
    const paths = bank.requests.map(({ url }) => url);
    expect(paths.filter((path) => path === "/login/")).toHaveLength(500);
    expect(paths.filter((path) => path !== "/login/")).toEqual(["/provider/test/"]);
  });
});

describe("the store of a directory", () => {
  beforeEach(freezeTime);
  afterEach(() => void vi.useRealTimers());

  function createStore() {
    const rows = new Map<string, { readonly text: string; readonly expiresAt: number }>();
    const memory = createMemoryStore({ rows });
    const swap = vi.fn<Store["swap"]>((...change) => memory.swap(...change));
    const store: Store = { ...memory, swap };
    return { rows, store, swapped: (times = 1) => expect.poll(() => swap.mock.results).toHaveLength(times) };
  }
  type Bank = ReturnType<typeof localBank>;
  const clientOf = (bank: Bank, store: Store, options: Partial<BankClientOptions> = {}) =>
    bank.client({ directory: { store }, ...options });

  test("is shared by clients", async () => {
    const { store, rows, swapped } = createStore();
    const bank = localBank(detail("old"), detail("new"));
    expect(await readName(clientOf(bank, store))).toBe("old");
    await swapped();
    expect([...rows.values()]).toEqual([{ text: expect.any(String), expiresAt: Date.now() + 2 * HOUR }]);
    expect(await readName(clientOf(bank, store))).toBe("old");
    expect(bank.requests).toHaveLength(1);
    vi.setSystemTime(Date.now() + 2 * HOUR);
    expect(await readName(clientOf(bank, store))).toBe("new");
  });

  test("gives the list of banks as well, with what was skipped", async () => {
    const { store, swapped } = createStore();
    const bank = localBank({ json: { status: "success", providers: [{ code: "test", name: "Test" }, null] } });
    const first = await clientOf(bank, store).listProviders();
    await swapped();
    expect(await clientOf(bank, store).listProviders()).toEqual(first);
    expect(bank.requests).toHaveLength(1);
  });

  test("spares the refresh that another client has made", async () => {
    const { store, swapped } = createStore();
    const bank = localBank(detail("old"), detail("new"), detail("never"));
    const [one, other] = [clientOf(bank, store), clientOf(bank, store)];
    await readName(one);
    await swapped();
    await readName(other);
    vi.setSystemTime(Date.now() + HOUR);
    await readName(one);
    await swapped(2);
    expect(await readName(other)).toBe("old");
    await expect.poll(() => readName(other)).toBe("new");
    expect(bank.requests).toHaveLength(2);
  });

  test.each<[what: string, bank: Partial<BankClientOptions>]>([
    ["API keys", { apiKey: "another-api-key" }],
    ["services", { baseUrl: "https://other.example" }],
  ])("gives each of two %s its own banks", async (_, options) => {
    const { store, rows, swapped } = createStore();
    const bank = localBank(detail("first"), detail("second"));
    expect(await readName(clientOf(bank, store))).toBe("first");
    await swapped();
    expect(await readName(clientOf(bank, store, options))).toBe("second");
    await swapped(2);
    expect(await readName(clientOf(bank, store))).toBe("first");
    expect(await readName(clientOf(bank, store, options))).toBe("second");
    expect([bank.requests.length, rows.size]).toEqual([2, 2]);
  });

  test("gets ids that any store takes, and no API key", async () => {
    const { store, rows, swapped } = createStore();
    const bank = localBank(detail("Bank"));
    await clientOf(bank, store).getProvider("ñ".repeat(200));
    await swapped();
    expect([...rows.keys()]).toEqual([expect.stringMatching(/^directory:[\w:-]{1,90}$/)]);
    expect(JSON.stringify([...rows])).not.toContain(API_KEY);
  });

  test("does not get what is longer than any store takes", async () => {
    const { store, rows, swapped } = createStore();
    const many = (count: number): Reply => ({
      json: {
        status: "success",
        providers: Array.from({ length: count }, (_, code) => ({ code: `bank-${code}`, country: "UY", name: "Test" })),
      },
    });
    const service = localBank(many(20_000), many(2));
    expect((await clientOf(service, store).listProviders()).status).toBe("success");
    expect(await clientOf(service, store).listProviders()).toMatchObject({ providers: [{}, {}] });
    await swapped();
    expect([...rows.values()].map(({ text }) => text.length < 400_000)).toEqual([true]);
  });

  test("that has an entry from the future is not believed, and gets one of now", async () => {
    const { store, swapped } = createStore();
    const bank = localBank(detail("wrong clock"), detail("right clock"));
    const now = Date.now();
    vi.setSystemTime(now + HOUR);
    await readName(clientOf(bank, store));
    await swapped();
    vi.setSystemTime(now);
    expect(await readName(clientOf(bank, store))).toBe("right clock");
    await swapped(2);
    expect(await readName(clientOf(bank, store))).toBe("right clock");
    expect(bank.requests).toHaveLength(2);
  });

  const fail = () => {
    throw new Error("store");
  };
  test.each<[what: string, Partial<Store>]>([
    ["throws", { read: fail, swap: fail }],
    ["throws when it is written", { swap: fail }],
    ["rejects", { read: async () => fail(), swap: async () => fail() }],
    ["gives a text that is no entry", { read: () => "{}" }],
    ["gives what is no JSON", { read: () => "<html>" }],
    ["never takes a text", { swap: () => false }],
    ["never settles a swap", { swap: () => new Promise(() => {}) }],
  ])("that %s is passed over", async (_, broken) => {
    const bank = localBank(detail("Bank"));
    expect(await readName(clientOf(bank, { ...createStore().store, ...broken }))).toBe("Bank");
  });

  test("is passed over on a platform without WebCrypto", async () => {
    const { store } = createStore();
    onTestFinished(() => void vi.unstubAllGlobals());
    vi.stubGlobal("crypto", undefined);
    expect(await readName(clientOf(localBank(detail("Bank")), store))).toBe("Bank");
  });

  test("that has a text which is no entry gets one in its place", async () => {
    const { store, rows, swapped } = createStore();
    const bank = localBank(detail("Bank"), detail("never"));
    await readName(clientOf(bank, store));
    await swapped();
    for (const [id, row] of rows) rows.set(id, { ...row, text: "{}" });
    await readName(clientOf(bank, store));
    await swapped(2);
    expect([...rows.values()].map(({ text }) => JSON.parse(text))).toMatchObject([{ readAt: Date.now() }]);
  });

  test("that never gives anything is passed over after a second", async () => {
    const bank = localBank(detail("Bank"));
    const read = readName(clientOf(bank, { ...createStore().store, read: () => new Promise(() => {}) }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await read).toBe("Bank");
  });
});

test("a client whose clock is set back asks again", async () => {
  freezeTime();
  onTestFinished(() => void vi.useRealTimers());
  const bank = localBank(detail("old"), detail("new"));
  const client = bank.client();
  await readName(client);
  vi.setSystemTime(Date.now() - HOUR);
  expect(await readName(client)).toBe("new");
});

test.each<[field: string, BankClientOptions["directory"]]>([
  ["directory", true as never],
  ["directory.lifetime", { lifetime: 0 }],
  ["directory.store", { store: {} as never }],
  ["directory.store", { store: { ...createMemoryStore(), swap: undefined } as never }],
  ["directory.store", { store: null as never }],
])("a wrong %s is refused by name", (field, directory) => {
  const create = () =>
    createBankClient({ baseUrl: "https://bank.example", apiKey: "key", directory: directory as never });
  expect(create).toThrow(expect.objectContaining({ code: "invalid_input", field }));
});
