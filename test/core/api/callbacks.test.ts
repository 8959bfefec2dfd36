import { type BankClientOptions, BankError, type RequestEvent, type ResponseEvent } from "ventanilla";
import { describe, expect, test } from "vitest";
import { startService } from "../../bank/service.ts";
import { expectNoneOf, readFault } from "./faults.ts";
import {
  API_KEY,
  createClient,
  FORM,
  LOCAL_URL,
  localBank,
  SECRETS,
  SESSION_KEY,
  unknownStatus,
} from "./local-bank.ts";

function recordEvents() {
  const requests: RequestEvent[] = [];
  const responses: ResponseEvent[] = [];
  const hooks = {
    onRequest: (event) => void requests.push(event),
    onResponse: (event) => void responses.push(event),
  } satisfies Partial<BankClientOptions>;
  return { requests, responses, hooks };
}

describe("onRequest and onResponse", () => {
  test("get method, address and attempt of each try, and the HTTP code and duration of each response", async () => {
    const { requests, responses, hooks } = recordEvents();
    const bank = localBank(
      { http: 503, text: "" },
      { http: 502, json: { status: "provider_unavailable" } },
      { json: { status: "success", providers: [] } },
    );
    await bank.client({ ...hooks, retry: { delay: 1 } }).listProviders();
    const tries = [1, 2, 3].map((attempt) => ({ method: "GET", url: `${LOCAL_URL}/provider/`, attempt }));
    expect(requests).toEqual(tries);
    expect(responses).toEqual(
      tries.map((event, index) => ({
        ...event,
        httpStatus: [503, 502, 200][index],
        duration: expect.any(Number),
      })),
    );
    for (const { duration } of responses) expect(duration).toBeGreaterThan(0);
  });

  test("get [secret] in place of each query value, and no secret elsewhere", async () => {
    const { requests, responses, hooks } = recordEvents();
    const url = LOCAL_URL;
    const client = localBank({ json: { status: "unheard_of", key: SESSION_KEY } }).client({
      ...hooks,
      baseUrl: `${url}/v1`,
    });
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

  test("get an address without a key if sessionKeyIn is header", async () => {
    const { requests, hooks } = recordEvents();
    await localBank(unknownStatus)
      .client({ ...hooks, sessionKeyIn: "header" })
      .logout(SESSION_KEY);
    expect(requests[0]?.url).toBe(`${LOCAL_URL}/logout/`);
  });

  test("are not called with a response that is incomplete, too large or a redirect", async () => {
    const { requests, responses, hooks } = recordEvents();
    const { url } = await startService([
      "broken",
      { http: 302, text: "" },
      { text: "x".repeat(101) },
      {
        write: (response) => {
          response.writeHead(200, { "content-length": "9" });
          response.write("{", () => response.destroy());
        },
      },
    ]);
    const client = createClient(url, { ...hooks, responseLimit: 100 });
    for (const _ of [1, 2, 3, 4]) await readFault(client.login(FORM));
    expect(requests).toHaveLength(4);
    expect(responses).toEqual([]);
  });

  test("are called with a response that is unreadable", async () => {
    const { responses, hooks } = recordEvents();
    await readFault(localBank({ http: 500, text: "<html>" }).client(hooks).login(FORM));
    expect(responses).toMatchObject([{ method: "POST", attempt: 1, httpStatus: 500 }]);
  });
});

describe("a hook that throws", () => {
  class PasswordShown extends TypeError {
    override readonly name = "PasswordShown";
  }

  test.each([
    ["an error", new PasswordShown(`${FORM.password} ${API_KEY}`), "threw PasswordShown"],
    ["an error with another name", Object.assign(new Error("no"), { name: FORM.password }), "threw Error"],
    [
      "an error with another constructor",
      Object.assign(new Error("no"), { constructor: { name: FORM.password } }),
      "threw object",
    ],
    ["a string", FORM.password, "threw string"],
    ["undefined", undefined, "threw undefined"],
    ["an object", { password: FORM.password }, "threw object"],
  ])("%s is the cause of handler_failed, whose own text has its type alone", async (_, thrown, detail) => {
    const { client, requests } = localBank(unknownStatus);
    const fail = () => {
      throw thrown;
    };
    for (const field of ["onRequest", "onResponse"]) {
      const error = await readFault(client({ [field]: fail }).login(FORM));
      expect(error).toBeInstanceOf(BankError);
      expect(error).toMatchObject({ code: "handler_failed", field, detail });
      expect(error.message).toBe(`handler_failed: ${field}: ${detail}`);
      expect(error.cause).toBe(thrown);
    }
    expect(requests).toHaveLength(1);
  });

  test("an error in onRequest prevents the request, and is the cause of the fault", async () => {
    const { client, requests } = localBank(unknownStatus);
    const cause = new Error("no");
    const onRequest = () => {
      throw cause;
    };
    const error = await readFault(client({ onRequest, retry: {} }).listProviders());
    expect([error.code, error.cause]).toEqual(["handler_failed", cause]);
    expect(requests).toEqual([]);
  });
});
