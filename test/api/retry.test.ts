import { describe, expect, test } from "vitest";
import { readFault } from "./faults.ts";
import { type CannedResponse, createClient, SESSION_KEY, serveResponses, silence } from "./server.ts";

const quick = { delay: 1 };
const success: CannedResponse = {
  json: { status: "success", providers: [], provider: { name: "A", auth_fields: [] } },
};
const destinations: CannedResponse = { json: { status: "success", destinations: [], clients: {} } };
// Which requests are reads, and that the others are sent once, whatever breaks: test/faults/endpoints.test.ts.

describe("a read", () => {
  test.each([408, 429, 502, 503, 504])("is repeated after HTTP %d, with or without a status", async (http) => {
    for (const fault of [
      { http, text: "" },
      { http, json: { status: "missing_params" } },
    ]) {
      const { url, requests } = await serveResponses(fault, success);
      expect((await createClient(url, { retry: quick }).listProviders()).status).toBe("success");
      expect(requests).toHaveLength(2);
    }
  });

  test.each([400, 401, 403, 404, 409, 425, 500, 501, 505])("is not repeated after HTTP %d", async (http) => {
    const { url, requests } = await serveResponses(
      { http, text: "" },
      { http, json: { status: "missing_params" } },
      success,
    );
    const client = createClient(url, { retry: quick });
    expect(await readFault(client.listProviders())).toMatchObject({ httpStatus: http });
    expect(await client.listProviders()).toMatchObject({ status: "missing_params", httpStatus: http });
    expect(requests).toHaveLength(2);
  });

  test.each<[string, CannedResponse]>([
    ["unreadable", { text: "<html>" }],
    ["against the contract", { json: { status: "success" } }],
    ["a redirect", { http: 302, text: "" }],
    ["an outcome", { json: { status: "error", message: "Invalid key" } }],
    ["too large", { text: "x".repeat(2000) }],
  ])("is not repeated after a response that is %s", async (_, response) => {
    const { url, requests } = await serveResponses(response, success);
    await createClient(url, { retry: quick, responseLimit: 1000 })
      .listProviders()
      .catch(() => {});
    expect(requests).toHaveLength(1);
  });

  test("is repeated after a time-out, each try with a time of its own", async () => {
    const { url, requests } = await serveResponses(silence, success);
    expect((await createClient(url, { retry: quick, timeout: { read: 250 } }).listProviders()).status).toBe("success");
    expect(requests).toHaveLength(2);
  });

  test("is repeated twice unless told otherwise, and ends with the last try's fault", async () => {
    const { url, requests } = await serveResponses(
      { http: 502, text: "" },
      { http: 502, text: "" },
      { http: 504, text: "" },
    );
    const error = await readFault(createClient(url, { retry: quick }).listProviders());
    expect(error).toMatchObject({ code: "service_unavailable", httpStatus: 504, request: "GET /provider/" });
    expect(requests).toHaveLength(3);
  });

  test("ends with the last try's response where the tries run out", async () => {
    const { url, requests } = await serveResponses({ http: 503, json: { status: "provider_unavailable" } });
    expect(await createClient(url, { retry: quick }).listProviders()).toEqual({
      status: "provider_unavailable",
      httpStatus: 503,
      wire: { status: "provider_unavailable" },
    });
    expect(requests).toHaveLength(3);
  });

  test.each([
    [{ limit: 0, delay: 1 }, 1],
    [{ limit: 1, delay: 1 }, 2],
    [{ limit: 4, delay: 0 }, 5],
    [false, 1],
  ] as const)("with retry: %j is tried %d times", async (retry, tries) => {
    const { url, requests } = await serveResponses({ http: 503, text: "" });
    await readFault(createClient(url, { retry }).listProviders());
    expect(requests).toHaveLength(tries);
  });

  test("is the same request each time", async () => {
    const { url, requests } = await serveResponses({ http: 503, text: "" }, destinations);
    await createClient(url, { retry: quick }).listTransferDestinations(SESSION_KEY);
    const [first, second] = requests.map(({ abandoned, ...request }) => request);
    expect(second).toEqual(first);
  });

  test("that a handler broke is not repeated", async () => {
    let seen = 0;
    const onResponse = () => {
      seen++;
      throw new Error("broken");
    };
    const { url, requests } = await serveResponses({ http: 503, text: "" });
    expect((await readFault(createClient(url, { retry: quick, onResponse }).listProviders())).code).toBe(
      "handler_failed",
    );
    expect([seen, requests.length]).toEqual([1, 1]);
  });
});
