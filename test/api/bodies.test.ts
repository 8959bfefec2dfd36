import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { ContractError, createBankClient, HttpError } from "ventanilla";
import { describe, expect, test } from "vitest";
import { readFault } from "./faults.ts";
import {
  bankThatSays,
  type CannedResponse,
  clientThatReads,
  createClient,
  FORM,
  SESSION_KEY,
  serveResponses,
} from "./server.ts";

const unreadable: [string, string | Uint8Array<ArrayBuffer>][] = [
  ["nothing", ""],
  ["HTML", "<!doctype html><title>Bad gateway</title>"],
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
  ["bytes that are not UTF-8", Buffer.from('{"status":"success","providers":[],"x":"\xff"}', "latin1")],
  ["UTF-16", Buffer.from('{"status":"success","providers":[]}', "utf16le")],
];

describe.each(unreadable)("a body of %s", (_, raw) => {
  test("with HTTP 200 is response_unreadable", async () => {
    const client = clientThatReads({ text: raw });
    const error = await readFault(client.listProviders());
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ code: "response_unreadable", request: "GET /provider/", httpStatus: 200 });
  });

  test("leaves it to the HTTP code where that is an error", async () => {
    const client = clientThatReads({ http: 500, text: raw });
    const error = await readFault(client.login(FORM));
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ code: "http_failed", request: "POST /login/", httpStatus: 500 });
  });
});

test.each([201, 202, 204, 205, 299])("HTTP %d without a body is response_unreadable", async (http) => {
  const { client } = await bankThatSays({ http, text: "" });
  expect(await readFault(client.logout(SESSION_KEY))).toMatchObject({
    code: "response_unreadable",
    request: "GET /logout/",
    httpStatus: http,
  });
});

test.each([
  [400, "http_failed"],
  [401, "access_refused"],
  [402, "http_failed"],
  [403, "access_refused"],
  [404, "http_failed"],
  [405, "http_failed"],
  [408, "http_failed"],
  [413, "http_failed"],
  [428, "http_failed"],
  [429, "rate_limited"],
  [430, "http_failed"],
  [500, "http_failed"],
  [501, "http_failed"],
  [502, "service_unavailable"],
  [503, "service_unavailable"],
  [504, "service_unavailable"],
  [505, "http_failed"],
  [599, "http_failed"],
])("HTTP %d without a status is %s", async (http, code) => {
  const client = clientThatReads({ http, text: "<html></html>" });
  const error = await readFault(client.login(FORM));
  expect(error).toBeInstanceOf(HttpError);
  expect(error).toMatchObject({ code, httpStatus: http, request: "POST /login/" });
});

describe("without an API key, an error without a status may be the relay's", () => {
  test.each([
    [403, { error: "origin_refused" }, "origin_refused", "list the origin of the page in the relay's allowedOrigins"],
    [
      401,
      { error: "app_refused" },
      "app_refused",
      "give the relay the function checkAppToken, and the app's client an appToken that it accepts",
    ],
    [500, { error: "body_already_read" }, "body_already_read", "mount the relay before every body parser"],
    [
      404,
      { error: "slash_changed" },
      "slash_changed",
      "let the paths of the relay keep their slash at the end, or none, without a redirect",
    ],
    [409, { error: "origin_refused" }, "outcome_unknown", undefined],
    [403, { error: "toString" }, "access_refused", undefined],
    [403, { error: 5 }, "access_refused", undefined],
    [500, "origin_refused", "http_failed", undefined],
    [500, null, "http_failed", undefined],
  ])("HTTP %d with %j is %s", async (http, json, code, detail) => {
    const read = (apiKey: object) => {
      const fetch = async () => Response.json(json, { status: http });
      return readFault(createBankClient({ baseUrl: "https://relay.example", fetch, ...apiKey }).login(FORM));
    };
    const fault = await read({});
    expect({ code: fault.code, httpStatus: fault.httpStatus, detail: fault.detail }).toEqual({
      code,
      httpStatus: http,
      detail,
    });
    expect((await read({ apiKey: "k" })).code).toMatch(/^(http_failed|access_refused)$/);
  });
});

describe("a body is read", () => {
  const json = '{"status":"success","providers":[{"code":"ñ","name":"Banco Ñandú 🐦"}]}';
  const read = { status: "success", providers: [{ code: "ñ", country: "", name: "Banco Ñandú 🐦" }] };

  test.each<[string, CannedResponse]>([
    ["whatever its content type says", { text: json, headers: { "content-type": "text/html; charset=latin1" } }],
    ["without a content type", { text: json }],
    ["with a byte order mark and space around it", { text: `\ufeff \r\n${json}\n` }],
    ["with an HTTP error code", { text: json, http: 500 }],
    ["compressed", { text: gzipSync(json), headers: { "content-encoding": "gzip" } }],
    [
      "in pieces that cut through a character",
      {
        write: (response) => {
          const bytes = Buffer.from(json);
          const cut = bytes.indexOf("ñ") + 1;
          response.write(bytes.subarray(0, cut), () => response.end(bytes.subarray(cut)));
        },
      },
    ],
  ])("%s", async (_, response) => {
    const { client } = await bankThatSays(response);
    expect(await client.listProviders()).toEqual(read);
  });
});

describe("the response limit", () => {
  test("is 4 MiB by default", async () => {
    // No UTF-8: what is within the limit is not read any further.
    const { client } = await bankThatSays({ text: Buffer.alloc(4_194_304, 0xff) }, { text: Buffer.alloc(4_194_305) });
    expect((await readFault(client.listProviders())).code).toBe("response_unreadable");
    const error = await readFault(client.listProviders());
    expect(error).toBeInstanceOf(ContractError);
    const detail = "more than 4194304 bytes";
    expect(error).toMatchObject({ code: "response_too_large", httpStatus: 200, request: "GET /provider/", detail });
  });

  test("can be set, and counts bytes, not characters", async () => {
    const { url } = await serveResponses(
      { text: '{"status":"under_reviéw"}' },
      { text: '{"status":"under_review"}' },
      { http: 503, text: "ñ".repeat(13) },
    );
    const client = createClient(url, { responseLimit: 25 });
    expect((await readFault(client.login(FORM))).detail).toBe("more than 25 bytes");
    expect((await client.login(FORM)).status).toBe("unexpected_status");
    expect(await readFault(client.login(FORM))).toMatchObject({ code: "response_too_large", httpStatus: 503 });
  });

  test("counts after decompression", async () => {
    const { client } = await bankThatSays({
      text: gzipSync(Buffer.alloc(4_194_305)),
      headers: { "content-encoding": "gzip" },
    });
    expect((await readFault(client.listProviders())).code).toBe("response_too_large");
  });

  test("stops an endless response, and frees its connection", async () => {
    let freed: Promise<unknown> | undefined;
    const { client } = await bankThatSays({
      write: (response) => {
        freed = once(response, "close");
        const flow = () => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
        };
        response.on("drain", flow);
        flow();
      },
    });
    expect((await readFault(client.listProviders())).code).toBe("response_too_large");
    await freed;
  });

  test("of 0 refuses whatever has a body", async () => {
    const { url } = await serveResponses({ text: "{" }, { text: "" });
    const client = createClient(url, { responseLimit: 0 });
    expect((await readFault(client.listProviders())).code).toBe("response_too_large");
    expect((await readFault(client.listProviders())).code).toBe("response_unreadable");
  });
});

describe("what counts is the length of the body itself", () => {
  const json = '{"status":"success","providers":[]}';
  const given = (response: Partial<Response>, limit: number) =>
    createClient("https://bank.example", { responseLimit: limit, fetch: async () => response as Response });

  test.each([
    ["none", {}],
    ["the right length", { "content-length": "35" }],
    ["too short a length", { "content-length": "3" }],
    ["a length over the limit", { "content-length": "101" }],
    ["no number", { "content-length": "35, 35" }],
    ["the length of a compressed body", { "content-length": "3", "content-encoding": "br" }],
  ])("where the headers state %s", async (_, headers: Record<string, string>) => {
    const response = () => new Response(json, { headers });
    expect((await given(response(), 35).listProviders()).status).toBe("success");
    expect((await readFault(given(response(), 34).listProviders())).code).toBe("response_too_large");
  });

  test("where there are no streams, as in React Native", async () => {
    const native = { status: 200, ok: true, headers: new Headers(), text: async () => json };
    expect((await given(native, 35).listProviders()).status).toBe("success");
    expect((await readFault(given(native, 34).listProviders())).code).toBe("response_too_large");
  });
});
