import { type BankClient, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import { expectNoneOf, readFault } from "./faults.ts";
import { API_KEY, clientThatReads, FORM, SECRETS, SESSION_KEY } from "./server.ts";

const OTP = "otp-canary-602214";
const LOGIN_SECRETS = [FORM.username, FORM.password, OTP, SESSION_KEY];

const secondLogin = (client: BankClient) =>
  client.login({ ...FORM, password: secret(FORM.password), otp: OTP }, { key: SESSION_KEY });

describe("a service that echoes what was sent", () => {
  test("in the context of an interaction is not repeated", async () => {
    const context = `${FORM.username}/${FORM.password}/${OTP}/${SESSION_KEY}, ${FORM.password} again?`;
    const client = clientThatReads({ json: { status: "interaction_required", field: "token", context } });
    expect(await secondLogin(client)).toEqual({
      status: "interaction_required",
      field: "token",
      context: "[secret]/[secret]/[secret]/[secret], [secret] again?",
    });
  });

  test.each(["status", "code", "type", "message", "description"])("in %s is not repeated", async (member) => {
    const echo = `no: ${LOGIN_SECRETS.join(" ")} at ${FORM.provider}`;
    const client = clientThatReads({ http: 403, json: { status: "error", [member]: echo } });
    const response = await secondLogin(client);
    expect(response).toMatchObject({
      status: "unexpected_status",
      wire: { [member]: "no: [secret] [secret] [secret] [secret] at faro_uy" },
    });
    expectNoneOf(LOGIN_SECRETS, response);
  });

  test("deep in a description is not repeated", async () => {
    const description = { fields: [{ name: "password", value: FORM.password }], all: [[`<${OTP}>`]] };
    const client = clientThatReads({ json: { status: "error", code: "B1001", description } });
    expect(await secondLogin(client)).toMatchObject({
      wire: { description: { fields: [{ name: "password", value: "[secret]" }], all: [["<[secret]>"]] } },
    });
  });

  test("as a member's name in a description is not repeated", async () => {
    const description = { [FORM.username]: ["is not known"], nested: { [OTP]: "is wrong" } };
    const client = clientThatReads({ json: { status: "error", code: "B1001", description } });
    expectNoneOf(LOGIN_SECRETS, await secondLogin(client));
  });

  test("as a number in a description is not repeated", async () => {
    const description = { document: 51937284, code: [602214] };
    const client = clientThatReads({ json: { status: "error", code: "B1004", description } });
    const form = { ...FORM, username: "51937284", otp: "602214" };
    expectNoneOf(["51937284", "602214"], await client.login(form, { key: SESSION_KEY }));
  });

  test.each<[string, (client: BankClient) => Promise<unknown>]>([
    ["listTransferDestinations", (client) => client.listTransferDestinations(SESSION_KEY)],
    ["listClients", (client) => client.listClients(secret(SESSION_KEY))],
    ["selectClient", (client) => client.selectClient(SESSION_KEY, "0")],
    ["logout", (client) => client.logout(SESSION_KEY)],
  ])("shows no session key in what %s says", async (_, call) => {
    const message = `Invalid key ${SESSION_KEY}`;
    const client = clientThatReads({ json: { status: "error", message } });
    expect(await call(client)).toMatchObject({ wire: { message: "Invalid key [secret]" } });
  });

  test.each<[string, (client: BankClient) => Promise<unknown>]>([
    ["listProviders", (client) => client.listProviders()],
    ["getProvider", (client) => client.getProvider("test")],
    ["login", (client) => client.login(FORM)],
    ["listTransferDestinations", (client) => client.listTransferDestinations(SESSION_KEY)],
    ["listClients", (client) => client.listClients(SESSION_KEY)],
    ["selectClient", (client) => client.selectClient(SESSION_KEY, "0")],
    ["logout", (client) => client.logout(SESSION_KEY)],
  ])("shows no API key in what %s says", async (_, call) => {
    const message = `Key not found: ${API_KEY}`;
    const client = clientThatReads({ http: 403, json: { status: "error", message } });
    expectNoneOf([API_KEY], await call(client));
  });

  test("clears the longer of two values first, so that no rest of it stays", async () => {
    const form = { provider: "a", username: "123", password: "12345", otp: "2345" };
    const client = clientThatReads({ json: { status: "error", message: "12345 123 2345 12" } });
    expect(await client.login(form)).toMatchObject({ wire: { message: "[secret] [secret] [secret] 12" } });
  });

  test("keeps values of one or two characters, and the provider's code", async () => {
    const form = { provider: "bank", username: "in", password: "abc", type: "1" };
    const client = clientThatReads({ json: { status: "error", message: "1 login in bank abc" } });
    expect(await client.login(form)).toMatchObject({ wire: { message: "1 login in bank [secret]" } });
  });

  test("takes a value for itself, not for a pattern", async () => {
    const form = { provider: "a", username: "a.c", password: "$&.*", otp: "(((" };
    const client = clientThatReads({ json: { status: "error", message: "abc a.c $&.* (((" } });
    expect(await client.login(form)).toMatchObject({ wire: { message: "abc [secret] [secret] [secret]" } });
  });

  test("as the id of a client in a response against the contract shows nothing in the error", async () => {
    const client = clientThatReads({ json: { status: "success", clients: { [SESSION_KEY]: 5 } } });
    expectNoneOf(SECRETS, await readFault(client.listClients(SESSION_KEY)));
  });
});
