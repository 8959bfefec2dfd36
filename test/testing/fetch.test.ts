import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { type Fault, fetchFor, type PathStep } from "ventanilla/testing";
import { describe, expect, test } from "vitest";

const address = "http://sandbox.test";
const headers = { "x-api-key": SANDBOX_API_KEY };
const choosing = (value: string): PathStep => ({
  action: { type: "choose", value },
  sentence: "a client is chosen",
  expected: "linked",
});
const faulty = (...faults: Fault[]) => fetchFor({ faults, steps: [choosing("FIC-02412222")] });
const loginForm = {
  method: "POST",
  headers,
  body: new URLSearchParams({ provider: "test", username: "12345", password: "gfdsa" }),
};
const readStatus = async (response: Response) => ((await response.json()) as { status: string }).status;

describe("a fetch for a path", () => {
  test("answers from the sandbox where nothing goes otherwise", async () => {
    const fetch = faulty();
    expect(await readStatus(await fetch(`${address}/provider/`, { headers }))).toBe("success");
    expect(await readStatus(await fetch(new URL("/login/", address), loginForm))).toBe("logged_in");
    expect(await readStatus(await fetch(new Request(`${address}/provider/test/`, { headers })))).toBe("success");
    expect((await fetch(`${address}/provider/`)).status).toBe(401);
  });

  test("takes a sandbox of one's own", async () => {
    const fetch = fetchFor({ faults: [], steps: [] }, createSandbox({ apiKey: "another" }));
    expect((await fetch(`${address}/provider/`, { headers: { "x-api-key": "another" } })).status).toBe(200);
  });

  test("breaks like a platform's", async () => {
    const fetch = faulty({ request: "GET /provider/", what: "broken" });
    await expect(fetch(`${address}/provider/`, { headers })).rejects.toThrow(new TypeError("fetch failed"));
  });

  test("answers in the sandbox's place, with HTTP 200 unless told otherwise", async () => {
    const fetch = faulty(
      { request: "GET /provider/", number: 1, what: { body: { status: "under_review" } } },
      { request: "GET /provider/", number: 2, what: { http: 503, body: { status: "provider_unavailable" } } },
    );
    const [first, second] = [
      await fetch(`${address}/provider/`, { headers }),
      await fetch(`${address}/provider/`, { headers }),
    ];
    expect([first.status, await readStatus(first)]).toEqual([200, "under_review"]);
    expect([second.status, await readStatus(second)]).toEqual([503, "provider_unavailable"]);
    expect(await readStatus(await fetch(`${address}/provider/`, { headers }))).toBe("success");
  });

  test("counts the requests of each name by themselves", async () => {
    const fetch = faulty({ request: "GET /provider/{code}/", number: 2, what: "broken" });
    await fetch(`${address}/provider/`, { headers });
    await fetch(`${address}/provider/test/`, { headers });
    await fetch(`${address}/provider/test/?key=type&value=cc`, { headers });
    await fetch(`${address}/provider/`, { headers });
    await expect(fetch(`${address}/provider/faro_uy/`, { headers })).rejects.toThrow("fetch failed");
    await fetch(`${address}/provider/test/`, { headers });
  });

  test.each<[Fault["request"], string, string]>([
    ["GET /provider/", "GET", "/provider/"],
    ["GET /provider/{code}/", "GET", "/provider/test/"],
    ["GET /provider/{code}/", "GET", "/provider/client/?key=type"],
    ["GET /provider/{code}/?key={field}&value={chosen}", "GET", "/provider/test/?key=type&value=cc"],
    ["POST /login/", "POST", "/login/"],
    ["POST /login/", "POST", "/login/?key=one"],
    ["GET /client/", "GET", "/client/?key=one"],
    ["GET /client/{id}/", "GET", "/client/FIC-02412222/?key=one"],
    ["GET /logout/", "GET", "/logout/?key=one"],
    ["GET /transfer/destinations", "GET", "/transfer/destinations?key=one"],
  ])("knows %s by %s %s, and by nothing else", async (request, method, path) => {
    await expect(faulty({ request, what: "broken" })(`${address}${path}`, { method, headers })).rejects.toThrow();
    const others = (
      [
        "GET /provider/",
        "GET /provider/{code}/",
        "GET /provider/{code}/?key={field}&value={chosen}",
        "POST /login/",
        "GET /client/",
        "GET /client/{id}/",
        "GET /logout/",
        "GET /transfer/destinations",
      ] as const
    ).filter((name) => name !== request);
    const fetch = faulty(...others.map((name): Fault => ({ request: name, what: "broken" })));
    await fetch(`${address}${path}`, { method, headers });
  });

  test("holds a request until it is aborted, and then gives the reason", async () => {
    const fetch = faulty({ request: "POST /login/", what: "held" });
    const controller = new AbortController();
    const reason = new Error("the person left");
    const held = fetch(`${address}/login/`, { ...loginForm, signal: controller.signal });
    const other = fetch(new Request(`${address}/login/`, { ...loginForm, signal: controller.signal }));
    const early = await Promise.race([held, other, new Promise((resolve) => setTimeout(resolve, 30, "nothing"))]);
    expect(early).toBe("nothing");
    controller.abort(reason);
    await expect(held).rejects.toBe(reason);
    await expect(other).rejects.toBe(reason);
    await expect(fetch(`${address}/login/`, { ...loginForm, signal: controller.signal })).rejects.toBe(reason);
  });

  test("gives up an answer of the sandbox that nobody waits for", async () => {
    const controller = new AbortController();
    const slow = {
      ...loginForm,
      body: new URLSearchParams({ provider: "tortuga_ec", username: "slow", password: "s3creto" }),
    };
    const answer = faulty()(`${address}/login/`, { ...slow, signal: controller.signal });
    setTimeout(() => controller.abort(new Error("the person left")), 20);
    await expect(answer).rejects.toThrow("the person left");
  });

  test("refuses a client that is not chosen on the path", async () => {
    const fetch = fetchFor({ faults: [], steps: [choosing("a b/c")] });
    const select = async (client: string) =>
      (await fetch(`${address}/client/${encodeURIComponent(client)}/?key=one`, { headers })).json();
    expect(await select("30100100")).toEqual({ status: "error", message: "wrong_client" });
    // The sandbox knows of no such session.
    expect(await select("a b/c")).toEqual({ status: "error", message: "Invalid key" });
  });

  test("begins anew for each run", async () => {
    const path = { faults: [{ request: "GET /provider/", number: 1, what: "broken" } satisfies Fault], steps: [] };
    const first = fetchFor(path);
    await expect(first(`${address}/provider/`, { headers })).rejects.toThrow();
    expect((await first(`${address}/provider/`, { headers })).status).toBe(200);
    await expect(fetchFor(path)(`${address}/provider/`, { headers })).rejects.toThrow();
  });
});
