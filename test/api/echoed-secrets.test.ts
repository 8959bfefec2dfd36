import { type BankClient, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import { expectNoneOf, readFault } from "./faults.ts";
import { API_KEY, calls, clientThatReads, FORM, localBank, SECRETS, SESSION_KEY } from "./server.ts";

const OTP = "otp-canary-602214";
const LOGIN_SECRETS = [FORM.username, FORM.password, OTP, SESSION_KEY];

const secondLogin = (client: BankClient) =>
  client.login({ ...FORM, password: secret(FORM.password), otp: OTP }, { key: SESSION_KEY });

/** The message of a refusal, as the client returns it after a login with these fields. */
async function messageAfter(fields: Record<string, string>, message: string) {
  const response = await clientThatReads({ json: { status: "error", message } }).login({ ...FORM, ...fields });
  return "wire" in response ? response.wire.message : expect.fail(response.status);
}

describe("a value that was sent is masked", () => {
  test("in the context of an interaction", async () => {
    const context = `${FORM.username}/${FORM.password}/${OTP}/${SESSION_KEY}, ${FORM.password} again?`;
    const client = clientThatReads({ json: { status: "interaction_required", field: "token", context } });
    expect(await secondLogin(client)).toEqual({
      status: "interaction_required",
      field: "token",
      context: "[secret]/[secret]/[secret]/[secret], [secret] again?",
    });
  });

  test.each(["status", "code", "type", "message", "description"])("in the member %s of a refusal", async (member) => {
    const echo = `no: ${LOGIN_SECRETS.join(" ")} at ${FORM.provider}`;
    const client = clientThatReads({ http: 403, json: { status: "error", [member]: echo } });
    const response = await secondLogin(client);
    expect(response).toMatchObject({
      status: "unexpected_status",
      wire: { [member]: "no: [secret] [secret] [secret] [secret] at faro_uy" },
    });
    expectNoneOf(LOGIN_SECRETS, response);
  });

  test("deep in a description, in names of members too", async () => {
    const description = {
      fields: [{ name: "password", value: FORM.password }],
      all: [[`<${OTP}>`]],
      [OTP]: "is wrong",
    };
    const client = clientThatReads({ json: { status: "error", code: "B1001", description } });
    expect(await secondLogin(client)).toMatchObject({
      wire: {
        description: '{"fields":[{"name":"password","value":"[secret]"}],"all":[["<[secret]>"]],"[secret]":"is wrong"}',
      },
    });
  });

  const password = `pä/s&<'"w+ ord>`;
  test.each([
    ["unchanged", password],
    ["in upper case", password.toUpperCase()],
    ["encoded for an address", encodeURIComponent(password)],
    ["encoded for an address, in lower case", "p%c3%a4%2fs%26%3c%27%22w%2b%20ord%3e"],
    ["encoded for an address in Latin-1", "p%E4%2Fs%26%3C%27%22w%2B%20ord%3E"],
    ["encoded for a form", "p%C3%A4%2Fs%26%3C%27%22w%2B+ord%3E"],
    ["escaped for JSON", `pä/s&<'\\"w+ ord>`],
    ["escaped for JSON by PHP", `p\\u00e4\\/s&<'\\"w+ ord>`],
    ["escaped for JSON by Go", `pä/s\\u0026\\u003c'\\"w+ ord\\u003e`],
    ["escaped for JSON by .NET", "p\\u00E4/s\\u0026\\u003C\\u0027\\u0022w\\u002B ord\\u003E"],
    ["escaped for Python", `pä/s&<\\'"w+ ord>`],
    ["escaped for JavaScript", `p\\xe4\\/s&<\\'\\"w+ ord>`],
    ["escaped for HTML", "pä/s&amp;&lt;'&quot;w+ ord&gt;"],
    ["escaped for XML", "pä/s&amp;&lt;&apos;&quot;w+ ord&gt;"],
    ["escaped for HTML by PHP", "pä/s&amp;&lt;&#039;&quot;w+ ord&gt;"],
    ["escaped for HTML by Go", "pä/s&amp;&lt;&#39;&#34;w&#43; ord&gt;"],
    ["escaped for HTML by .NET", "p&#xE4;/s&amp;&lt;&#x27;&quot;w&#x2B; ord&gt;"],
    ["in HTML in JSON", `pä/s\\u0026amp;\\u0026lt;'\\u0026quot;w+ ord\\u0026gt;`],
    ["encoded for an address twice", encodeURIComponent(encodeURIComponent(password))],
  ])("if it is %s", async (_, echo) => {
    expect(await messageAfter({ password }, `R&D: ${echo}, 1+1 &euro; 100%! ${echo}`)).toBe(
      "R&D: [secret], 1+1 &euro; 100%! [secret]",
    );
  });

  test("in each of several encodings in one text, beside escapes that stand for no character", async () => {
    const echoes = ["p&#xE4;/s&amp;&lt;'&quot;w+ ord&gt;", password, encodeURIComponent(password), password];
    expect(await messageAfter({ password }, `${echoes.join(" ")} &#x110000; &#9999999; %zz`)).toBe(
      "[secret] [secret] [secret] [secret] &#x110000; &#9999999; %zz",
    );
  });

  const words = "1234567, (1234567) _1234567_";
  const others = "x1234567 12345678 ñ1234567 1234567ñ 01234567";
  test.each<[how: string, form: Record<string, string>, message: string, shown: string]>([
    ["without the spaces around it", { password: " hunter two " }, "no: hunter two!", "no: [secret]!"],
    ["within a word from eight characters on", { otp: "12345678" }, "x12345678y 1234567", "x[secret]y 1234567"],
    [
      "as a whole word only, if it is shorter",
      { otp: "1234567" },
      `${words} ${others}`,
      `[secret], ([secret]) _[secret]_ ${others}`,
    ],
    ["from three characters on", { otp: "abc", type: "xy" }, "abc xy", "[secret] xy"],
    [
      "before a shorter value that is a part of it",
      { username: "123", password: "12345", otp: "2345" },
      "12345 123 2345 12",
      "[secret] [secret] [secret] 12",
    ],
    [
      "but not if it has one or two characters, or is the provider's code",
      { provider: "bank", username: "in", password: "abc", type: "1" },
      "1 login in bank abc",
      "1 login in bank [secret]",
    ],
    [
      "if it looks encoded itself",
      { password: "100%41&amp;+\\u0041" },
      "no: 100%41&amp;+\\u0041 or 100%2541%26amp%3B%2B%5Cu0041 for Banco A&amp;B %4",
      "no: [secret] or [secret] for Banco A&amp;B %4",
    ],
  ])("%s", async (_, form, message, shown) => {
    expect(await messageAfter(form, message)).toBe(shown);
  });

  test("up to the end of the text if it is longer than 256 characters", async () => {
    const password = Array.from({ length: 2_000 }, (_, number) => `pä ss${number}`).join("");
    const short = password.slice(0, 200);
    const words = `"${"no ".repeat(80)}": `;
    expect(await messageAfter({ password }, `no: ${password}!`)).toBe("no: [secret]…");
    expect(await messageAfter({ password }, `${words}${encodeURIComponent(password)}!`)).toBe(`${words}[secret]…`);
    expect(await messageAfter({ password: short }, `no: ${encodeURIComponent(short)}!`)).toBe("no: [secret]!");
    expect(await messageAfter({ password }, "as it is")).toBe("as it is");
  });
});

test("what a second login sent is masked in later responses for its key, even if its response has no key", async () => {
  const client = clientThatReads(
    { json: { status: "logged_in" } },
    { json: { status: "success", clients: { "0": `First (${OTP})` } } },
  );
  const key = secret(SESSION_KEY);
  await client.login({ ...FORM, otp: OTP }, { key });
  expect(await client.listClients(key)).toMatchObject({ clients: [{ id: "0", name: "First ([secret])" }] });
});

describe("a session key is masked", () => {
  test.each(calls.filter(([request]) => !request.includes("provider") && !request.startsWith("POST")))(
    "in a refusal of %s",
    async (_, call) => {
      const client = clientThatReads({ json: { status: "error", message: `Invalid key ${SESSION_KEY}` } });
      expect(await call(client)).toMatchObject({ wire: { message: "Invalid key [secret]" } });
    },
  );

  test("in the response that brings it", async () => {
    const key = "brand-new-key-17";
    const client = clientThatReads(
      { json: { status: "interaction_required", field: "otp", key, context: `Continue with ${key}` } },
      { json: { status: "max_sessions_reached", key, message: `${key} is open` } },
    );
    expect(await client.login(FORM)).toMatchObject({ context: "Continue with [secret]" });
    expect(await client.login(FORM)).toMatchObject({ wire: { message: "[secret] is open" } });
  });

  test("in a response whose key is ill-formed Unicode, which changes nothing", async () => {
    const client = clientThatReads({ text: '{"status":"wrong_credentials","key":"ab\\ud800"}' });
    expect((await client.login(FORM)).status).toBe("wrong_credentials");
  });

  test("in the error of a client whose id is the key", async () => {
    const client = clientThatReads({ json: { status: "success", clients: { [SESSION_KEY]: 5 } } });
    expectNoneOf(SECRETS, await readFault(client.listClients(SESSION_KEY)));
  });
});

describe("the API key is masked", () => {
  test.each(calls)("in a refusal of %s", async (_, call) => {
    const client = clientThatReads({ http: 403, json: { status: "error", message: `Key not found: ${API_KEY}` } });
    expectNoneOf([API_KEY], await call(client));
  });

  test("in names and values of a list of providers", async () => {
    const providers = [{ code: "a", country: "UY", name: `A for ${API_KEY}`, more: [{ [API_KEY]: API_KEY }] }];
    const client = clientThatReads({ json: { status: "success", providers } });
    expect(await client.listProviders()).toEqual({
      status: "success",
      providers: [{ code: "a", country: "UY", name: "A for [secret]", more: [{ "[secret]": "[secret]" }] }],
    });
  });

  test.each(["k3y-7", "api-key-12"])("in texts for people even if it is as short as %s", async (apiKey) => {
    const providers = [{ code: "a", country: "UY", name: `Bank (${apiKey})`, more: { text: `for ${apiKey}!` } }];
    expect(
      await localBank({ json: { status: "success", providers } })
        .client({ apiKey })
        .listProviders(),
    ).toEqual({
      status: "success",
      providers: [{ code: "a", country: "UY", name: "Bank ([secret])", more: { text: "for [secret]!" } }],
    });
  });

  test.each([
    ["test-key", "[secret]"],
    ["test-k7", "test-k7"],
  ])("in the code of a provider from eight characters on: %s is shown as %s", async (apiKey, code) => {
    const provider = { code: apiKey, country: "UY", name: "A" };
    const client = localBank({ json: { status: "success", providers: [provider] } }).client({ apiKey });
    expect(await client.listProviders()).toEqual({ status: "success", providers: [{ ...provider, code }] });
  });
});

describe("the name of an interaction's field", () => {
  const field = (name: string) =>
    clientThatReads({ json: { status: "interaction_required", key: "k", context: "", field: name } });

  test("is against the contract if it contains a secret, and is not shown", async () => {
    const error = await readFault(field(`answer for ${FORM.password}`).login(FORM));
    expect(error).toMatchObject({ code: "response_against_contract", request: "POST /login/", field: "field" });
    expectNoneOf([FORM.password, API_KEY], error);
  });

  test("may equal a short user name", async () => {
    expect(await field("token").login({ ...FORM, username: "token" })).toMatchObject({ field: "token" });
  });
});
