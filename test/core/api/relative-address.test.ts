import { BankError, createBankClient, createLoginMachine, createRelayClient, resume } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { afterEach, describe, expect, test, vi } from "vitest";
import { asks, loginUnread, openQuestion, person } from "../../bank/service.ts";
import { localBank } from "./local-bank.ts";

afterEach(() => vi.unstubAllGlobals());

/** Makes the program run as in a page of this origin. */
const onPage = (origin: string) => vi.stubGlobal("location", { origin });

const SEAL_KEY = Buffer.alloc(32, 7).toString("base64");

describe("a baseUrl that is a path", () => {
  test.each([
    ["/bank", "/bank"],
    ["/bank/", "/bank"],
    ["/api/v1//", "/api/v1"],
    ["/", ""],
  ])("%j becomes %j", (given, taken) => {
    expect(createRelayClient({ baseUrl: given }).baseUrl).toBe(taken);
  });

  test.each([
    undefined as never,
    "bank",
    "./bank",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/bank\\..",
    "/a/../bank",
    "/a b",
  ])("is refused if it is %j, which can lead to another host or path", (baseUrl) => {
    expect(() => createRelayClient({ baseUrl })).toThrow(BankError);
    expect(() => createRelayClient({ baseUrl })).toThrow(
      "invalid_input: baseUrl: must be an absolute address, or a path that begins with one slash",
    );
  });

  test.each(["/bank?a=b", "/bank#part", "/?", "/#"])("is refused if it is %s, with a query or fragment", (baseUrl) => {
    expect(() => createRelayClient({ baseUrl })).toThrow(
      "invalid_input: baseUrl: must have no user, query or fragment",
    );
  });

  test("is refused beside an apiKey", () => {
    onPage("https://shop.example");
    expect(() => createBankClient({ baseUrl: "/bank", apiKey: "k" })).toThrow(
      "invalid_input: baseUrl: must be an absolute address",
    );
  });

  test.each([
    ["/bank/", "https://shop.example", "/bank"],
    ["/", "http://localhost:8080", ""],
  ])("%s belongs to the page's origin, which is read when a request is sent", async (baseUrl, url, path) => {
    const { fetch, requests } = localBank({ json: { status: "success", providers: [] } });
    const read = vi.fn(() => url);
    vi.stubGlobal("location", {
      get origin() {
        return read();
      },
    });
    const seen: string[] = [];
    const client = createRelayClient({ baseUrl, fetch, onRequest: (event) => seen.push(event.url) });
    createLoginMachine(client);
    expect(read).not.toHaveBeenCalled();
    expect((await client.listProviders()).status).toBe("success");
    expect(requests.map((request) => request.url)).toEqual([`${path}/provider/`]);
    expect(requests[0]?.headers).not.toHaveProperty("x-attempt-id");
    expect(seen).toEqual([`${url}${path}/provider/`]);
  });

  test.each([[undefined], ["null"], ["file://"], ["blob:https://shop.example"]])(
    "fails with invalid_input if the origin is %s, and nothing is sent",
    async (origin) => {
      if (origin) onPage(origin);
      const send = vi.fn<typeof fetch>();
      const client = createRelayClient({ baseUrl: "/bank", fetch: send });
      const fault = {
        code: "invalid_input",
        field: "baseUrl",
        detail: "must be absolute on a server",
      };
      await expect(client.listProviders()).rejects.toMatchObject(fault);
      await expect(client.login(person)).rejects.toMatchObject(fault);
      expect(send).not.toHaveBeenCalled();
    },
  );

  test("binds a paused login to its origin: the same path of another origin can't resume it", async () => {
    onPage("https://shop.example");
    const { fetch } = localBank(asks("otp", "key-1"));
    const client = createRelayClient({ baseUrl: "/bank", fetch });
    const token = await openQuestion(await loginUnread(client, person)).pause({ key: SEAL_KEY });
    onPage("https://evil.example");
    const options = { key: SEAL_KEY, claimStore: createMemoryStore({ rows: new Map() }) };
    await expect(resume(client, token, options)).rejects.toMatchObject({
      code: "token_invalid",
      detail: "of another address",
    });
    vi.unstubAllGlobals();
    await expect(resume(client, token, options)).rejects.toMatchObject({ field: "baseUrl" });
    onPage("https://shop.example");
    await openQuestion(await resume(client, token, options)).cancel();
  });

  test("is refused by createRelay", () => {
    const client = createRelayClient({ baseUrl: "/bank" });
    const options = { store: createMemoryStore(), allowedOrigins: ["https://shop.example"], onLogin: () => undefined };
    expect(() => createRelay({ client, ...options })).toThrow("invalid_input: baseUrl");
  });
});
