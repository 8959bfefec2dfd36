import { type BankClientOptions, BankError, createBankClient, createRelayClient, secret } from "ventanilla";
import { describe, expect, test } from "vitest";

const valid: BankClientOptions = { baseUrl: "https://bank.example", apiKey: "k" };

function readRefusal(options: object): unknown {
  try {
    createBankClient({ ...valid, ...options });
  } catch (error) {
    return error;
  }
  return expect.fail("the options were accepted");
}

describe("baseUrl", () => {
  test.each([
    ["https://bank.example", "https://bank.example"],
    ["https://bank.example/", "https://bank.example"],
    ["https://bank.example///", "https://bank.example"],
    ["https://bank.example/api/v1/", "https://bank.example/api/v1"],
    ["HTTPS://Bank.Example:443/Api", "https://bank.example/Api"],
  ])("%s becomes %s", (given, taken) => {
    expect(createBankClient({ ...valid, baseUrl: given }).baseUrl).toBe(taken);
  });

  test.each([
    ["", "must be an absolute address"],
    ["bank.example", "must be an absolute address"],
    ["/api", "must be an absolute address"],
    [undefined, "must be an absolute address"],
    ["file:///bank", "must be http or https"],
    ["data:text/plain,bank", "must be http or https"],
    ["https://user@bank.example", "must have no user, query or fragment"],
    ["https://:pass@bank.example", "must have no user, query or fragment"],
    ["https://bank.example?a=b", "must have no user, query or fragment"],
    ["https://bank.example/#part", "must have no user, query or fragment"],
    // An empty query or fragment would swallow every path.
    ["https://bank.example/?", "must have no user, query or fragment"],
    ["https://bank.example/#", "must have no user, query or fragment"],
  ])("%s is refused", (baseUrl, detail) => {
    const error = readRefusal({ baseUrl });
    expect(error).toBeInstanceOf(BankError);
    expect(error).toMatchObject({ code: "invalid_input", field: "baseUrl", detail });
    expect(error).toHaveProperty("message", `invalid_input: baseUrl: ${detail}`);
  });
});

describe("createBankClient refuses", () => {
  const missing =
    "has no value: set the variable that it is read from, such as VENTANILLA_API_KEY; in a page use createRelayClient";
  const header = "must be printable ASCII without spaces around it";
  const time = "must be milliseconds between 1 and 2147483647";
  const whole = "must be a whole number, 0 or more";

  // Which texts can be in a header: injection.property.test.ts.
  test.each([
    ["apiKey", { apiKey: undefined }, missing],
    ["apiKey", { apiKey: null as never }, missing],
    ["apiKey", { apiKey: 41 }, "must be a string or a secret"],
    ["apiKey", { apiKey: "" }, "must not be empty"],
    ["apiKey", { apiKey: "a\ud800b" }, "must be well-formed Unicode"],
    ["apiKey", { apiKey: "ñ" }, header],
    ["apiKey", { apiKey: " k" }, header],
    ["userAgent", { userAgent: "" }, header],
    ["userAgent", { userAgent: "a\nb" }, header],
    ["sessionKeyIn", { sessionKeyIn: "cookie" }, 'must be "query" or "header"'],
    ["timeout", { timeout: 5000 }, "must be an object"],
    ["timeout.login", { timeout: { login: 0 } }, time],
    ["timeout.login", { timeout: { login: "5000" } }, time],
    ["timeout.login", { timeout: { login: 2 ** 31 } }, time],
    ["timeout.read", { timeout: { read: 0 } }, time],
    ["retry", { retry: 3 }, "must be an object"],
    ["retry.limit", { retry: { limit: -1 } }, whole],
    ["retry.delay", { retry: { delay: -1 } }, whole],
    ["retry.maxRetryAfter", { retry: { maxRetryAfter: 2 ** 53 } }, whole],
    ["responseLimit", { responseLimit: 0.5 }, whole],
  ])("%s in %o", (field, options, detail) => {
    const error = readRefusal(options);
    expect(error).toBeInstanceOf(BankError);
    expect(error).toMatchObject({ code: "invalid_input", field, detail });
    expect(error).toHaveProperty("message", `invalid_input: ${field}: ${detail}`);
  });

  test("an option without repeating its value", () => {
    const canary = "value-canary-77";
    for (const options of [
      { baseUrl: canary },
      { baseUrl: `ftp://${canary}` },
      { baseUrl: `https://${canary}@bank.example` },
      { baseUrl: `https://bank.example/?${canary}` },
      { apiKey: `${canary}\n` },
      { userAgent: `${canary}\n` },
      { sessionKeyIn: canary },
    ]) {
      const error = readRefusal(options);
      expect(error).toBeInstanceOf(BankError);
      expect(`${error instanceof Error && error.stack}${JSON.stringify(error)}`).not.toContain(canary);
    }
  });

  test.each(["apiKey", "sessionKeyIn"])("%s of a relay's client", (name) => {
    const options = { baseUrl: "/bank", [name]: "header" };
    expect(() => createRelayClient(options)).toThrow(`invalid_input: ${name}: is not an option`);
  });

  test("headers beside an apiKey", () => {
    expect(readRefusal({ headers: { authorization: "t" } })).toMatchObject({
      field: "headers",
      detail: "is not an option",
    });
  });

  test("an apiKey that has lost its value, with secret_unavailable", () => {
    for (const apiKey of ["[secret]", secret("[secret]"), structuredClone(secret("k")), {}]) {
      const error = readRefusal({ apiKey });
      expect(error).toBeInstanceOf(BankError);
      expect(error).toMatchObject({ code: "secret_unavailable", field: "apiKey" });
    }
  });
});

test("createBankClient accepts the smallest and largest allowed values", () => {
  for (const options of [
    { apiKey: "~" },
    { apiKey: "! ~" },
    { userAgent: "x" },
    { userAgent: false },
    { timeout: { login: 1, read: 1 } },
    { timeout: { login: 2 ** 31 - 1, read: 2 ** 31 - 1 } },
    { retry: { limit: 0, delay: 0, maxRetryAfter: 0 } },
    { retry: {} },
    { retry: false },
    { responseLimit: 0 },
    { sessionKeyIn: "query" },
    { sessionKeyIn: "header" },
  ] satisfies Partial<BankClientOptions>[]) {
    expect(createBankClient({ ...valid, ...options }).baseUrl).toBe("https://bank.example");
  }
});

// Of earlier versions, and slips: JavaScript would ignore them.
test.each(["appToken", "apikey", "onrequest", "__proto__x", "toString"])("the unknown option %s is refused", (name) => {
  expect(readRefusal({ [name]: "t" })).toMatchObject({
    code: "invalid_input",
    field: name,
    detail: expect.stringMatching(/^is not an option/),
  });
});

test("inherited members of the options are no options", () => {
  const options = Object.assign(Object.create({ appToken: "t" }), valid);
  expect(createBankClient(options).baseUrl).toBe(valid.baseUrl);
});
