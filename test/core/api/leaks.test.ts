import { BankError } from "ventanilla";
import { describe, expect, test } from "vitest";
import { startService } from "../../bank/service.ts";
import { findFreePort } from "../../free-port.ts";
import { expectNoneOf, readFault } from "./faults.ts";
import { API_KEY, clientThatReads, createClient, FORM, LOCAL_URL, SECRETS, SESSION_KEY } from "./local-bank.ts";

test("response_against_contract names the wrong member and shows no value", async () => {
  const client = clientThatReads(
    { json: { status: "logged_in", key: [FORM.password], context: SESSION_KEY } },
    { json: { status: "success", destinations: [{ id: SESSION_KEY, name: API_KEY }] } },
  );
  const errors = [await readFault(client.login(FORM)), await readFault(client.listTransferDestinations(SESSION_KEY))];
  expect(errors.map(({ field }) => field)).toEqual(["key", "destinations.0.id"]);
  expectNoneOf(SECRETS, errors);
});

test("invalid_input does not show the value that can't be sent", async () => {
  const client = createClient(LOCAL_URL, { sessionKeyIn: "header" });
  const errors = [
    await readFault(client.login({ ...FORM, password: `${FORM.password}\ud800` })),
    await readFault(client.listClients(`${SESSION_KEY}\n`)),
    await readFault(client.getProvider(`${FORM.username}\udc00`)),
    await readFault(client.selectClient(SESSION_KEY, `${FORM.username}\udc00`)),
    await readFault(client.getProvider("a", { choice: { field: `${FORM.username}\udc00`, value: "a" } })),
    await readFault(client.getProvider("a", { choice: { field: "a", value: `${FORM.username}\udc00` } })),
  ];
  expect(errors.map(({ code, field }) => `${code} ${field}`)).toEqual([
    "invalid_input password",
    "invalid_input key",
    "invalid_input code",
    "invalid_input client",
    "invalid_input choice.field",
    "invalid_input choice.value",
  ]);
  expectNoneOf(SECRETS, errors);
});

describe("the detail of network_failed", () => {
  test("is the platform's code if the connection is refused", async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const error = await readFault(createClient(url).login(FORM));
    expect(error.message).toBe(`network_failed: POST ${url}/login/: ECONNREFUSED`);
    expect(error.detail).toBe("ECONNREFUSED");
  });

  test("is the platform's code if the server closes the connection", async () => {
    const { url } = await startService(["broken"]);
    expect((await readFault(createClient(url).login(FORM))).detail).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/);
  });

  test.each([
    ["E2", "E2"],
    ["UND_ERR_2", "UND_ERR_2"],
    ["e_lower", undefined],
    ["E", undefined],
    ["2E", undefined],
    ["ECONN at bank.example", undefined],
    ["at ECONN", undefined],
    [23, undefined],
  ])("for the error code %j is %j", async (code, detail) => {
    const cause = Object.assign(new Error("x"), { code });
    const fetch = () => Promise.reject(new Error("failed", { cause: new Error("y", { cause }) }));
    const error = await readFault(createClient(LOCAL_URL, { fetch }).listProviders());
    expect(error).toBeInstanceOf(BankError);
    expect(error.detail).toBe(detail);
  });

  test("is absent if the cause of the error is the error itself", async () => {
    const circular: Error & { cause?: unknown } = new Error("x");
    circular.cause = circular;
    const fetch = () => Promise.reject(circular);
    expect((await readFault(createClient(LOCAL_URL, { fetch }).listProviders())).detail).toBeUndefined();
  });

  test.each([undefined, null, "text", {}, { code: "ECONNRESET" }])(
    "is absent if fetch rejects with %j",
    async (thrown) => {
      const fetch = () => Promise.reject(thrown);
      const error = await readFault(createClient(LOCAL_URL, { fetch }).listProviders());
      expect(error.message).toBe("network_failed: GET https://bank.example/provider/");
    },
  );
});
