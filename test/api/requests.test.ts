import { createBankClient, type LoginFields, SecretError, secret } from "ventanilla";
import { afterEach, describe, expect, test, vi } from "vitest";
import { API_KEY, bankThatSays, createClient, FORM, SESSION_KEY, serveResponses } from "./server.ts";

const unknown = { json: { status: "unheard_of" } };

afterEach(() => vi.unstubAllGlobals());

describe("headers", () => {
  test("the user agent is ventanilla, another one, or the platform's own", async () => {
    const { url, requests } = await serveResponses(unknown);
    await createClient(url).listProviders();
    await createClient(url, { userAgent: "teller/7 (+https://teller.example)" }).listProviders();
    await createClient(url, { userAgent: false }).listProviders();
    const agents = requests.map(({ headers }) => headers["user-agent"]);
    expect(agents).toEqual(["ventanilla", "teller/7 (+https://teller.example)", "node"]);
  });

  test("JSON is what every request asks for", async () => {
    const { client, requests } = await bankThatSays(unknown);
    await client.listProviders();
    await client.login(FORM);
    expect(requests.map(({ headers }) => headers["accept"])).toEqual(["application/json", "application/json"]);
  });

  test("no session key goes with a request that has none", async () => {
    const { url, requests } = await serveResponses(unknown);
    await createClient(url, { sessionKeyIn: "header" }).login(FORM);
    expect(requests[0]?.headers).not.toHaveProperty("x-session-key");
  });
});

describe("without an API key", () => {
  test("a request says that it comes from ventanilla, as a relay wants to hear it, and carries no key and no name", async () => {
    const { url, requests } = await serveResponses(unknown);
    const client = createBankClient({ baseUrl: url });
    await client.listProviders();
    await client.login(FORM);
    for (const { headers } of requests) {
      expect(headers).toMatchObject({ "x-ventanilla": "1", "user-agent": "node" });
      expect(headers).not.toHaveProperty("x-api-key");
    }
    expect(requests).toHaveLength(2);
  });

  test("and with one, it says nothing of a relay", async () => {
    const { client, requests } = await bankThatSays(unknown);
    await client.listProviders();
    expect(requests[0]?.headers).toMatchObject({ "x-api-key": API_KEY });
    expect(requests[0]?.headers).not.toHaveProperty("x-ventanilla");
  });
});

describe("sessionKeyIn: header", () => {
  test("sends X-Session-Key and leaves the address without a key, on the second login too", async () => {
    const { url, requests } = await serveResponses(unknown);
    const client = createClient(url, { sessionKeyIn: "header" });
    await client.login({ ...FORM, otp: "8888" }, { key: secret(SESSION_KEY) });
    await client.listTransferDestinations(SESSION_KEY);
    await client.listClients(SESSION_KEY);
    await client.selectClient(SESSION_KEY, "0");
    await client.logout(SESSION_KEY);
    expect(requests.map((request) => [request.url, request.headers["x-session-key"]])).toEqual(
      ["/login/", "/transfer/destinations", "/client/", "/client/0/", "/logout/"].map((path) => [path, SESSION_KEY]),
    );
  });

  test.each(["k\r\nx-other: 1", " k", "clave ñ"])("refuses the key %j before anything is sent", async (key) => {
    const { url, requests } = await serveResponses(unknown);
    const call = createClient(url, { sessionKeyIn: "header" }).listClients(key);
    await expect(call).rejects.toMatchObject({ code: "invalid_input", field: "key" });
    expect(requests).toEqual([]);
  });
});

describe("a login form", () => {
  test("takes plain strings and secrets alike", async () => {
    const { client, requests } = await bankThatSays(unknown);
    await client.login({ provider: "a", username: secret("b c"), password: secret("d=e&f"), otp: "8888" });
    expect(requests[0]?.body).toBe("provider=a&username=b+c&password=d%3De%26f&otp=8888");
  });

  test.each([
    ["a number", 5, "must be a string or a secret"],
    ["nothing", undefined, "must be a string or a secret"],
    ["null", null, "must be a string or a secret"],
    ["an empty text", "", "must not be empty"],
    ["an empty secret", secret(""), "must not be empty"],
    ["half a surrogate pair", "a\udfff", "must be well-formed Unicode"],
  ])("with %s as a value is refused, and nothing is sent", async (_, value, detail) => {
    const { client, requests } = await bankThatSays(unknown);
    for (const name of ["provider", "username", "password", "otp"]) {
      const fields = { ...FORM, [name]: value } as LoginFields;
      const message = `invalid_input: ${name}: ${detail}`;
      await expect(client.login(fields)).rejects.toMatchObject({ code: "invalid_input", field: name, message });
    }
    expect(requests).toEqual([]);
  });

  test("with an empty or broken field name is refused", async () => {
    const { client, requests } = await bankThatSays(unknown);
    for (const name of ["", "\ud800"]) {
      await expect(client.login({ ...FORM, [name]: "x" })).rejects.toMatchObject({
        code: "invalid_input",
        field: "field",
      });
    }
    expect(requests).toEqual([]);
  });

  test("without a required field is refused by that field's name", async () => {
    const { client, requests } = await bankThatSays(unknown);
    const call = client.login({ provider: "a", username: "b" } as unknown as LoginFields);
    await expect(call).rejects.toMatchObject({ code: "missing_field", message: "missing_field: password" });
    expect(requests).toEqual([]);
  });

  test("whose secret went through JSON is secret_unavailable, and the bank never sees [secret]", async () => {
    const { client, requests } = await bankThatSays(unknown);
    const stored: LoginFields = JSON.parse(JSON.stringify({ ...FORM, password: secret("p") }));
    const call = client.login(stored);
    await expect(call).rejects.toBeInstanceOf(SecretError);
    await expect(call).rejects.toMatchObject({ code: "secret_unavailable", field: "password" });
    await expect(client.login({ ...FORM, password: {} as never })).rejects.toBeInstanceOf(SecretError);
    expect(requests).toEqual([]);
  });
});

describe("a value in the path", () => {
  // Encoded or not, once or twice: somebody on the way may decode it.
  test.each([
    ...[".", "..", "...", "../logout", "a..b", "A/1", "/", "a\\b", "50%", "%2e%2e", "%2F", "\0", "a\nb", "a\u0085b"],
  ])("that is %j is refused, for it could lead elsewhere", async (value) => {
    const { client, requests } = await bankThatSays(unknown);
    const detail = "must have no slash, backslash, percent sign, control character or dot segment";
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

  test.each(["", "\ud800", 5 as never])("that is %j is refused", async (value) => {
    const { client, requests } = await bankThatSays(unknown);
    await expect(client.getProvider(value)).rejects.toMatchObject({ code: "invalid_input", field: "code" });
    const chosen = client.selectClient(SESSION_KEY, value);
    await expect(chosen).rejects.toMatchObject({ code: "invalid_input", field: "client" });
    expect(requests).toEqual([]);
  });

  test("keeps everything else to the letter", async () => {
    const { client, requests } = await bankThatSays(unknown);
    await client.selectClient(SESSION_KEY, "?a=b#c");
    await client.selectClient(SESSION_KEY, "ñandú 7;~&+");
    await client.selectClient(SESSION_KEY, "a.b-C_1");
    expect(requests.map(({ url }) => url)).toEqual([
      `/client/%3Fa%3Db%23c/?key=${SESSION_KEY}`,
      `/client/%C3%B1and%C3%BA%207%3B~%26%2B/?key=${SESSION_KEY}`,
      `/client/a.b-C_1/?key=${SESSION_KEY}`,
    ]);
  });
});

describe("a session key", () => {
  test.each(["", "\ud800", 5 as never])("that is %j is refused by every method that takes one", async (key) => {
    const { client, requests } = await bankThatSays(unknown);
    for (const call of [
      () => client.listTransferDestinations(key),
      () => client.listClients(key),
      () => client.selectClient(key, "0"),
      () => client.logout(key),
      () => client.login(FORM, { key }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: "invalid_input", field: "key" });
    }
    expect(requests).toEqual([]);
  });

  test("that is missing is refused before anything is sent, for a session's request has one", async () => {
    const { client, requests } = await bankThatSays(unknown);
    const key = undefined as never;
    for (const call of [
      () => client.listTransferDestinations(key),
      () => client.listClients(key),
      () => client.selectClient(key, "0"),
      () => client.logout(key),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: "invalid_input", field: "key" });
      expect(requests).toEqual([]);
    }
  });
});

describe("getProvider with a choice", () => {
  test("narrows with key and value in the query", async () => {
    const { client, requests } = await bankThatSays(unknown);
    await client.getProvider("puente_co", { choice: { field: "country_code", value: "V&E=1" } });
    expect(requests[0]?.url).toBe("/provider/puente_co/?key=country_code&value=V%26E%3D1");
  });

  test.each([
    { field: "country_code", value: "a\ud800" },
    { field: "\udc00", value: "VE" },
  ])("refuses %j, which can't be sent to the letter", async (choice) => {
    const { client, requests } = await bankThatSays(unknown);
    await expect(client.getProvider("puente_co", { choice })).rejects.toMatchObject({ code: "invalid_input" });
    expect(requests).toEqual([]);
  });
});

test("a global fetch that is replaced after the client was made is the one that is called", async () => {
  const client = createClient("https://bank.example");
  const addresses: string[] = [];
  vi.stubGlobal("fetch", async (input: string) => {
    addresses.push(input);
    return Response.json({ status: "success", providers: [] });
  });
  expect(await client.listProviders()).toEqual({ status: "success", providers: [] });
  expect(addresses).toEqual(["https://bank.example/provider/"]);
});

test("a given fetch is called instead of the global one, with nothing followed and nothing secret in the address", async () => {
  const calls: { input: unknown; init: RequestInit | undefined }[] = [];
  const client = createClient("https://bank.example", {
    fetch: async (input, init) => {
      calls.push({ input, init });
      return Response.json({ status: "logged_out" });
    },
    sessionKeyIn: "header",
  });
  expect(await client.logout(SESSION_KEY)).toEqual({ status: "logged_out" });
  expect(calls).toHaveLength(1);
  expect(calls[0]?.input).toBe("https://bank.example/logout/");
  expect(calls[0]?.init).toMatchObject({ method: "GET", redirect: "manual" });
  expect(calls[0]?.init?.signal).toBeInstanceOf(AbortSignal);
  expect(new Headers(calls[0]?.init?.headers).get("x-api-key")).toBe(API_KEY);
});
