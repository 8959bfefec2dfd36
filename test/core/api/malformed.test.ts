import { type BankClient, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import { startService } from "../../bank/service.ts";
import { readFault } from "./faults.ts";
import { createClient, FORM, SESSION_KEY } from "./local-bank.ts";

// What the contract says of each member (sections 2.1 to 2.4), and what becomes of one that is not so.

const reads = {
  banks: (client: BankClient) => client.listProviders(),
  bank: (client: BankClient) => client.getProvider("test"),
  destinations: (client: BankClient) => client.listTransferDestinations(SESSION_KEY),
  clients: (client: BankClient) => client.listClients(SESSION_KEY),
};

async function read(request: keyof typeof reads, body: object) {
  const { url } = await startService([{ json: { status: "success", ...body } }]);
  return { response: await reads[request](createClient(url)) };
}

const good = { code: "faro_uy", country: "UY", name: "Banco Faro" };
const place = { id: 7, name: "Banco Norte" };
const otp = { name: "otp", type: "text", interactive: true, optional: false };
const detail = (members: object) => ({
  provider: { name: "Faro", country: "UY", auth_fields: [otp], account_type: [], ...members },
});
const field = (members: object) => detail({ auth_fields: [{ ...otp, ...members }] });

describe("an element that can't be read costs itself alone, and is counted", () => {
  test.each<[body: object]>([
    [{ code: "b", name: null }],
    [{ code: "b" }],
    [{ code: 7, name: "B" }],
    [{ code: null, name: "B" }],
    [{ code: "", name: "B" }],
    [{ name: "B" }],
    [null as never],
    ["b" as never],
    [[] as never],
  ])("a bank: %j", async (bad) => {
    const { response } = await read("banks", { providers: [bad, good, bad] });
    expect(response).toEqual({ status: "success", providers: [good], skipped: 2 });
  });

  test("after 10,000 of them the rest of a list is not looked at", async () => {
    const { response } = await read("banks", { providers: [good, ...Array(10_000).fill({}), good] });
    expect(response).toEqual({ status: "success", providers: [good], skipped: 10_001 });
  });

  test.each<[body: unknown]>([
    [{ id: "x", name: "B" }],
    [{ id: 1.5, name: "B" }],
    [{ name: "B" }],
    [{ id: 1 }],
    [null],
  ])("a destination: %j", async (bad) => {
    const { response } = await read("destinations", { destinations: [place, bad] });
    expect(response).toEqual({ status: "success", destinations: [place], skipped: 1 });
  });

  test.each<[name: unknown]>([[2], [null], [{}]])("a client called %j", async (name) => {
    const { response } = await read("clients", { clients: { "0": "Ana", "1": name } });
    expect(response).toEqual({ status: "success", clients: [{ id: "0", name: "Ana" }], skipped: 1 });
  });

  test.each<[body: unknown]>([["otp"], [null], [{ type: "text" }], [{ name: 5 }], [{ name: "" }]])(
    "a field of a form: %j",
    async (bad) => {
      const { response } = await read("bank", detail({ auth_fields: [bad, otp] }));
      expect(response).toMatchObject({ provider: { auth_fields: [otp] }, skipped: 1 });
    },
  );

  test("a choice, and a kind of account", async () => {
    const choices = [{ name: "a" }, {}, "b"];
    const { response } = await read("bank", {
      ...detail({ auth_fields: [{ ...otp, choices }], account_type: ["pers", { name: "corp" }] }),
    });
    expect(response).toMatchObject({
      provider: { auth_fields: [{ choices: [{ name: "a" }] }], account_type: [{ name: "corp" }] },
      skipped: 3,
    });
  });

  test("nothing is skipped in what is well-formed, empty lists included", async () => {
    expect((await read("banks", { providers: [] })).response).toEqual({ status: "success", providers: [], skipped: 0 });
    expect((await read("clients", { clients: {} })).response).toEqual({ status: "success", clients: [], skipped: 0 });
    expect(await read("bank", field({}))).toMatchObject({ response: { skipped: 0 } });
  });
});

// An empty list would say that there is no bank, no client, nowhere to transfer to.
test.each([
  ["banks", { providers: [{ name: "A" }, null] }, "providers.0.code"],
  ["destinations", { destinations: [{ id: "x", name: "A" }] }, "destinations.0.id"],
  ["clients", { clients: { "0": 1, "1": null } }, "clients.0"],
  ["bank", detail({ auth_fields: [{ type: "text" }] }), "provider.auth_fields.0.name"],
] as const)("a list without anything to read is refused: %s, $1", async (request, body, member) => {
  expect(await readFault(read(request, body).then(({ response }) => response))).toMatchObject({
    code: "response_against_contract",
    field: member,
  });
});

describe("a member that can be mended, or left out, costs nothing else", () => {
  test.each<[sent: object, expected: object]>([
    [{ default: 1 }, { default: "1" }],
    [{ default: true }, { default: "true" }],
    [{ default: {} }, { default: undefined }],
    [{ interactive: "false" }, { interactive: false, optional: false }],
    [{ interactive: "TRUE" }, { interactive: true, optional: false }],
    [{ interactive: 0 }, { interactive: false }],
    [{ interactive: 1 }, { interactive: true }],
    [{ interactive: null }, { interactive: false, optional: false }],
    // Whether it belongs to the first login is not known: it is shown, and may be left empty.
    [{ interactive: "perhaps" }, { interactive: false, optional: true }],
    [{ interactive: {} }, { interactive: false, optional: true }],
    [{ optional: "true" }, { optional: true }],
    [{ optional: 1 }, { optional: true }],
    // A field that is needed must not be lost.
    [{ optional: "perhaps" }, { optional: false }],
    [{ type: 5 }, { type: "text" }],
    // Nobody sees what is typed there.
    [{ name: "password", type: 5 }, { type: "password" }],
    [{ label_en: 5 }, { label_en: undefined }],
    [{ label_es: {} }, { label_es: undefined }],
    [{ choices: "ab" }, { choices: undefined }],
    // A list without anything to choose could not be answered: it is a text.
    [{ choices: [{}] }, { choices: undefined }],
  ])("of a field: $0 becomes $1", async (sent, expected) => {
    const { response } = await read("bank", field(sent));
    const mended = response.status === "success" && "provider" in response && response.provider.auth_fields[0];
    expect({ ...expected, ...mended }).toMatchObject(expected);
  });

  test.each<[sent: object, expected: object]>([
    [{ country: 598 }, { country: "" }],
    [{ logo: 5 }, { logo: undefined }],
    [{ account_type: "pers" }, { account_type: [] }],
    // The code that was asked for.
    [{ name: undefined }, { name: "test" }],
    [{ name: 5 }, { name: "test" }],
  ])("of a bank: $0 becomes $1", async (sent, expected) => {
    const { response } = await read("bank", detail(sent));
    expect(response).toMatchObject({ status: "success", provider: expected, skipped: 0 });
  });

  test("a destination's id in digits, and a bank's country in a list", async () => {
    expect((await read("destinations", { destinations: [{ id: "12", name: "A" }] })).response).toEqual({
      status: "success",
      destinations: [{ id: 12, name: "A" }],
      skipped: 0,
    });
    expect((await read("banks", { providers: [{ ...good, country: 598 }] })).response).toMatchObject({
      providers: [{ ...good, country: "" }],
      skipped: 0,
    });
  });
});

describe("a provider beside a status of its own (contract, section 2.2)", () => {
  test("is read, and the status is its state", async () => {
    const { response } = await read("bank", { status: "under_maintenance", ...field({}) });
    expect(response).toMatchObject({
      status: "success",
      provider: { name: "Faro", state: "under_maintenance", auth_fields: [otp] },
    });
    expect((await read("bank", field({}))).response).not.toHaveProperty("provider.state");
  });

  const login = (status: unknown) => ({ prod: [null, { endpoint: "/login/", status, timestamp: "" }] });
  test.each([
    ["down", login("down")],
    [undefined, login("ok")],
    [undefined, login(1)],
    [undefined, { prod: [{ endpoint: "/transfer/destinations", status: "error" }] }],
    [undefined, { test: [{ endpoint: "/login/", status: "error" }] }],
    [undefined, null],
    [undefined, "down"],
  ])("or it is %j, by what `endpoints_status` says: %#", async (state, endpoints_status) => {
    const { response } = await read("bank", detail({ endpoints_status }));
    expect(response).toMatchObject({ status: "success", provider: { name: "Faro" } });
    expect("provider" in response && response.provider.state).toBe(state);
  });

  test.each([
    [{ status: "provider_doesnt_exist", ...detail({}) }, "provider_doesnt_exist"],
    [{ status: "error", message: "Missing API key", ...detail({}) }, "api_key_refused"],
    [{ status: "error", message: "Not today", ...detail({}) }, "unexpected_status"],
    [{ status: "under_maintenance" }, "unexpected_status"],
    [{ status: "under_maintenance", provider: "Faro" }, "unexpected_status"],
  ])("$0 is a refusal all the same", async (body, status) => {
    expect((await read("bank", body)).response).toMatchObject({ status });
  });
});

// By then the bank has sent its code.
describe("an interaction", () => {
  const asked = { status: "interaction_required", key: SESSION_KEY, context: "Code?", field: "otp" };
  test.each<[sent: object, expected: object]>([
    [{ field: undefined }, { field: undefined }],
    [{ field: null }, { field: undefined }],
    [{ field: "" }, { field: undefined }],
    [{ field: 5 }, { field: undefined }],
    [{ field: [] }, { field: undefined }],
    [{ field: [["otp"]] }, { field: undefined }],
    [{ field: { name: "otp" } }, { field: undefined }],
    [{ field: ["otp"] }, { field: "otp" }],
    [{ field: "x".repeat(201) }, { field: undefined }],
    // The second login sends these beside the answer.
    [{ field: "username" }, { field: undefined }],
    [{ field: "KEY" }, { field: undefined }],
    [{ context: null }, { context: "", field: "otp" }],
    [{ context: { text: "Type it" } }, { context: "Type it", field: "otp" }],
    [{ context: { text: 5 } }, { context: "", field: "otp" }],
    [{ context: 5 }, { context: "", field: "otp" }],
  ])("with $0 keeps its key: $1", async (sent, expected) => {
    const { url } = await startService([{ json: { ...asked, ...sent } }]);
    const response = await createClient(url).login(FORM);
    expect({ field: undefined, ...response }).toMatchObject({ status: "interaction_required", ...expected });
    expect(response).toHaveProperty(
      "key",
      expect.toSatisfy((key) => String(key) === String(secret("x"))),
    );
  });
});
