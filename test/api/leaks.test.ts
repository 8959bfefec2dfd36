import { type BankClient, type BankClientOptions, BankError, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import { openService } from "../bank/service.ts";
import { expectNoneOf, readFault } from "./faults.ts";
import {
  API_KEY,
  type CannedResponse,
  clientThatReads,
  createClient,
  FORM,
  LOCAL_URL,
  localBank,
  SECRETS,
  SESSION_KEY,
  serveResponses,
} from "./server.ts";

const echo = `${SECRETS.join(" ")} `;

const calls: [string, (client: BankClient) => Promise<unknown>][] = [
  ["POST /login/", (client) => client.login({ ...FORM, otp: "8888" }, { key: SESSION_KEY })],
  ["GET /transfer/destinations", (client) => client.listTransferDestinations(secret(SESSION_KEY))],
  ["GET /client/{id}/", (client) => client.selectClient(SESSION_KEY, "0")],
];

const faults: [string, CannedResponse, Partial<BankClientOptions>][] = [
  ["network_failed", "broken", {}],
  ["request_timed_out", "held", { timeout: { login: 30, read: 30 } }],
  ["request_aborted", "held", { signal: AbortSignal.abort(new Error(echo)) }],
  ["redirect_refused", { http: 302, text: echo, headers: { location: `/?key=${SESSION_KEY}` } }, {}],
  ["response_unreadable", { text: `<html>${echo}` }, {}],
  ["response_unreadable", { text: `{"status":"${echo}` }, {}],
  ["response_too_large", { text: echo.repeat(20) }, { responseLimit: 200 }],
  ["access_refused", { http: 401, text: echo, headers: { "www-authenticate": API_KEY } }, {}],
  ["rate_limited", { http: 429, json: { echo } }, {}],
  ["service_unavailable", { http: 503, text: echo, headers: { "x-echo": echo } }, {}],
  ["http_failed", { http: 500, json: [echo] }, {}],
  [
    "handler_failed",
    { json: { status: "unheard_of" } },
    {
      onResponse: () => {
        throw new Error(echo);
      },
    },
  ],
  [
    "network_failed",
    "held",
    { fetch: () => Promise.reject(Object.assign(new Error(echo, { cause: new Error(echo) }), { request: echo })) },
  ],
  ["network_failed", "held", { fetch: () => Promise.reject(echo) }],
  ["network_failed", "held", { fetch: () => Promise.reject(Object.assign(new Error("x"), { code: echo })) }],
];

describe.each(calls)("the fault of %s", (request, call) => {
  test.each(faults)("%s has no secret in its message, stack or members", async (code, response, options) => {
    const bank = typeof response === "string" ? await serveResponses(response) : localBank(response);
    const error = await readFault(call(bank.client({ ...options, apiKey: API_KEY, baseUrl: `${bank.url}/v1` })));
    expect(error.code).toBe(code);
    expect(error).not.toHaveProperty("cause");
    if (code !== "handler_failed") {
      const sent = request.replace("/", `${bank.url}/v1/`);
      const { httpStatus, detail } = error;
      const place = httpStatus === undefined ? sent : `the service responded with HTTP ${httpStatus} (${sent})`;
      expect(error.request).toBe(request);
      expect(error.message).toBe(`${code}: ${place}${detail === undefined ? "" : `: ${detail}`}`);
    }
    expectNoneOf(SECRETS, error);
  });
});

test("response_against_contract names the wrong member and shows no value", async () => {
  const client = clientThatReads(
    { json: { status: "interaction_required", field: [FORM.password], context: SESSION_KEY } },
    { json: { status: "success", destinations: [{ id: SESSION_KEY, name: API_KEY }] } },
  );
  const errors = [await readFault(client.login(FORM)), await readFault(client.listTransferDestinations(SESSION_KEY))];
  expect(errors.map(({ field }) => field)).toEqual(["field", "destinations.0.id"]);
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
    const { url, close } = await openService([]);
    await close();
    const error = await readFault(createClient(url).login(FORM));
    expect(error.message).toBe(`network_failed: POST ${url}/login/: ECONNREFUSED`);
    expect(error.detail).toBe("ECONNREFUSED");
  });

  test("is the platform's code if the server closes the connection", async () => {
    const { url } = await serveResponses("broken");
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
