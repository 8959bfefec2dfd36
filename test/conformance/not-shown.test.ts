import { reveal } from "ventanilla";
import { describe, expect, test } from "vitest";
import { bankThatSays, FORM, SESSION_KEY } from "../api/server.ts";
import { createSandboxClient, keyIn, known, sandbox } from "./sandbox.ts";

test("2 not shown: any country is taken as it is", async () => {
  const providers = [{ code: "a", country: "Ruritania", name: "A" }];
  const { client } = await bankThatSays({ json: { status: "success", providers } });
  expect(await client.listProviders()).toEqual({ status: "success", providers });
});

test("2 not shown: another status of the provider detail is an unexpected_status that keeps what was said", async () => {
  const { client } = await bankThatSays({ json: { status: "under_maintenance", provider: {} } });
  expect(await client.getProvider("a")).toEqual({
    status: "unexpected_status",
    httpStatus: 200,
    wire: { status: "under_maintenance" },
  });
});

describe("3 not shown: the second login", () => {
  const second = { ...FORM, otp: "8888" };

  test.each<[sentence: string, body: { status: string; key?: string; field?: string; context?: string }]>([
    ["ask again", { status: "interaction_required", key: "another-key", field: "token", context: "Token?" }],
    ["ask for a client", { status: "select_client", key: "another-key" }],
    ["be logged_in without a key", { status: "logged_in" }],
  ])("may %s", async (_, json) => {
    const { client } = await bankThatSays({ json });
    const { key: expected, ...others } = json;
    const response = await client.login(second, { key: SESSION_KEY });
    expect(response).toMatchObject(others);
    expect("key" in response && response.key ? reveal(response.key) : undefined).toBe(expected);
  });

  test.each([
    ["wrong_credentials", { status: "wrong_credentials" }],
    ["wrong_answer", { status: "error", code: "B1002" }],
    ["wrong_answer", { status: "error", code: "B1004" }],
  ])("may be %s after a wrong one-time code that answers %o", async (status, json) => {
    const { client } = await bankThatSays({ http: 403, json });
    expect((await client.login(second, { key: SESSION_KEY })).status).toBe(status);
  });
});

describe("4 not shown: choosing a client", () => {
  test("the clients are listed by their ids, and the choice of one may bring another key", async () => {
    const { client } = await bankThatSays(
      { json: { status: "success", clients: { "0": "First Client", "FIC-02412222": "Second Client" } } },
      { json: { status: "success", key: "another-key" } },
    );
    expect(await client.listClients(SESSION_KEY)).toEqual({
      status: "success",
      clients: [
        { id: "0", name: "First Client" },
        { id: "FIC-02412222", name: "Second Client" },
      ],
    });
    const chosen = await client.selectClient(SESSION_KEY, "FIC-02412222");
    if (chosen.status !== "success" || !chosen.key) expect.fail(chosen.status);
    expect(reveal(chosen.key)).toBe("another-key");
  });

  test("there may be no client, and choosing may keep the key", async () => {
    const { client } = await bankThatSays(
      { json: { status: "success", clients: {} } },
      { json: { status: "success" } },
    );
    expect(await client.listClients(SESSION_KEY)).toEqual({ status: "success", clients: [] });
    expect(await client.selectClient(SESSION_KEY, "0")).toEqual({ status: "success" });
  });

  test.each([
    ["newkey", "0"],
    ["samekey", "1"],
    ["letters", "FIC-02412222"],
  ])("the sandbox's %s can transfer after choosing %s", async (username, id) => {
    const key = keyIn(await sandbox.login({ ...known("canal_pa", username), company_code: "7701" }));
    expect((await sandbox.selectClient(key, "nobody")).status).toBe("wrong_client");
    const chosen = await sandbox.selectClient(key, id);
    if (chosen.status !== "success") expect.fail(chosen.status);
    expect((await sandbox.listTransferDestinations(chosen.key ?? key)).status).toBe("success");
  });
});

test("5 not shown: an unknown, expired or ended session key is invalid_key", async () => {
  expect((await sandbox.listTransferDestinations("no-such-key")).status).toBe("invalid_key");
  const key = keyIn(await sandbox.login(known("test", "12345", "gfdsa")));
  expect(await sandbox.logout(key)).toEqual({ status: "logged_out" });
  expect((await sandbox.listTransferDestinations(key)).status).toBe("invalid_key");
});

test("5 not shown: the session key can travel in the header instead, and the sandbox takes it there", async () => {
  const client = createSandboxClient({ sessionKeyIn: "header" });
  const credentials = known("test", "12345otp", "asdfg");
  const key = keyIn(await client.login(credentials));
  const done = await client.login({ ...credentials, otp: "8888" }, { key });
  expect((await client.listTransferDestinations(keyIn(done))).status).toBe("success");
});

test("4 not shown: dependent choices are narrowed with key and value", async () => {
  const answer = await sandbox.getProvider("puente_co", { choice: { field: "country_code", value: "VE" } });
  if (answer.status !== "success") expect.fail(answer.status);
  const type = answer.provider.auth_fields.find(({ name }) => name === "type");
  expect(type?.choices?.map(({ name }) => name)).toEqual(["ci", "pp"]);
});
