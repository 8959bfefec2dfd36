import { type BankClientOptions, createRelayClient, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import type { LoginFields } from "../../../src/core/api/client.ts";
import { startService } from "../../bank/service.ts";
import { readFault } from "./faults.ts";
import { createClient, FORM, localBank, SESSION_KEY, unknownStatus } from "./local-bank.ts";

/** A client of a bank without a wire that responds with an unknown status. */
function unknownBank(options: Partial<BankClientOptions> = {}) {
  const bank = localBank(unknownStatus);
  return { client: bank.client(options), requests: bank.requests };
}

describe("the headers of a request", () => {
  test("have the User-Agent ventanilla, the option's, or the platform's own", async () => {
    const { url, requests } = await startService(() => unknownStatus);
    await createClient(url).listProviders();
    await createClient(url, { userAgent: "teller/7 (+https://teller.example)" }).listProviders();
    await createClient(url, { userAgent: false }).listProviders();
    const agents = requests.map(({ headers }) => headers["user-agent"]);
    expect(agents).toEqual(["ventanilla", "teller/7 (+https://teller.example)", "node"]);
  });

  // With the key in a header the addresses of all sessions are the same: a cache before the service would mix them up.
  test("forbid caches to store a response", async () => {
    const { client, requests } = unknownBank();
    await client.logout("session");
    expect(requests[0]?.headers).toHaveProperty("cache-control", "no-store");
  });

  test("have no X-Session-Key in a first login", async () => {
    const { client, requests } = unknownBank({ sessionKeyIn: "header" });
    await client.login(FORM);
    expect(requests[0]?.headers).not.toHaveProperty("x-session-key");
  });
});

describe("a request to a relay, without an API key,", () => {
  test("has X-Ventanilla, the platform's User-Agent and no X-API-Key", async () => {
    const { url, requests } = await startService(() => unknownStatus);
    const client = createRelayClient({ baseUrl: url });
    await client.listProviders();
    await client.login(FORM);
    for (const { headers } of requests) {
      expect(headers).toMatchObject({ "x-ventanilla": "1", "user-agent": "node" });
      expect(headers).not.toHaveProperty("x-api-key");
      expect(headers).not.toHaveProperty("cache-control");
    }
    expect(requests).toHaveLength(2);
  });
});

describe("sessionKeyIn: header", () => {
  test("sends X-Session-Key instead of a key in the address", async () => {
    const { client, requests } = unknownBank({ sessionKeyIn: "header" });
    await client.login({ ...FORM, otp: "8888" }, { key: secret(SESSION_KEY) });
    await client.listTransferDestinations(SESSION_KEY);
    await client.listClients(SESSION_KEY);
    await client.selectClient(SESSION_KEY, "0");
    await client.logout(SESSION_KEY);
    expect(requests.map((request) => [request.url, request.headers["x-session-key"]])).toEqual(
      ["/login/", "/transfer/destinations", "/client/", "/client/0/", "/logout/"].map((path) => [path, SESSION_KEY]),
    );
  });
});

describe("login", () => {
  // A service that merges query and form would take it for a session.
  test.each(["key", "KEY"])("refuses a field called %s by name, and sends nothing", async (field) => {
    const { client, requests } = unknownBank();
    expect(await readFault(client.login({ ...FORM, [field]: "stolen" }))).toMatchObject({
      code: "invalid_input",
      field,
    });
    expect(requests).toEqual([]);
  });

  test.each([
    ["a number", 5, "must be a string or a secret"],
    ["null", null, "must be a string or a secret"],
    ["an empty text", "", "must not be empty"],
    ["an empty secret", secret(""), "must not be empty"],
    ["half a surrogate pair", "a\udfff", "must be well-formed Unicode"],
  ])("refuses %s as a value, and sends nothing", async (_, value, detail) => {
    const { client, requests } = unknownBank();
    for (const name of ["provider", "username", "password", "otp"]) {
      const fields = { ...FORM, [name]: value } as LoginFields;
      const message = `invalid_input: ${name}: ${detail}`;
      await expect(client.login(fields)).rejects.toMatchObject({ code: "invalid_input", field: name, message });
    }
    expect(requests).toEqual([]);
  });

  test("refuses an empty or ill-formed field name", async () => {
    const { client, requests } = unknownBank();
    for (const name of ["", "\ud800"]) {
      await expect(client.login({ ...FORM, [name]: "x" })).rejects.toMatchObject({
        code: "invalid_input",
        field: "field",
      });
    }
    expect(requests).toEqual([]);
  });
});

describe("a provider code or client id", () => {
  // A proxy may decode it, once or twice.
  test.each([
    ...[".", "..", "...", "../logout", "a..b", "A/1", "/", "a\\b", "50%", "%2e%2e", "%2F", "\0", "a\nb", "a\u0085b"],
  ])("is refused if it is %j, which could lead to another path", async (value) => {
    const { client, requests } = unknownBank();
    const detail = "must have no slash, backslash, percent or control character or dot segment";
    await expect(client.getProvider(value)).rejects.toMatchObject({
      message: `invalid_input: code: ${detail}`,
      field: "code",
    });
    await expect(client.selectClient(SESSION_KEY, value)).rejects.toMatchObject({
      message: `invalid_input: client: ${detail}`,
      field: "client",
    });
    expect(requests).toEqual([]);
  });
});

// Which texts can be sent: injection.property.test.ts.
test.each(["", 5 as never, undefined as never])("%j is refused as a code, a client or a session key", async (value) => {
  const { client, requests } = unknownBank();
  for (const [field, call] of [
    ["code", () => client.getProvider(value)],
    ["client", () => client.selectClient(SESSION_KEY, value)],
    ["key", () => client.selectClient(value, "0")],
    ["key", () => client.listTransferDestinations(value)],
    ["key", () => client.listClients(value)],
    ["key", () => client.logout(value)],
    // A first login has none.
    ["key", () => client.login(FORM, { key: value })],
  ] as const) {
    await expect(call()).rejects.toMatchObject({ code: "invalid_input", field });
  }
  expect(requests).toEqual([]);
});
