import { randomUUID } from "node:crypto";
import { reveal } from "ventanilla";
import type { RelayOptions } from "ventanilla/relay";
import { expect, test } from "vitest";
import {
  ANSWER,
  CHOOSER,
  faulty,
  form,
  OTP,
  PAGE,
  PLAIN,
  readResponse,
  refused,
  type StatusAndBody,
  stage,
} from "./stage.ts";

// What an app that was closed sends in place of the credentials.
const forgotten = { provider: "test", username: "kept-in-the-key", password: "kept-in-the-key" };
const answer = { ...forgotten, otp: "8888" };
const loggedIn: StatusAndBody = [200, { status: "logged_in", key: expect.any(String) }];
const invalidKey = refused(403, "Invalid key");
const noUsers = { readAppUser: undefined as never };

/** A relay for apps, whose tokens begin with the name of their user. */
async function stageApps(options: Partial<RelayOptions> = {}) {
  const readAppUser: RelayOptions["readAppUser"] = ({ token }) => reveal(token).split(".")[0] ?? "";
  const set = await stage({ allowedOrigins: [], checkAppToken: () => true, readAppUser, ...options });
  const send = async (fields: Record<string, string>, key?: string, token = "ana.1", id = randomUUID()) => {
    const headers = { origin: "", authorization: `Bearer ${token}`, "x-attempt-id": id };
    return readResponse(await set.send("/login/", form(fields, headers), key));
  };
  const sendFromPage = async (fields: Record<string, string>, key?: string) =>
    readResponse(await set.send("/login/", form(fields), key));
  return { ...set, request: set.send, send, sendFromPage };
}

const keyIn = ([, body]: StatusAndBody) => (body as { key: string }).key;

// An app that has started again has another token of the same person.
test.each<[app: string, fields: Record<string, string>, token: string, options: Partial<RelayOptions>, StatusAndBody]>([
  ["that was closed answers with the key alone", answer, "ana.2", {}, loggedIn],
  ["that stays open answers with its credentials", ANSWER, "ana.1", {}, loggedIn],
  ["at a relay without readAppUser can't, since the key holds no credentials", answer, "ana.1", noUsers, invalidKey],
])("an app %s", async (_, fields, token, options, expected) => {
  const set = await stageApps(options);
  const key = keyIn(await set.send(OTP));
  expect(await set.send(fields, key, token)).toEqual(expected);
  expect(set.bank.requests).toHaveLength(expected === loggedIn ? 2 : 1);
  expect(set.logins).toHaveLength(expected === loggedIn ? 1 : 0);
});

test("after a wrong code the key of the next question holds the credentials too", async () => {
  const set = await stageApps();
  const provider = "quetzal_mx";
  const first = await set.send({ provider, username: "otp", password: "s3creto" });
  const { field } = first[1] as { field: string };
  const second = await set.send({ ...forgotten, provider, [field]: "000000" }, keyIn(first));
  expect(second).toMatchObject([200, { status: "interaction_required" }]);
  const last = await set.send({ ...forgotten, provider, [field]: "975310" }, keyIn(second));
  expect(last).toEqual(loggedIn);
  expect(set.bank.requests).toHaveLength(3);
});

test("a key is good for one answer, one after the other and three at once", async () => {
  const set = await stageApps();
  const key = keyIn(await set.send(OTP));
  const responses = await Promise.all([1, 2, 3].map(() => set.send(answer, key)));
  expect(responses.map(([http]) => http).sort()).toEqual([200, 403, 403]);
  expect(await set.send(ANSWER, key)).toEqual(invalidKey);
  expect(set.bank.requests).toHaveLength(2);
});

test("another user's app is refused with or without the credentials, and does not use up the key", async () => {
  const set = await stageApps();
  const key = keyIn(await set.send(OTP));
  for (const fields of [answer, ANSWER]) {
    expect(await set.send(fields, key, "eva.1")).toEqual(invalidKey);
  }
  expect(set.bank.requests).toHaveLength(1);
  expect(await set.send(answer, key)).toEqual(loggedIn);
});

test("another user's app gets no repeat of a response, although it has recorded the whole request", async () => {
  const set = await stageApps();
  const key = keyIn(await set.send(OTP));
  const id = randomUUID();
  await set.send(answer, key, "ana.1", id);
  expect(await set.send(answer, key, "eva.1", id)).not.toEqual(loggedIn);
  expect(set.bank.requests).toHaveLength(2);
});

const BLOCKED = { provider: "faro_uy", username: "sessions", password: "s3creto" };

// A choice comes last: it uses up its key.
test.each<[purpose: string, fields: Record<string, string>, paths: readonly string[]]>([
  ["a session", PLAIN, ["/transfer/destinations", "/logout/"]],
  ["a choice of client", CHOOSER, ["/client/", "/client/0/"]],
  ["a choice of client that is logged out", CHOOSER, ["/logout/"]],
  ["a session that blocks the login", BLOCKED, ["/logout/"]],
])("the key of %s is good for its user's app alone", async (_, fields, paths) => {
  const set = await stageApps({ allowedOrigins: [PAGE], clientSelection: true, logout: true });
  const key = keyIn(await set.send(fields));
  const pageKey = keyIn(await set.sendFromPage(fields));
  const readAs = async (headers: Record<string, string>, path: string, sealed: string) =>
    readResponse(await set.request(path, { headers }, sealed));
  const asApp = (token: string) => ({ origin: "", authorization: `Bearer ${token}` });
  set.bank.requests.length = 0;
  set.logins.length = 0;
  for (const path of paths) {
    expect(await readAs(asApp("eva.1"), path, key)).toEqual(invalidKey);
    expect(await readAs({}, path, key)).toEqual(invalidKey);
    expect(await readAs(asApp("ana.1"), path, pageKey)).toEqual(invalidKey);
  }
  expect(set.bank.requests).toEqual([]);
  expect(set.logins).toEqual([]);
  for (const path of paths) expect((await readAs(asApp("ana.2"), path, key))[0]).toBe(200);
  expect(set.logins.map(({ request }) => request.headers.get("authorization"))).toEqual(
    paths.includes("/client/0/") ? ["Bearer ana.2"] : [],
  );
});

test("a page gets no credentials in its key, and can't use an app's key", async () => {
  const set = await stageApps({ allowedOrigins: [PAGE] });
  const pageKey = keyIn(await set.sendFromPage(OTP));
  expect(await set.sendFromPage(answer, pageKey)).toEqual(invalidKey);
  const appKey = keyIn(await set.send(OTP));
  expect(await set.sendFromPage(ANSWER, appKey)).toEqual(invalidKey);
  expect(set.bank.requests).toHaveLength(2);
});

test.each([
  ["throws", () => Promise.reject(new Error("no users"))],
  ["returns an empty text", () => ""],
  ["returns nothing", () => undefined as never],
])("where readAppUser %s, nothing is sent", async (_, readAppUser) => {
  const set = await stageApps({ readAppUser });
  expect(await set.send(OTP)).toEqual(faulty(500, "http_failed"));
  const headers = { origin: "", authorization: "Bearer ana.1" };
  const read = await set.request("/transfer/destinations", { headers }, "any");
  expect(await readResponse(read)).toEqual(faulty(500, "http_failed"));
  expect(set.errors).toMatchObject(Array(2).fill({ code: "handler_failed", field: "readAppUser" }));
  expect(set.bank.requests).toEqual([]);
});
