import { isSecret, reveal } from "ventanilla";
import { describe, expect, test } from "vitest";
import { bankThatSays, type CannedResponse, FORM, SESSION_KEY } from "../api/server.ts";
import { createSandboxClient } from "./sandbox.ts";

const sandbox = createSandboxClient();

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe("2.1 a provider list entry", () => {
  const entry = { code: "bancoazul", country: "UY", name: "Banco Azul" };

  async function readFirstEntry(answer: CannedResponse) {
    const { client } = await bankThatSays(answer);
    const listed = await client.listProviders();
    return listed.status === "success" ? listed.providers[0] : expect.fail(listed.status);
  }

  test("2.1 code refers to the bank and is the value sent as provider at login", async () => {
    expect((await readFirstEntry({ json: { status: "success", providers: [entry] } }))?.code).toBe("bancoazul");
    const listed = await sandbox.listProviders();
    if (listed.status !== "success") expect.fail(listed.status);
    const provider = listed.providers.find(({ name }) => name === "Banco de prueba")?.code ?? "";
    const answer = await sandbox.login({ provider, username: "12345", password: "gfdsa" });
    expect(answer.status).toBe("logged_in");
  });

  test("2.1 country is the bank's country", async () => {
    expect((await readFirstEntry({ json: { status: "success", providers: [entry] } }))?.country).toBe("UY");
    const listed = await sandbox.listProviders();
    if (listed.status !== "success") expect.fail(listed.status);
    expect(listed.providers.find(({ code }) => code === "bcp_pers_pe_mock")?.country).toBe("PE");
  });

  test("2.1 name is the bank's name", async () => {
    expect((await readFirstEntry({ json: { status: "success", providers: [entry] } }))?.name).toBe("Banco Azul");
    const listed = await sandbox.listProviders();
    if (listed.status !== "success") expect.fail(listed.status);
    expect(listed.providers.find(({ code }) => code === "faro_uy")?.name).toBe("Banco Faro");
  });
});

describe("2.3 a login response", () => {
  test.each(["logged_in", "interaction_required", "select_client"])("2.3 status %s is told", async (status) => {
    const { client } = await bankThatSays({ json: { status, key: SESSION_KEY, context: "Code?", field: "otp" } });
    expect((await client.login(FORM)).status).toBe(status);
  });

  test("2.3 key is the session key, UUID-shaped in the sandbox, and handed out as a secret", async () => {
    const answer = await sandbox.login({ provider: "test", username: "12345", password: "gfdsa" });
    if (answer.status !== "logged_in") expect.fail(answer.status);
    if (!isSecret(answer.key)) expect.fail("no secret");
    expect(reveal(answer.key)).toMatch(UUID);
    const { client } = await bankThatSays({ json: { status: "logged_in", key: SESSION_KEY } });
    const byHand = await client.login(FORM);
    if (byHand.status !== "logged_in" || !byHand.key) expect.fail(byHand.status);
    expect(reveal(byHand.key)).toBe(SESSION_KEY);
  });

  test("2.3 key is absent when the status is an error", async () => {
    const answer = await sandbox.login({ provider: "test", username: "12345", password: "guess" });
    expect(answer.status).toBe("wrong_credentials");
    expect(answer).not.toHaveProperty("key");
  });

  test("2.3 key is also present with interaction_required", async () => {
    const answer = await sandbox.login({ provider: "test", username: "12345otp", password: "asdfg" });
    if (answer.status !== "interaction_required" || !answer.key) expect.fail(answer.status);
    expect(reveal(answer.key)).toMatch(UUID);
  });

  test("2.3 context comes with interaction_required", async () => {
    const answer = await sandbox.login({ provider: "test", username: "12345otp", password: "asdfg" });
    expect(answer).toMatchObject({ status: "interaction_required", context: "OTP required" });
    const context = "¿Cuál fue su primera mascota? 🐕";
    const { client } = await bankThatSays({
      json: { status: "interaction_required", key: SESSION_KEY, context, field: "personal_question" },
    });
    expect(await client.login(FORM)).toMatchObject({ context });
  });

  test("2.3 field comes with interaction_required and names the interactive field", async () => {
    const answer = await sandbox.login({ provider: "test", username: "12345pq", password: "asdfg" });
    expect(answer).toMatchObject({ status: "interaction_required", field: "personal_question" });
    const { client } = await bankThatSays({
      json: { status: "interaction_required", key: SESSION_KEY, context: "Token?", field: "token" },
    });
    expect(await client.login(FORM)).toMatchObject({ field: "token" });
  });
});

describe("2.4 a transfer destination", () => {
  const byHand = { status: "success", destinations: [{ id: 84, name: "Banco Azul" }] };

  async function readDestinations(provider: string, username: string, password: string) {
    const client = sandbox;
    const done = await client.login({ provider, username, password });
    if (done.status !== "logged_in" || !done.key) expect.fail(done.status);
    const listed = await client.listTransferDestinations(done.key);
    return listed.status === "success" ? listed.destinations : expect.fail(listed.status);
  }

  test("2.4 id identifies the institution, as an integer", async () => {
    const { client } = await bankThatSays({ json: byHand });
    expect(await client.listTransferDestinations(SESSION_KEY)).toMatchObject({ destinations: [{ id: 84 }] });
    expect((await readDestinations("test", "12345", "gfdsa")).map(({ id }) => id)).toEqual([1, 2]);
  });

  test("2.4 name is the institution's name", async () => {
    const { client } = await bankThatSays({ json: byHand });
    expect(await client.listTransferDestinations(SESSION_KEY)).toMatchObject({
      destinations: [{ name: "Banco Azul" }],
    });
    expect((await readDestinations("test", "12345", "gfdsa"))[0]?.name).toBe("Institución de prueba 1");
  });

  test("2.4 institutions and their names differ between banks", async () => {
    expect(await readDestinations("faro_uy", "plain", "s3creto")).toEqual([
      { id: 101, name: "Banco Gaviota" },
      { id: 102, name: "Caja del Puerto" },
    ]);
    expect(await readDestinations("bahia_es", "plain", "s3creto")).toEqual([{ id: 2100, name: "Caja Marisma" }]);
  });
});
