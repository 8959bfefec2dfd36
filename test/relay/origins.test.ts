import { describe, expect, onTestFinished, test, vi } from "vitest";
import { PAGE, stage } from "./stage.ts";

const preflight = (headers: Record<string, string> = {}) => ({
  method: "OPTIONS",
  headers: { "x-ventanilla": "", "access-control-request-method": "POST", ...headers },
});

const cors = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith("access-control-")));

describe("a preflight", () => {
  test("of an allowed origin hears what its route takes, and nothing of credentials", async () => {
    const set = await stage();
    const answer = await set.send("/login/", preflight({ "access-control-request-headers": "x-ventanilla" }));
    expect(answer.status).toBe(204);
    expect(cors(answer)).toEqual({
      "access-control-allow-origin": PAGE,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type, x-ventanilla, x-attempt-id",
      "access-control-expose-headers": "retry-after",
      "access-control-max-age": "600",
    });
    expect(answer.headers.get("vary")).toBe("Origin");
    expect(set.events).toMatchObject([{ route: "POST /login/", method: "OPTIONS", httpStatus: 204 }]);
    expect(set.bank.requests).toEqual([]);
  });

  test("may ask for the session key's header where keys travel in it", async () => {
    const set = await stage({ sessionKeyIn: "header" });
    const answer = await set.send("/transfer/destinations", preflight({ "access-control-request-method": "GET" }));
    expect(cors(answer)["access-control-allow-headers"]).toBe(
      "content-type, x-ventanilla, x-attempt-id, x-session-key",
    );
    expect(cors(answer)["access-control-allow-methods"]).toBe("GET");
  });

  test.each(["https://evil.example", "null", ""])("of the origin %j hears nothing", async (origin) => {
    const answer = await (await stage()).send("/login/", preflight({ origin }));
    expect(answer.status).toBe(403);
    expect(cors(answer)).toEqual({});
  });
});

describe("a read of the page's own origin, which comes without an origin,", () => {
  test.each([["same-origin"], [""]])("is answered where Sec-Fetch-Site is %j", async (site) => {
    const set = await stage();
    const answer = await set.send("/provider/", { headers: { origin: "", "sec-fetch-site": site } });
    expect(answer.status).toBe(200);
    expect(cors(answer)).toEqual({});
  });
});

test("each of several origins may read its own answers, that of an app's web view with a scheme of its own too", async () => {
  const allowedOrigins = [PAGE, "http://localhost:5173", "capacitor://localhost"];
  const set = await stage({ allowedOrigins });
  for (const origin of allowedOrigins) {
    const answer = await set.send("/provider/", { headers: { origin } });
    expect([answer.status, cors(answer)["access-control-allow-origin"]]).toEqual([200, origin]);
  }
  const warning = vi.spyOn(console, "warn").mockReturnValue();
  onTestFinished(() => warning.mockRestore());
  expect((await set.send("/provider/", { headers: { origin: "ionic://localhost" } })).status).toBe(403);
  expect(warning.mock.calls).toEqual([[expect.stringContaining('list "ionic://localhost" in createRelay')]]);
});

test("every answer tells caches, frames and sniffers to keep off", async () => {
  const set = await stage();
  for (const answer of [
    await set.send("/provider/"),
    await set.send("/nowhere"),
    await set.send("/login/", preflight()),
  ]) {
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      vary: "Origin",
      "x-content-type-options": "nosniff",
    });
  }
});
