import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { type Fault, fetchFor } from "ventanilla/testing";
import { expect, test } from "vitest";
import type { PathStep } from "../../../src/tools/testing/path-types.ts";

const address = "http://sandbox.test";
const headers = { "x-api-key": SANDBOX_API_KEY };
const body = new URLSearchParams({ provider: "test", username: "12345", password: "gfdsa" });
const loginForm = { method: "POST", headers, body };
const choosing = (value: string): PathStep => ({
  action: { type: "choose", value },
  sentence: "a client is chosen",
  expected: "linked",
});
const faulty = (...faults: Fault[]) => fetchFor({ faults, steps: [choosing("FIC-02412222")] });
const readStatus = async (response: Response) => ((await response.json()) as { status: string }).status;

test("without a fault the sandbox responds, the default one or a given one", async () => {
  const fetch = faulty();
  expect(await readStatus(await fetch(new URL("/login/", address), loginForm))).toBe("logged_in");
  expect(await readStatus(await fetch(new Request(`${address}/provider/test/`, { headers })))).toBe("success");
  expect((await fetch(`${address}/provider/`)).status).toBe(401);
  const own = fetchFor({ faults: [], steps: [] }, createSandbox({ apiKey: "another" }));
  expect((await own(`${address}/provider/`, { headers: { "x-api-key": "another" } })).status).toBe(200);
});

test("a fault rejects as fetch does, or responds, with HTTP 200 by default; each fetch counts for itself", async () => {
  const request = "GET /provider/";
  const faults: Fault[] = [
    { request, number: 1, what: "broken" },
    { request, number: 2, what: { body: { status: "under_review" } } },
    { request, number: 3, what: { http: 503, body: { status: "provider_unavailable" } } },
  ];
  for (let run = 0; run < 2; run++) {
    const fetch = faulty(...faults);
    const ask = () => fetch(`${address}/provider/`, { headers });
    await expect(ask()).rejects.toThrow(new TypeError("fetch failed"));
    const responses = [await ask(), await ask(), await ask()];
    expect(responses.map(({ status }) => status)).toEqual([200, 503, 200]);
    expect(await Promise.all(responses.map(readStatus))).toEqual(["under_review", "provider_unavailable", "success"]);
  }
});

test("requests are counted by their names", async () => {
  const fetch = faulty({ request: "GET /provider/{code}/", number: 2, what: "broken" });
  for (const path of ["/provider/", "/provider/test/", "/provider/test/?key=type&value=cc", "/provider/"]) {
    await fetch(`${address}${path}`, { headers });
  }
  await expect(fetch(`${address}/provider/faro_uy/`, { headers })).rejects.toThrow("fetch failed");
  await fetch(`${address}/provider/test/`, { headers });
});

const names: readonly [Fault["request"], path: string, method?: string][] = [
  ["GET /provider/", "/provider/"],
  ["GET /provider/{code}/", "/provider/client/?key=type"],
  ["GET /provider/{code}/?key={field}&value={chosen}", "/provider/test/?key=type&value=cc"],
  ["POST /login/", "/login/?key=one", "POST"],
  ["GET /client/", "/client/?key=one"],
  ["GET /client/{id}/", "/client/FIC-02412222/?key=one"],
  ["GET /logout/", "/logout/?key=one"],
  ["GET /transfer/destinations", "/transfer/destinations?key=one"],
];

test.each(names)("only %s matches %s", async (request, path, method = "GET") => {
  await expect(faulty({ request, what: "broken" })(`${address}${path}`, { method, headers })).rejects.toThrow();
  const others = names.flatMap(([name]): Fault[] => (name === request ? [] : [{ request: name, what: "broken" }]));
  await faulty(...others)(`${address}${path}`, { method, headers });
});

test("a request is held until it is aborted, and then gives the reason", async () => {
  const fetch = faulty({ request: "POST /login/", what: "held" });
  const controller = new AbortController();
  const init = { ...loginForm, signal: controller.signal };
  const reason = new Error("the person left");
  const [held, other] = [fetch(`${address}/login/`, init), fetch(new Request(`${address}/login/`, init))];
  const early = new Promise((resolve) => setTimeout(resolve, 30, "nothing"));
  expect(await Promise.race([held, other, early])).toBe("nothing");
  controller.abort(reason);
  await expect(held).rejects.toBe(reason);
  await expect(other).rejects.toBe(reason);
  await expect(fetch(`${address}/login/`, init)).rejects.toBe(reason);
});

test("an aborted request does not wait for the sandbox", async () => {
  const controller = new AbortController();
  const slow = new URLSearchParams({ provider: "tortuga_ec", username: "slow", password: "s3creto" });
  const response = faulty()(`${address}/login/`, { ...loginForm, body: slow, signal: controller.signal });
  setTimeout(() => controller.abort(new Error("the person left")), 20);
  await expect(response).rejects.toThrow("the person left");
});

test("a client that is not chosen on the path is refused", async () => {
  const fetch = fetchFor({ faults: [], steps: [choosing("a b/c")] });
  const select = async (client: string) =>
    (await fetch(`${address}/client/${encodeURIComponent(client)}/?key=one`, { headers })).json();
  expect(await select("30100100")).toEqual({ status: "error", message: "wrong_client" });
  // The sandbox knows of no such session.
  expect(await select("a b/c")).toEqual({ status: "error", message: "Invalid key" });
});
