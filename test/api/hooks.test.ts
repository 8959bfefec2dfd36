import { type BankClientOptions, HandlerError, type RequestEvent, type ResponseEvent } from "ventanilla";
import { describe, expect, test } from "vitest";
import { expectNoneOf, readFault } from "./faults.ts";
import { API_KEY, createClient, FORM, SECRETS, SESSION_KEY, serveResponses } from "./server.ts";

function listening() {
  const requests: RequestEvent[] = [];
  const responses: ResponseEvent[] = [];
  const hooks = {
    onRequest: (event) => void requests.push(event),
    onResponse: (event) => void responses.push(event),
  } satisfies Partial<BankClientOptions>;
  return { requests, responses, hooks };
}

describe("the hooks", () => {
  test("see method, address and attempt of each try, and the HTTP code and duration of each response", async () => {
    const { requests, responses, hooks } = listening();
    const { url } = await serveResponses(
      { http: 503, text: "" },
      { http: 502, json: { status: "provider_unavailable" } },
      { json: { status: "success", providers: [] } },
    );
    await createClient(url, { ...hooks, retry: { delay: 1 } }).listProviders();
    const tries = [1, 2, 3].map((attempt) => ({ method: "GET", url: `${url}/provider/`, attempt }));
    expect(requests).toEqual(tries);
    expect(responses).toEqual(
      tries.map((event, index) => ({ ...event, httpStatus: [503, 502, 200][index], duration: expect.any(Number) })),
    );
    for (const { duration } of responses) expect(duration).toBeGreaterThan(0);
  });

  test("see [secret] in the place of every query value, and no secret anywhere", async () => {
    const { requests, responses, hooks } = listening();
    const { url } = await serveResponses({ json: { status: "unheard_of", key: SESSION_KEY } });
    const client = createClient(`${url}/v1`, hooks);
    await client.login(FORM);
    await client.login({ ...FORM, otp: "8888" }, { key: SESSION_KEY });
    await client.listTransferDestinations(SESSION_KEY);
    await client.selectClient(SESSION_KEY, "FIC-1 2");
    await client.getProvider("test", { choice: { field: "document", value: FORM.username } });
    const seen = [
      ["POST", `${url}/v1/login/`],
      ["POST", `${url}/v1/login/?key=[secret]`],
      ["GET", `${url}/v1/transfer/destinations?key=[secret]`],
      ["GET", `${url}/v1/client/FIC-1%202/?key=[secret]`],
      ["GET", `${url}/v1/provider/test/?key=[secret]&value=[secret]`],
    ];
    expect(requests.map((event) => [event.method, event.url])).toEqual(seen);
    expect(responses.map((event) => [event.method, event.url])).toEqual(seen);
    expectNoneOf(SECRETS, [requests, responses]);
  });

  test("see no key in the address when it travels in the header", async () => {
    const { requests, hooks } = listening();
    const { url } = await serveResponses({ json: { status: "logged_out" } });
    await createClient(url, { ...hooks, sessionKeyIn: "header" }).logout(SESSION_KEY);
    expect(requests[0]?.url).toBe(`${url}/logout/`);
  });

  test("are told of no response where none came whole", async () => {
    const { requests, responses, hooks } = listening();
    const { url } = await serveResponses(
      "broken",
      { http: 302, text: "" },
      { text: "x".repeat(101) },
      {
        write: (response) => {
          response.writeHead(200, { "content-length": "9" });
          response.write("{", () => response.destroy());
        },
      },
    );
    const client = createClient(url, { ...hooks, responseLimit: 100 });
    for (const _ of [1, 2, 3, 4]) await readFault(client.login(FORM));
    expect(requests).toHaveLength(4);
    expect(responses).toEqual([]);
  });

  test("are told of a response that can't be read", async () => {
    const { responses, hooks } = listening();
    const { url } = await serveResponses({ http: 500, text: "<html>" });
    await readFault(createClient(url, hooks).login(FORM));
    expect(responses).toMatchObject([{ method: "POST", attempt: 1, httpStatus: 500 }]);
  });
});

describe("a hook that throws", () => {
  class PasswordShown extends TypeError {
    override readonly name = "PasswordShown";
  }

  test.each([
    ["an error", new PasswordShown(`${FORM.password} ${API_KEY}`), "threw PasswordShown"],
    ["a text", FORM.password, "threw string"],
    ["nothing", undefined, "threw undefined"],
    ["an object", { password: FORM.password }, "threw object"],
  ])("%s with a secret in it is handler_failed, and tells no more than its kind", async (_, thrown, detail) => {
    const { url, requests } = await serveResponses({ json: { status: "success", providers: [] } });
    const fail = () => {
      throw thrown;
    };
    for (const field of ["onRequest", "onResponse"]) {
      const error = await readFault(createClient(url, { [field]: fail }).login(FORM));
      expect(error).toBeInstanceOf(HandlerError);
      expect(error).toMatchObject({ code: "handler_failed", field, detail });
      expect(error.message).toBe(`handler_failed: ${field}: ${detail}`);
      expect(error).not.toHaveProperty("cause");
      expectNoneOf(SECRETS, error);
    }
    expect(requests).toHaveLength(1);
  });

  test("before the request keeps it from being sent, and its error is the cause", async () => {
    const { url, requests } = await serveResponses({ json: {} });
    const cause = new Error("no");
    const onRequest = () => {
      throw cause;
    };
    const error = await readFault(createClient(url, { onRequest, retry: {} }).listProviders());
    expect([error.code, error.cause]).toEqual(["handler_failed", cause]);
    expect(requests).toEqual([]);
  });
});
