import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { afterEach, describe, expect, test, vi } from "vitest";
import { newConversation } from "./conversation.ts";

const { ask, get } = newConversation();
const error = (http: number, message: string) => ({ http, body: { status: "error", message } });

afterEach(() => vi.restoreAllMocks());

describe("the API key", () => {
  const paths = ["/provider/", "/provider/test/", "/transfer/destinations", "/login/", "/nowhere", "/%ZZ"];

  test.each(paths)("is missing at %s", async (path) => {
    const sandbox = createSandbox();
    const response = await sandbox(new Request(`http://sandbox.test${path}`));
    expect({ http: response.status, body: await response.json() }).toEqual(error(401, "Missing API key"));
  });

  test.each(paths)("is unknown at %s", async (path) => {
    expect(await get(path, { "X-API-Key": "guess" })).toEqual(error(403, "Key not found"));
  });

  test("can be another one", async () => {
    const { get } = newConversation({ apiKey: "mine" });
    expect((await get("/provider/", { "X-API-Key": "mine" })).http).toBe(200);
    expect((await get("/provider/")).http).toBe(403);
  });
});

describe("a path", () => {
  test.each([
    "/",
    "/nowhere",
    "/provider",
    "/provider/test",
    "/provider//",
    "/provider/test//",
    "/provider/test/fields/",
    "/PROVIDER/",
    "//provider/",
    "/transfer/destinations/",
    "/transfer/",
    "/client",
    "/logout",
    "/%ZZ",
  ])("%s is unknown", async (path) => {
    expect(await get(path)).toEqual(error(404, "Not found"));
  });

  test("counts to the letter for the login too", async () => {
    expect(await ask("/login", { method: "POST" })).toEqual(error(404, "Not found"));
  });

  test.each([
    ["POST", "/provider/", "GET"],
    ["PUT", "/provider/test/", "GET"],
    ["GET", "/login/", "POST"],
    ["DELETE", "/transfer/destinations", "GET"],
    ["POST", "/client/0/", "GET"],
    ["OPTIONS", "/logout/", "GET"],
  ])("%s %s is another method's", async (method, path, allowed) => {
    const response = await createSandbox()(
      new Request(`http://sandbox.test${path}`, { method, headers: { "X-API-Key": SANDBOX_API_KEY } }),
    );
    expect(response.headers.get("allow")).toBe(allowed);
    expect({ http: response.status, body: await response.json() }).toEqual(error(405, "Method not allowed"));
  });
});

describe("a login form", () => {
  const type = "application/x-www-form-urlencoded";
  const post = (body: BodyInit | null, contentType: string | undefined = type, more: RequestInit = {}) =>
    ask("/login/", { method: "POST", body, headers: contentType ? { "Content-Type": contentType } : {}, ...more });
  const form = "provider=test&username=12345&password=gfdsa";

  test.each(["application/json", "multipart/form-data", "text/plain", "application/x-www-form-urlencoded2"])(
    "is not %s",
    async (contentType) => {
      expect(await post(form, contentType)).toEqual(error(415, "Unsupported content type"));
    },
  );

  test("needs a content type", async () => {
    expect(await post(new TextEncoder().encode(form), "")).toEqual(error(415, "Unsupported content type"));
  });

  test("may name its charset, in any case", async () => {
    const reply = await post(form, "Application/X-WWW-Form-Urlencoded;charset=UTF-8");
    expect(reply.body.status).toBe("logged_in");
  });

  test("has a limit of 64 KiB", async () => {
    const padded = (length: number) => form.padEnd(length, "x").replace(/x/, "&");
    expect((await post(padded(65_536))).http).toBe(200);
    expect(await post(padded(65_537))).toEqual(error(413, "Body too large"));
  });

  test("has a limit that can be set, and that a stream without length can't pass", async () => {
    const { ask } = newConversation({ bodyLimit: 100 });
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(40));
      },
    });
    const streamed = { method: "POST", body: endless, duplex: "half", headers: { "Content-Type": type } } as const;
    expect(await ask("/login/", streamed)).toEqual(error(413, "Body too large"));
    expect(pulled).toBeLessThan(10);
  });

  test("that breaks off is unreadable", async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.error(new Error("gone")),
    });
    expect(await post(broken, type, { duplex: "half" } as RequestInit)).toEqual(error(400, "Unreadable body"));
  });

  test("names each field once", async () => {
    expect(await post(`${form}&password=other`)).toEqual(error(400, "Repeated field"));
  });

  test.each([
    "",
    "&&&===",
    "%",
    "%ZZ=%E0%A4%A",
    "__proto__=x&constructor=y",
    "\0=\0",
    "provider",
    "=test",
    "provider=&username=&password=",
  ])("%j misses credentials", async (body) => {
    expect(await post(body)).toEqual({ http: 400, body: { status: "missing_credentials" } });
  });

  test("may have no body at all", async () => {
    expect(await post(null)).toEqual({ http: 400, body: { status: "missing_credentials" } });
  });

  test("may be no UTF-8 at all", async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode(`${form.slice(0, -5)}`), 0xff, 0xfe]);
    expect((await post(bytes)).body.status).toBe("wrong_credentials");
  });
});

test("every answer is JSON with a status and is kept by no cache", async () => {
  const sandbox = createSandbox();
  for (const path of ["/provider/", "/provider/nobody/", "/nowhere", "/login/", "/logout/?key=x"]) {
    const response = await sandbox(
      new Request(`http://sandbox.test${path}`, { headers: { "X-API-Key": SANDBOX_API_KEY } }),
    );
    expect(response).toBeInstanceOf(Response);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect((await response.json()).status).toEqual(expect.any(String));
  }
});

test("even what is hardly a request gets an answer", async () => {
  const unreadable: Request = Object.create(Request.prototype);
  expect((await createSandbox()(unreadable)).status).toBe(500);
});

test("nothing is written to the console", async () => {
  const methods = ["log", "info", "warn", "error", "debug"] as const;
  const spies = methods.map((method) => vi.spyOn(console, method).mockImplementation(() => {}));
  const clock = { now: () => 0, wait: () => Promise.reject(new Error("broken")) };
  const { login, get } = newConversation({ clock });
  await login({ provider: "tortuga_ec", username: "slow", password: "s3creto" });
  await login({ provider: "test", username: "12345", password: "guess" });
  await get("/%ZZ?key=secret");
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});
