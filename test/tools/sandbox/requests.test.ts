import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { newConversation } from "./conversation.ts";

const { ask, get } = newConversation();
const error = (http: number, message: unknown) => ({ http, body: { status: "error", message } });
const request = (path: string, headers: Record<string, string> = { "X-API-Key": SANDBOX_API_KEY }, method = "GET") =>
  createSandbox()(new Request(`http://sandbox.test${path}`, { method, headers }));

describe("the API key", () => {
  test.each(["/provider/", "/login/", "/nowhere", "/%ZZ"])("is needed at %s", async (path) => {
    const response = await request(path, {});
    expect({ http: response.status, body: await response.json() }).toEqual(error(401, "Missing API key"));
    expect(await get(path, { "X-API-Key": "guess" })).toEqual(error(403, "Key not found"));
  });

  test("can be set", async () => {
    const { get } = newConversation({ apiKey: "mine" });
    expect((await get("/provider/", { "X-API-Key": "mine" })).http).toBe(200);
    expect((await get("/provider/")).http).toBe(403);
  });
});

describe("a path", () => {
  const unknown = `/ /provider /provider/test /provider// /provider/test// /provider/test/fields/ /PROVIDER/ //provider/ /login
    /transfer/destinations/ /client /logout /%ZZ`;
  test.each(unknown.split(/\s+/))("%s is unknown", async (path) => {
    const { http, body } = await get(path);
    expect([http, body.status]).toEqual([404, "error"]);
    expect(body["message"]).toMatch(path.includes("//") ? /^Not found\. The path has two slashes/ : /^Not found$/);
  });

  test.each([
    ["PUT", "/provider/test/", "GET"],
    ["GET", "/login/", "POST"],
    ["OPTIONS", "/logout/", "GET"],
  ])("%s %s answers 405 and the allowed method", async (method, path, allowed) => {
    const response = await request(path, undefined, method);
    expect(response.headers.get("allow")).toBe(allowed);
    expect({ http: response.status, body: await response.json() }).toEqual(error(405, "Method not allowed"));
  });
});

describe("a login form", () => {
  const type = "application/x-www-form-urlencoded";
  const form = "provider=test&username=12345&password=gfdsa";
  const post = (body: BodyInit | null, contentType = type, more: RequestInit = {}) =>
    ask("/login/", { method: "POST", body, headers: { "Content-Type": contentType }, ...more });
  const padded = (length: number) => form.padEnd(length, "x").replace("x", "&");
  const missing = { http: 400, body: { status: "missing_credentials" } };
  const loggedIn = { http: 200, body: { status: "logged_in" } };
  const noUtf8 = new Uint8Array([...new TextEncoder().encode(form.slice(0, -5)), 0xff, 0xfe]);

  test.each([
    [
      "needs a content type",
      form,
      error(415, expect.stringMatching(/^Unsupported content type\. Send the login as a form/)),
      "",
    ],
    [
      "can't be JSON",
      form,
      error(415, expect.stringMatching(/^Unsupported content type\. The body is JSON/)),
      "application/json",
    ],
    [
      "needs exactly this content type",
      form,
      error(415, expect.stringMatching(/^Unsupported content type\. Send the login as a form/)),
      `${type}2`,
    ],
    ["may name its charset, in any case", form, loggedIn, "Application/X-WWW-Form-Urlencoded;charset=UTF-8"],
    ["can have 64 KiB", padded(65_536), loggedIn],
    ["can't have more", padded(65_537), error(413, "Body too large")],
    ["names each field once", `${form}&password=other`, error(400, "Repeated field")],
    ["without a body has no credentials", null, missing],
    ["that is no UTF-8 has a wrong password", noUtf8, { http: 403, body: { status: "wrong_credentials" } }],
  ])("%s", async (_, body, expected, contentType = type) => {
    expect(await post(body, contentType)).toMatchObject(expected);
  });

  test.each(["", "&&&===", "%ZZ=%E0%A4%A", "__proto__=x&constructor=y", "\0=\0", "=test"])(
    "%j answers missing_credentials",
    async (body) => {
      expect(await post(body)).toEqual(missing);
    },
  );

  test("has a limit that holds for a stream without a length", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(30_000));
      },
    });
    const streamed = { method: "POST", body: endless, duplex: "half", headers: { "Content-Type": type } } as const;
    expect(await ask("/login/", streamed)).toEqual(error(413, "Body too large"));
    expect(pulled).toBeLessThan(10);
  });

  test("that breaks off is unreadable", async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error("gone")) });
    expect(await post(broken, type, { duplex: "half" } as RequestInit)).toEqual(error(400, "Unreadable body"));
  });
});

test.each(["/provider/", "/nowhere", "/login/"])("the response at %s is JSON that no cache keeps", async (path) => {
  const { headers } = await request(path);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  expect(headers.get("cache-control")).toBe("no-store");
});

test("a request that can't be read gets a response, and the console stays empty", async () => {
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((method) => vi.spyOn(console, method));
  onTestFinished(() => void vi.restoreAllMocks());
  const unreadable: Request = Object.create(Request.prototype);
  expect((await createSandbox()(unreadable)).status).toBe(500);
  await get("/%ZZ?key=secret");
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});
