import { describe, expect, test } from "vitest";
import { API_KEY, bankThatSays, FORM, SESSION_KEY } from "../api/server.ts";
import { keyIn, known, readProvider, sandbox } from "./sandbox.ts";

const unknown = { json: { status: "unheard_of" } };

describe("4.1 POST /login/", () => {
  test("4.1 the request is a POST to /login/ of application/x-www-form-urlencoded, and nothing more", async () => {
    const { client, requests } = await bankThatSays(unknown);
    await client.login(FORM);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: "POST", url: "/login/" });
    expect(requests[0]?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  });

  test("4.1 the key query parameter is given only for the second login", async () => {
    const { client, requests } = await bankThatSays(unknown);
    await client.login(FORM);
    await client.login({ ...FORM, otp: "8888" }, { key: SESSION_KEY });
    expect(requests.map(({ url }) => url)).toEqual(["/login/", `/login/?key=${SESSION_KEY}`]);
  });

  test.each([
    ["provider", "bancoazul"],
    ["username", "a user"],
    ["password", "pa+ss&w=ord%"],
  ] as const)("4.1 the form field %s is sent", async (name, value) => {
    const { client, requests } = await bankThatSays(unknown);
    await client.login({ ...FORM, [name]: value });
    expect(new URLSearchParams(requests[0]?.body).getAll(name)).toEqual([value]);
  });

  test.each(["provider", "username", "password"])("4.1 the form field %s is required", async (name) => {
    const { client, requests } = await bankThatSays(unknown);
    const { [name]: _, ...rest } = { ...FORM } as Record<string, string>;
    await expect(client.login(rest as typeof FORM)).rejects.toMatchObject({ code: "missing_field", field: name });
    expect(requests).toEqual([]);
  });

  test("4.1 provider-specific fields are sent beside the required ones, in the order given", async () => {
    const { client, requests } = await bankThatSays(unknown);
    await client.login({ provider: "a", username: "b", password: "c", company_code: "7701", type: "corp" });
    expect(requests[0]?.body).toBe("provider=a&username=b&password=c&company_code=7701&type=corp");
  });

  test("4.1 some providers require more than the three fields, as their detail says", async () => {
    const { auth_fields } = await readProvider("cordillera_cl");
    expect(auth_fields.map(({ name }) => name)).toContain("document_number");
    const minimal = known("minimo_bo", "plain");
    expect((await sandbox.login(minimal)).status).toBe("missing_credentials");
    expect((await sandbox.login({ ...minimal, document_number: "4455667" })).status).toBe("logged_in");
  });

  test("4.1 the interactive field personal_question goes with the second login", async () => {
    const credentials = known("test", "12345pq", "asdfg");
    const key = keyIn(await sandbox.login(credentials));
    const done = await sandbox.login({ ...credentials, personal_question: "8888" }, { key });
    expect(done.status).toBe("logged_in");
  });
});

describe("4.2 GET /provider/{code}/", () => {
  test.each([
    ["bancoazul", "/provider/bancoazul/"],
    ["bcp_pers_pe_mock", "/provider/bcp_pers_pe_mock/"],
    ["a?b#c", "/provider/a%3Fb%23c/"],
    ["ñandú", "/provider/%C3%B1and%C3%BA/"],
  ])("4.2 the code %s stands in the path as %s", async (code, path) => {
    const { client, requests } = await bankThatSays(unknown);
    await client.getProvider(code);
    expect(requests.map(({ method, url }) => [method, url])).toEqual([["GET", path]]);
  });

  test.each(["a/b", "50%"])("4.2 the code %s, which servers read in more than one way, is never sent", async (code) => {
    const { client, requests } = await bankThatSays(unknown);
    await expect(client.getProvider(code)).rejects.toMatchObject({ code: "invalid_input", field: "code" });
    expect(requests).toEqual([]);
  });

  test("4.2 there are no query parameters and no body", async () => {
    const { client, requests } = await bankThatSays(unknown);
    await client.getProvider("bancoazul");
    expect(requests[0]).toMatchObject({ url: "/provider/bancoazul/", body: "" });
    expect(requests[0]?.headers).not.toHaveProperty("content-type");
  });

  test("4.2 an unknown provider is provider_doesnt_exist", async () => {
    expect((await sandbox.getProvider("nobody")).status).toBe("provider_doesnt_exist");
  });
});

describe("4.3 GET /provider/", () => {
  test("4.3 the request is a GET of /provider/ without parameters", async () => {
    const { client, requests } = await bankThatSays(unknown);
    await client.listProviders();
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: "GET", url: "/provider/", body: "" });
    expect(requests[0]?.headers).not.toHaveProperty("content-type");
  });

  test("4.3 success carries status and all providers, in the service's order", async () => {
    const providers = [
      { code: "b", country: "UY", name: "B" },
      { code: "a", country: "AR", name: "A" },
    ];
    const { client } = await bankThatSays({ json: { status: "success", providers } });
    expect(await client.listProviders()).toEqual({ status: "success", providers });
    const listed = await sandbox.listProviders();
    if (listed.status !== "success") expect.fail(listed.status);
    expect(listed.providers[0]).toEqual({ code: "test", country: "UY", name: "Banco de prueba" });
  });
});

describe("4.4 GET /transfer/destinations", () => {
  test("4.4 the request is a GET without a trailing slash, with the key as its only query parameter", async () => {
    const { client, requests } = await bankThatSays(unknown);
    await client.listTransferDestinations(SESSION_KEY);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: "GET", url: `/transfer/destinations?key=${SESSION_KEY}`, body: "" });
  });

  test("4.4 the key is required", async () => {
    const { client, requests } = await bankThatSays(unknown);
    await expect(client.listTransferDestinations("")).rejects.toMatchObject({ code: "invalid_input", field: "key" });
    expect(requests).toEqual([]);
  });

  test("4.4 a session with nobody to transfer to lists none", async () => {
    const key = keyIn(await sandbox.login({ ...known("minimo_bo", "plain"), document_number: "4455667" }));
    expect(await sandbox.listTransferDestinations(key)).toEqual({ status: "success", destinations: [] });
  });
});

test("4 every request carries the header X-API-Key", async () => {
  const { client, requests } = await bankThatSays(unknown);
  await client.listProviders();
  await client.getProvider("test");
  await client.login(FORM);
  await client.login({ ...FORM, otp: "8888" }, { key: SESSION_KEY });
  await client.listTransferDestinations(SESSION_KEY);
  await client.listClients(SESSION_KEY);
  await client.selectClient(SESSION_KEY, "0");
  await client.logout(SESSION_KEY);
  expect(requests.map(({ headers }) => headers["x-api-key"])).toEqual(Array.from({ length: 8 }, () => API_KEY));
});
