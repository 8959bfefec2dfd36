import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { BankError, createBankClient, createRelayClient, reveal } from "ventanilla";
import { describe, expect, test } from "vitest";
import { type Reply, startService } from "../../bank/service.ts";
import { readFault } from "./faults.ts";
import { clientThatReads, createClient, FORM, LOCAL_URL, localBank, SESSION_KEY } from "./local-bank.ts";

const HTML = "<!doctype html><title>Bad gateway</title>";

const unreadable: [string, string | Uint8Array<ArrayBuffer>][] = [
  ["empty", ""],
  ["HTML", HTML],
  ["half of a JSON object", '{"status":"success","providers":['],
  ["two JSON objects", '{"status":"success"}{"status":"success"}'],
  ["null", "null"],
  ["true", "true"],
  ["a number", "200"],
  ["a JSON string", '"success"'],
  ["a list", '[{"status":"success"}]'],
  ["an object without status", '{"providers":[]}'],
  ["a status that is a number", '{"status":200}'],
  ["a status that is null", '{"status":null}'],
  ["a status that is an object", '{"status":{"status":"success"}}'],
  ["a status behind __proto__", '{"__proto__":{"status":"success"}}'],
  ["UTF-16", Buffer.from('{"status":"success","providers":[]}', "utf16le")],
];

test.each(unreadable)("a body that is %s is response_unreadable, and http_failed with HTTP 500", async (_, text) => {
  const client = clientThatReads({ text }, { http: 500, text }, { text });
  const unread = await readFault(client.listProviders());
  expect(unread).toBeInstanceOf(BankError);
  expect(unread).toMatchObject({ code: "response_unreadable", request: "GET /provider/", httpStatus: 200 });
  const failed = await readFault(client.listProviders());
  expect(failed).toBeInstanceOf(BankError);
  expect(failed).toMatchObject({ code: "http_failed", request: "GET /provider/", httpStatus: 500 });
  // The bank may have received a login.
  expect(await readFault(client.login(FORM))).toMatchObject({
    code: "outcome_unknown",
    request: "POST /login/",
    httpStatus: 200,
    detail: text === HTML ? "response_unreadable: a web page in place of JSON" : "response_unreadable",
  });
});

test.each([201, 202, 204, 205, 299])("HTTP %d without a body is response_unreadable", async (http) => {
  const client = clientThatReads({ http, text: "" });
  expect(await readFault(client.listClients(SESSION_KEY))).toMatchObject({
    code: "response_unreadable",
    request: "GET /client/",
    httpStatus: http,
  });
});

test.each([
  ["http_failed", [401, 403]],
  ["rate_limited", [429]],
  ["service_unavailable", [502, 503, 504]],
  ["http_failed", [400, 402, 404, 405, 408, 413, 428, 430, 500, 501, 505, 599]],
])("without a status, %s with HTTP %j", async (code, statuses) => {
  for (const http of statuses) {
    const client = clientThatReads({ http, text: "<html></html>" });
    const error = await readFault(client.listProviders());
    expect(error).toBeInstanceOf(BankError);
    expect(error).toMatchObject({ code, httpStatus: http, request: "GET /provider/" });
    // Only these three say what became of a login, or have a text that leaves it open.
    const once = [401, 429, 503].includes(http) ? { code } : { code: "outcome_unknown", detail: code };
    const calls = [client.login(FORM), client.selectClient(SESSION_KEY, "0"), client.logout(SESSION_KEY)];
    for (const call of calls) expect(await readFault(call)).toMatchObject({ ...once, httpStatus: http });
  }
});

describe("an HTTP error of a relay, without a status,", () => {
  test.each([
    [403, { error: "origin_refused" }, "invalid_setup", "list the origin of the page in the relay's allowedOrigins"],
    [
      401,
      { error: "app_refused" },
      "app_refused",
      "give the relay the function checkAppToken, and the app's client a token in its headers",
    ],
    [500, { error: "body_already_read" }, "invalid_setup", "mount the relay before every body parser"],
    [
      404,
      { error: "slash_changed" },
      "invalid_setup",
      "let the paths of the relay keep their slash at the end, or none, without a redirect",
    ],
    [409, { error: "origin_refused" }, "outcome_unknown", undefined],
    [403, { error: "toString" }, "http_failed", undefined],
    [403, { error: 5 }, "http_failed", undefined],
    [500, "origin_refused", "http_failed", undefined],
    [500, null, "http_failed", undefined],
  ])("HTTP %d with %j is %s", async (http, json, code, detail) => {
    const read = (headers: Record<string, string>, apiKey?: string) => {
      const fetch = async () => Response.json(json, { status: http, headers });
      // Too short for a relay to be asked again.
      const options = { baseUrl: "https://relay.example", fetch, timeout: { login: 1_000 } };
      const client = apiKey === undefined ? createRelayClient(options) : createBankClient({ ...options, apiKey });
      return readFault(client.login(FORM));
    };
    const fault = await read({ "x-ventanilla": "1" });
    expect({ code: fault.code, httpStatus: fault.httpStatus, detail: fault.detail }).toEqual({
      code,
      httpStatus: http,
      detail,
    });
    // A proxy before the relay, and a service, can't name a fault of the relay.
    expect((await read({})).code).toBe(http === 401 ? "http_failed" : "outcome_unknown");
    expect((await read({ "x-ventanilla": "1" }, "k")).code).toBe(http === 401 ? "http_failed" : "outcome_unknown");
  });
});

describe("the reader of a body", () => {
  const json = '{"status":"success","providers":[{"code":"ñ","name":"Banco Ñandú 🐦"}]}';
  const read = { status: "success", providers: [{ code: "ñ", country: "", name: "Banco Ñandú 🐦" }], skipped: 0 };

  test.each<[string, Reply]>([
    ["ignores a wrong content type", { text: json, headers: { "content-type": "text/html; charset=latin1" } }],
    ["needs no content type", { text: json }],
    ["accepts a byte order mark and white space around the JSON", { text: `\ufeff \r\n${json}\n` }],
    ["accepts an HTTP error code beside a known status", { text: json, http: 500 }],
  ])("%s", async (_, response) => {
    expect(await clientThatReads(response).listProviders()).toEqual(read);
  });

  test("decompresses", async () => {
    const service = await startService([{ text: gzipSync(json), headers: { "content-encoding": "gzip" } }]);
    expect(await service.client().listProviders()).toEqual(read);
  });

  test("joins a body that comes byte by byte, and keeps no part of it", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage: () => void = runInNewContext("gc");
    const bytes = Buffer.from(json);
    const parts: WeakRef<Uint8Array>[] = [];
    let kept = Number.NaN;
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const next = bytes.subarray(parts.length, parts.length + 1);
      if (next.length > 0) {
        const part = Uint8Array.from(next);
        parts.push(new WeakRef(part));
        return controller.enqueue(part);
      }
      // A new part can't be collected in the same turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
      kept = parts.filter((part) => part.deref() !== undefined).length;
      controller.close();
    };
    const client = createClient(LOCAL_URL, { fetch: async () => new Response(new ReadableStream({ pull })) });
    expect(await client.listProviders()).toEqual(read);
    expect(kept).toBeLessThan(4);
  });
});

describe("bytes that are not UTF-8", () => {
  const latin = (json: object, charset = "") => ({
    text: Buffer.from(JSON.stringify(json), "latin1"),
    headers: { "content-type": `application/json${charset}` },
  });

  test.each([
    ["; charset=ISO-8859-1", "latin1"],
    ['; charset="windows-1252"', "latin1"],
    ["; charset=UTF-16LE", "utf16le"],
  ] as const)("are read as their header says, content type application/json%s", async (charset, encoding) => {
    const json = { status: "interaction_required", key: "k", field: "otp", context: "¿Código? Año: ñandú" };
    const text = Buffer.from(JSON.stringify(json), encoding);
    const client = clientThatReads({ text, headers: { "content-type": `application/json${charset}` } });
    expect(await client.login(FORM)).toMatchObject({ context: json.context, field: "otp" });
  });

  test.each(["", "; charset=utf-8", "; charset=klingon"])(
    "cost a name one letter, with application/json%s",
    async (charset) => {
      const banks = Array.from({ length: 3000 }, (_, index) => ({
        code: `b${index}`,
        country: "UY",
        name: "Banco Ñandú",
      }));
      const json = Buffer.from(JSON.stringify({ status: "success", providers: banks }));
      // Half of the last letter of the first name.
      const cut = json.indexOf("ú") + 1;
      const text = Buffer.concat([json.subarray(0, cut), json.subarray(cut + 1)]);
      const headers = { "content-type": `application/json${charset}` };
      const response = await clientThatReads({ text, headers }).listProviders();
      expect(response).toEqual({
        status: "success",
        providers: [{ ...banks[0], name: "Banco Ñand\u{fffd}" }, ...banks.slice(1)],
        skipped: 0,
      });
    },
  );

  test("in a member that nobody reads don't cost a session", async () => {
    const client = clientThatReads(latin({ status: "logged_in", key: "the-key", holder: "Núñez" }));
    const response = await client.login(FORM);
    expect(response).toMatchObject({ status: "logged_in" });
    expect("key" in response && response.key && reveal(response.key)).toBe("the-key");
  });

  const broken = "caf\xe9";
  test("in a key are refused, by name", async () => {
    const login = clientThatReads(latin({ status: "logged_in", key: broken }));
    expect(await readFault(login.login(FORM))).toMatchObject({ code: "response_against_contract", field: "key" });
    const refusal = await clientThatReads(latin({ status: "max_sessions_reached", key: broken })).login(FORM);
    expect(refusal).not.toHaveProperty("key");
  });

  test("in a bank's code, a field's name, a choice or a client's id cost that element", async () => {
    const list = latin({
      status: "success",
      providers: [
        { code: broken, name: "A" },
        { code: "b", name: broken },
      ],
    });
    expect(await clientThatReads(list).listProviders()).toMatchObject({
      providers: [{ code: "b", name: "caf\u{fffd}" }],
      skipped: 1,
    });
    const only = latin({ status: "success", providers: [{ code: broken, name: "A" }] });
    expect(await readFault(clientThatReads(only).listProviders())).toMatchObject({
      code: "response_against_contract",
      field: "providers.0.code",
    });
    const choices = [{ name: broken }, { name: "b", label_es: broken }];
    const auth_fields = [
      { name: broken, type: "text" },
      { name: "document", type: "text", default: broken },
      { name: "kind", type: "choice", choices },
    ];
    const detail = await clientThatReads(
      latin({ status: "success", provider: { name: "A", auth_fields } }),
    ).getProvider("a");
    expect(detail).toMatchObject({
      provider: {
        auth_fields: [
          { name: "document", default: undefined },
          { name: "kind", choices: [{ name: "b" }] },
        ],
      },
      skipped: 2,
    });
    const clients = latin({ status: "success", clients: { [broken]: "A", b: broken } });
    expect(await clientThatReads(clients).listClients(SESSION_KEY)).toMatchObject({
      clients: [{ id: "b", name: "caf\u{fffd}" }],
      skipped: 1,
    });
  });

  test("in the name of an interaction's field leave the interaction without one", async () => {
    const asks = latin({ status: "interaction_required", key: "k", field: broken, context: broken });
    const response = await clientThatReads(asks).login(FORM);
    expect(response).toMatchObject({ status: "interaction_required", context: "caf\u{fffd}" });
    expect(response).not.toHaveProperty("field");
  });
});

test("a body that is not in its content encoding is response_unreadable", async () => {
  const service = await startService([{ text: "no gzip", headers: { "content-encoding": "gzip" } }]);
  expect(await readFault(service.client().listProviders())).toMatchObject({
    code: "response_unreadable",
    detail: "Z_DATA_ERROR",
  });
});

describe("the response limit", () => {
  test("is 4 MiB by default", async () => {
    const client = clientThatReads({ text: Buffer.alloc(4_194_304, 0xff) }, { text: Buffer.alloc(4_194_305) });
    expect((await readFault(client.listProviders())).code).toBe("response_unreadable");
    const error = await readFault(client.listProviders());
    expect(error).toBeInstanceOf(BankError);
    const detail = "more than 4194304 bytes";
    expect(error).toMatchObject({
      code: "response_against_contract",
      httpStatus: 200,
      request: "GET /provider/",
      detail,
    });
  });

  test("can be set, and counts bytes instead of characters", async () => {
    const client = localBank(
      { text: '{"status":"under_reviéw"}' },
      { text: '{"status":"under_review"}' },
      { http: 503, text: "ñ".repeat(13) },
    ).client({ responseLimit: 25 });
    expect((await readFault(client.listProviders())).detail).toBe("more than 25 bytes");
    expect((await client.login(FORM)).status).toBe("unexpected_status");
    expect(await readFault(client.listProviders())).toMatchObject({
      code: "response_against_contract",
      httpStatus: 503,
    });
    const detail = "response_against_contract: more than 25 bytes";
    expect(await readFault(client.login(FORM))).toMatchObject({ code: "outcome_unknown", httpStatus: 503, detail });
  });

  test("applies after decompression", async () => {
    const { url } = await startService([
      {
        text: gzipSync(Buffer.alloc(100_001)),
        headers: { "content-encoding": "gzip" },
      },
    ]);
    const client = createClient(url, { responseLimit: 100_000 });
    expect((await readFault(client.listProviders())).code).toBe("response_against_contract");
  });

  test("of 0 refuses every body", async () => {
    const client = localBank({ text: "{" }, { text: "" }).client({ responseLimit: 0 });
    expect((await readFault(client.listProviders())).code).toBe("response_against_contract");
    expect((await readFault(client.listProviders())).code).toBe("response_unreadable");
  });
});

describe("the length of a body is counted, not read from a header,", () => {
  const json = '{"status":"success","providers":[]}';
  const clientOf = (response: Partial<Response>, limit: number) =>
    createClient("https://bank.example", { responseLimit: limit, fetch: async () => response as Response });

  test.each([
    ["no length", {}],
    ["too short a length", { "content-length": "3" }],
    ["a length over the limit", { "content-length": "101" }],
  ])("if the headers have %s", async (_, headers: Record<string, string>) => {
    const response = () => new Response(json, { headers });
    expect((await clientOf(response(), 35).listProviders()).status).toBe("success");
    expect((await readFault(clientOf(response(), 34).listProviders())).code).toBe("response_against_contract");
  });

  test("if there are no streams, as in React Native", async () => {
    const native = { status: 200, ok: true, headers: new Headers(), text: async () => json };
    expect((await clientOf(native, 35).listProviders()).status).toBe("success");
    expect((await readFault(clientOf(native, 34).listProviders())).code).toBe("response_against_contract");
  });
});
