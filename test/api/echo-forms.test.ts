import { describe, expect, test } from "vitest";
import { expectNoneOf, readFault } from "./faults.ts";
import { API_KEY, clientThatReads, FORM, SESSION_KEY } from "./server.ts";

async function messageAfter(fields: Record<string, string>, message: string) {
  const client = clientThatReads({ json: { status: "error", message } });
  const response = await client.login({ ...FORM, ...fields });
  return "wire" in response ? response.wire.message : expect.fail(response.status);
}

describe("what was sent is cleared from the service's texts", () => {
  const password = 'pä ss/"w+ord';

  test.each([
    ["as it is", 'no: pä ss/"w+ord!'],
    ["as in an address", "no: p%C3%A4%20ss%2F%22w%2Bord!"],
    ["as in a form", "no: p%C3%A4+ss%2F%22w%2Bord!"],
    ["as in JSON", 'no: pä ss/\\"w+ord!'],
    ["as in JSON of letters without accents", 'no: p\\u00e4 ss/\\"w+ord!'],
    ["as in JSON of PHP", 'no: p\\u00e4 ss\\/\\"w+ord!'],
    ["as in HTML", "no: pä ss/&quot;w+ord!"],
    ["with small letters in an address", "no: p%c3%a4%20ss%2f%22w%2bord!"],
    ["in capitals", 'no: PÄ SS/"W+ORD!'],
  ])("%s", async (_, message) => {
    expect(await messageAfter({ password }, message)).toBe("no: [secret]!");
  });

  test("and a key with half a character in it breaks nothing", async () => {
    const client = clientThatReads({ text: '{"status":"wrong_credentials","key":"ab\\ud800"}' });
    expect((await client.login(FORM)).status).toBe("wrong_credentials");
  });

  test("in the middle of a word where it has eight characters or more", async () => {
    expect(await messageAfter({ otp: "12345678" }, "x12345678y 1234567")).toBe("x[secret]y 1234567");
  });

  test("only where it stands alone where it is shorter", async () => {
    const message = "Account 1234567, (1234567) _1234567_ x1234567 12345678 ñ1234567 1234567ñ 01234567";
    expect(await messageAfter({ otp: "1234567" }, message)).toBe(
      "Account [secret], ([secret]) _[secret]_ x1234567 12345678 ñ1234567 1234567ñ 01234567",
    );
  });

  test("however long it is", async () => {
    const password = "pä ss".repeat(20_000);
    const words = `"${"no ".repeat(80)}": `;
    expect(await messageAfter({ password }, `no: ${password}!`)).toBe("no: [secret]…");
    expect(await messageAfter({ password }, `${words}${encodeURIComponent(password)}!`)).toBe(`${words}[secret]…`);
    expect(await messageAfter({ password }, "as it is")).toBe("as it is");
  });

  test("from three characters on", async () => {
    expect(await messageAfter({ otp: "abc", type: "xy" }, "abc xy")).toBe("[secret] xy");
  });
});

test("a key that a response brings is cleared from the texts of that response too", async () => {
  const key = "brand-new-key-17";
  const client = clientThatReads(
    { json: { status: "interaction_required", field: "otp", key, context: `Continue with ${key}` } },
    { json: { status: "max_sessions_reached", key, message: `${key} is open` } },
  );
  expect(await client.login(FORM)).toMatchObject({ context: "Continue with [secret]" });
  expect(await client.login(FORM)).toMatchObject({ wire: { message: "[secret] is open" } });
});

test("the names of clients are cleared of the session key, and their ids stay what they are", async () => {
  const client = clientThatReads({ json: { status: "success", clients: { "0": `First (${SESSION_KEY})` } } });
  expect(await client.listClients(SESSION_KEY)).toEqual({
    status: "success",
    clients: [{ id: "0", name: "First ([secret])" }],
  });
});

test("a field's name that is a text with a secret in it is against the contract, and not told", async () => {
  const client = clientThatReads({
    json: { status: "interaction_required", key: "k", context: "", field: `answer for ${FORM.password}` },
  });
  const error = await readFault(client.login(FORM));
  expect(error).toMatchObject({ code: "response_against_contract", request: "POST /login/", field: "field" });
  expectNoneOf([FORM.password, API_KEY], error);
});

test("a field's name that is somebody's user name as well stays a name", async () => {
  const client = clientThatReads({
    json: { status: "interaction_required", key: "k", context: "", field: "token" },
  });
  expect(await client.login({ ...FORM, username: "token" })).toMatchObject({ field: "token" });
});
