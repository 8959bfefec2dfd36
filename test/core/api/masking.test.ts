import { secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import { loginUnread } from "../../bank/service.ts";
import { API_KEY, clientThatReads, FORM, localBank, SESSION_KEY } from "./local-bank.ts";

const interaction = (context: string) => ({
  json: { status: "interaction_required", key: "k-1", field: "otp", context },
});

describe("what the bank writes reaches the person as it came", () => {
  test("clients that are called like the user", async () => {
    const clients = { "0": "ACME S.A.", acme: "acme Uruguay SRL" };
    const client = clientThatReads(
      { json: { status: "select_client", key: SESSION_KEY } },
      { json: { status: "success", clients } },
    );
    const outcome = await loginUnread(client, { ...FORM, username: "acme" }, { settings: { clientSelection: true } });
    expect(outcome).toMatchObject({
      clients: [
        { id: "0", name: "ACME S.A." },
        { id: "acme", name: "acme Uruguay SRL" },
      ],
    });
  });

  test("a destination that is called like the user", async () => {
    const destinations = [{ id: 1, name: "Banco santander" }];
    const client = clientThatReads(
      { json: { status: "logged_in", key: SESSION_KEY } },
      { json: { status: "success", destinations } },
    );
    const response = await client.login({ ...FORM, username: "santander" });
    if (response.status !== "logged_in" || !response.key) expect.fail(response.status);
    expect(await client.listTransferDestinations(response.key)).toEqual({
      status: "success",
      destinations,
      skipped: 0,
    });
  });

  test.each([
    ["Hola ana, ingrese el código enviado a ***4512", { username: "ana", company_code: "4512" }],
    ["¿En qué ciudad nació su madre?", { username: "madre", password: "madre" }],
    ["El código 8888 ya venció", { otp: "8888" }],
  ])("a question: %s", async (context, fields) => {
    expect(await clientThatReads(interaction(context)).login({ ...FORM, ...fields })).toMatchObject({ context });
  });

  test("a field of the form in the description of a refusal", async () => {
    const json = { status: "error", code: "B1001", description: { company_code: "ACME-2231 is unknown" } };
    const response = await clientThatReads({ json }).login({ ...FORM, company_code: "ACME-2231" });
    expect(response).toMatchObject({ wire: { description: '{"company_code":"ACME-2231 is unknown"}' } });
  });
});

describe("as a courtesy the exact password, answer and keys of the request are masked", () => {
  const answered = { ...FORM, otp: "otp-canary-602214" };
  const echo = `no: ${FORM.password} ${answered.otp} ${SESSION_KEY} ${API_KEY} for ${FORM.username}`;
  const masked = `no: [secret] [secret] [secret] [secret] for ${FORM.username}`;

  test.each(["status", "code", "type", "message", "description"])("in the member %s of a refusal", async (member) => {
    const client = clientThatReads({ http: 403, json: { status: "error", [member]: echo } });
    expect(await client.login(answered, { key: SESSION_KEY })).toMatchObject({ wire: { [member]: masked } });
  });

  test("deep in a description", async () => {
    const json = { status: "error", code: "B1001", description: [{ value: FORM.password }] };
    expect(await clientThatReads({ json }).login(FORM)).toMatchObject({
      wire: { description: '[{"value":"[secret]"}]' },
    });
  });

  test("in the text of an interaction", async () => {
    const response = await clientThatReads(interaction(echo)).login(answered, { key: secret(SESSION_KEY) });
    expect(response).toMatchObject({ context: masked });
  });

  test("in the refusal of a read with the session key", async () => {
    const client = localBank({ json: { status: "error", message: `Invalid key ${SESSION_KEY}` } }).client();
    expect(await client.listTransferDestinations(SESSION_KEY)).toMatchObject({
      wire: { message: "Invalid key [secret]" },
    });
  });
});
