import { randomUUID } from "node:crypto";
import { reveal } from "ventanilla";
import { createRateLimit, type RelayOptions, type RelaySender } from "ventanilla/relay";
import { describe, expect, test } from "vitest";
import {
  ANSWER,
  CHOOSER,
  collectWarnings,
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
const notSignedIn = faulty(401, "not_signed_in");
const noUsers = { readUser: undefined as never };

/** A relay for apps, whose tokens begin with the name of their user, and for pages, which send the name alone. */
async function stageApps(options: Partial<RelayOptions> = {}) {
  const readUser: RelayOptions["readUser"] = ({ token, request }) =>
    token ? (reveal(token).split(".")[0] ?? "") : (request.headers.get("x-user") ?? undefined);
  const set = await stage({ allowedOrigins: [], checkAppToken: () => true, readUser, ...options });
  const send = async (fields: Record<string, string>, key?: string, token = "ana.1", id = randomUUID()) => {
    const headers = { origin: "", authorization: `Bearer ${token}`, "x-attempt-id": id };
    return readResponse(await set.send("/login/", form(fields, headers), key));
  };
  const sendFromPage = async (fields: Record<string, string>, user: string, key?: string, id = randomUUID()) =>
    readResponse(await set.send("/login/", form(fields, { "x-user": user, "x-attempt-id": id }), key));
  return { ...set, request: set.send, send, sendFromPage };
}

const keyIn = ([, body]: StatusAndBody) => (body as { key: string }).key;

// An app that has started again has another token of the same person.
test.each<[app: string, fields: Record<string, string>, token: string, options: Partial<RelayOptions>, StatusAndBody]>([
  ["that was closed answers with the key alone", answer, "ana.2", {}, loggedIn],
  ["that stays open answers with its credentials", ANSWER, "ana.1", {}, loggedIn],
  ["at a relay without readUser can't, since the key holds no credentials", answer, "ana.1", noUsers, invalidKey],
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
  expect(await set.send(ANSWER, key)).toEqual(faulty(403, "token_used"));
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
])("the key of %s is good for its user alone, in an app as in a page", async (_, fields, paths) => {
  const set = await stageApps({ allowedOrigins: [PAGE], clientSelection: true, logout: true });
  const key = keyIn(await set.send(fields));
  const pageKey = keyIn(await set.sendFromPage(fields, "eva"));
  const readAs = async (headers: Record<string, string>, path: string, sealed: string) =>
    readResponse(await set.request(path, { headers }, sealed));
  const asApp = (token: string) => ({ origin: "", authorization: `Bearer ${token}` });
  set.bank.requests.length = 0;
  set.logins.length = 0;
  for (const path of paths) {
    expect(await readAs(asApp("eva.1"), path, key)).toEqual(invalidKey);
    expect(await readAs({ "x-user": "eva" }, path, key)).toEqual(invalidKey);
    expect(await readAs({}, path, key)).toEqual(notSignedIn);
    expect(await readAs(asApp("ana.1"), path, pageKey)).toEqual(invalidKey);
  }
  expect(set.bank.requests).toEqual([]);
  expect(set.logins).toEqual([]);
  for (const path of paths) expect((await readAs(asApp("ana.2"), path, key))[0]).toBe(200);
  expect(set.logins.map(({ request }) => request.headers.get("authorization"))).toEqual(
    paths.includes("/client/0/") ? ["Bearer ana.2"] : [],
  );
});

describe("a page with a user", () => {
  const stagePages = (options: Partial<RelayOptions> = {}) => stageApps({ allowedOrigins: [PAGE], ...options });

  test("and a stolen key of another one is refused, with or without credentials, and stays usable", async () => {
    const set = await stagePages();
    const key = keyIn(await set.sendFromPage(OTP, "ana"));
    for (const fields of [answer, ANSWER]) {
      expect(await set.sendFromPage(fields, "eva", key)).toEqual(invalidKey);
      expect(await set.sendFromPage(fields, "", key)).toEqual(notSignedIn);
    }
    expect(set.bank.requests).toHaveLength(1);
    expect(await set.sendFromPage(answer, "ana", key)).toEqual(loggedIn);
  });

  test("and a recorded request of another one, with its attempt id, gets no response", async () => {
    const set = await stagePages();
    const id = randomUUID();
    const key = keyIn(await set.sendFromPage(PLAIN, "ana", undefined, id));
    expect(await set.sendFromPage(PLAIN, "eva", undefined, id)).toEqual(
      refused(403, "Attempt id used for another request"),
    );
    expect(await set.sendFromPage(PLAIN, "", undefined, id)).toEqual(notSignedIn);
    expect(await set.sendFromPage(PLAIN, "ana", undefined, id)).toEqual([200, { status: "logged_in", key }]);
    expect(set.bank.requests).toHaveLength(1);
  });

  test("who is not signed in logs in nowhere, and nothing is sent; the banks are shown", async () => {
    const warnings = collectWarnings();
    const set = await stagePages({ clientSelection: true, logout: true });
    expect(await set.sendFromPage(PLAIN, "")).toEqual(notSignedIn);
    for (const path of ["/transfer/destinations", "/client/", "/client/0/", "/logout/"]) {
      expect(await readResponse(await set.request(path, {}, "any"))).toEqual(notSignedIn);
    }
    expect(set.bank.requests).toEqual([]);
    expect(set.errors).toEqual([]);
    expect(warnings).toEqual([]);
    expect(set.events.at(-1)).toMatchObject({ httpStatus: 401, reason: "not_signed_in" });
    expect((await set.request("/provider/")).status).toBe(200);
  });

  test("whose name is a guess is limited before it is read, also as a repeat of a request that was let in", async () => {
    let read = 0;
    const readUser = ({ request }: RelaySender) => {
      read += 1;
      return request.headers.get("x-user") === "ana" ? "ana" : undefined;
    };
    const set = await stagePages({ readUser, rateLimit: createRateLimit({ login: 3 }) });
    const id = randomUUID();
    const users = ["ana", "guess1", "guess2", "guess3", "guess4"];
    const statuses: number[] = [];
    for (const user of users) statuses.push((await set.sendFromPage(PLAIN, user, undefined, id))[0]);
    expect(statuses).toEqual([200, 401, 401, 429, 429]);
    expect(read).toBe(3);
  });

  test("whose token is of an app for itself: the page's header is not the app's token", async () => {
    const senders: RelaySender[] = [];
    const set = await stagePages({ readUser: (sender) => void senders.push(sender) });
    await set.request("/login/", form(PLAIN, { authorization: "Bearer ana.1" }));
    await set.send(PLAIN, undefined, "eva.1");
    expect(senders.map(({ token, request }) => [token && reveal(token), request.headers.get("authorization")])).toEqual(
      [
        [undefined, "Bearer ana.1"],
        ["eva.1", "Bearer eva.1"],
      ],
    );
  });
});

test("without readUser onLogin gets no user", async () => {
  const set = await stage();
  await set.send("/login/", form(PLAIN));
  expect(set.logins[0]).not.toHaveProperty("user");
});

test.each([
  ["throws", () => Promise.reject(new Error("no users"))],
  ["returns an empty text", () => ""],
  ["returns null", () => null as never],
])("where readUser %s, nothing is sent", async (_, readUser) => {
  const set = await stageApps({ readUser });
  expect(await set.send(OTP)).toEqual(faulty(500, "http_failed"));
  const headers = { origin: "", authorization: "Bearer ana.1" };
  const read = await set.request("/transfer/destinations", { headers }, "any");
  expect(await readResponse(read)).toEqual(faulty(500, "http_failed"));
  expect(set.errors).toMatchObject(Array(2).fill({ code: "handler_failed", field: "readUser" }));
  expect(set.bank.requests).toEqual([]);
});
