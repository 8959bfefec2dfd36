import { type BankClient, type BankClientOptions, createBankClient, type DirectoryStore, login } from "ventanilla";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { loggedIn, person, promised, type Reply, startService } from "../../bank/service.ts";
import { freezeTime } from "./clock.ts";
import { localBank } from "./local-bank.ts";

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

  const name = "https://bank.example/provider/test/";
  function createStore(texts = new Map<string, string>()) {
    const store: DirectoryStore = {
      read: async (key) => texts.get(key),
      write: vi.fn((key, value) => void texts.set(key, value)),
    };
    return { texts, store };
  }
  const clientOf = (bank: ReturnType<typeof localBank>, store: DirectoryStore) => bank.client({ directory: { store } });

  test("is shared by clients", async () => {
    const { store } = createStore();
    const bank = localBank(detail("old"), detail("new"));
    const expiresAt = new Date(Date.now() + 2 * HOUR);
    expect(await readName(clientOf(bank, store))).toBe("old");
    await expect.poll(() => store.write).toHaveBeenCalledOnce();
    expect(store.write).toHaveBeenCalledWith(name, expect.any(String), expiresAt);
    expect(await readName(clientOf(bank, store))).toBe("old");
    expect(bank.requests).toHaveLength(1);
    vi.setSystemTime(Date.now() + 2 * HOUR);
    expect(await readName(clientOf(bank, store))).toBe("new");
  });

  test("gives the list of banks as well, with what was skipped", async () => {
    const { store } = createStore();
    const bank = localBank({ json: { status: "success", providers: [{ code: "test", name: "Test" }, null] } });
    const first = await clientOf(bank, store).listProviders();
    await expect.poll(() => store.write).toHaveBeenCalledOnce();
    expect(await clientOf(bank, store).listProviders()).toEqual(first);
    expect(bank.requests).toHaveLength(1);
  });

  test("spares the refresh that another client has made", async () => {
    const { store } = createStore();
    const bank = localBank(detail("old"), detail("new"), detail("never"));
    const [one, other] = [clientOf(bank, store), clientOf(bank, store)];
    await readName(one);
    await expect.poll(() => store.write).toHaveBeenCalledOnce();
    await readName(other);
    vi.setSystemTime(Date.now() + HOUR);
    await readName(one);
    await expect.poll(() => store.write).toHaveBeenCalledTimes(2);
    expect(await readName(other)).toBe("old");
    await expect.poll(() => readName(other)).toBe("new");
    expect(bank.requests).toHaveLength(2);
  });

  test.each<[what: string, Partial<DirectoryStore>]>([
    [
      "throws",
      {
        read: () => {
          throw new Error("store");
        },
        write: () => {
          throw new Error("store");
        },
      },
    ],
    ["rejects", { read: () => Promise.reject(new Error("store")), write: () => Promise.reject(new Error("store")) }],
    ["gives a text that is no entry", { read: () => "{}" }],
    ["gives what is no JSON", { read: () => "<html>" }],
  ])("that %s is passed over", async (_, broken) => {
    const bank = localBank(detail("Bank"));
    expect(await readName(clientOf(bank, { ...createStore().store, ...broken }))).toBe("Bank");
  });

  test("that never gives anything is passed over after a second", async () => {
    const bank = localBank(detail("Bank"));
    const read = readName(clientOf(bank, { ...createStore().store, read: () => new Promise(() => {}) }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await read).toBe("Bank");
  });
});

test.each<[field: string, BankClientOptions["directory"]]>([
  ["directory", true as never],
  ["directory.lifetime", { lifetime: 0 }],
  ["directory.store", { store: {} as never }],
])("a wrong %s is refused by name", (field, directory) => {
  const create = () =>
    createBankClient({ baseUrl: "https://bank.example", apiKey: "key", directory: directory as never });
  expect(create).toThrow(expect.objectContaining({ code: "invalid_input", field }));
});
