import { randomBytes, randomUUID } from "node:crypto";
import { reveal } from "ventanilla";
import type { RelayOptions } from "ventanilla/relay";
import { expect, onTestFinished, test, vi } from "vitest";
import { form, OTP, PAGE, stage } from "./stage.ts";

// What an app that was closed sends in place of what it has forgotten.
const forgotten = { provider: "test", username: "kept-in-the-key", password: "kept-in-the-key" };

/** A relay for apps whose users are known by the beginning of their tokens. */
async function stageApps(options: Partial<RelayOptions> = {}) {
  const readAppUser: RelayOptions["readAppUser"] = ({ token }) => reveal(token).split(".")[0] ?? "";
  const set = await stage({ allowedOrigins: [], checkAppToken: () => true, readAppUser, ...options });
  const send = (path: string, fields: Record<string, string>, token = "ana.1", id = randomUUID()) =>
    set.send(path, {
      ...form(fields),
      headers: { ...form(fields).headers, origin: "", authorization: `Bearer ${token}`, "x-attempt-id": id },
    });
  const browserSend = (path: string, fields: Record<string, string>) => set.send(path, form(fields));
  const ask = async (token?: string) => (await (await send("/login/", OTP, token)).json()) as Record<string, string>;
  const countLogins = () => set.bank.requests.filter(({ method }) => method === "POST").length;
  return { ...set, send, browserSend, ask, countLogins };
}

const answer = { ...forgotten, otp: "8888" };
const invalid = { status: "error", message: "Invalid key" };

test("an app that was closed answers with the key alone: the bank gets two logins in all", async () => {
  const set = await stageApps();
  const { key } = await set.ask();
  // Another world, with another token of the same person.
  const response = await set.send(`/login/?key=${key}`, answer, "ana.2");
  expect(await response.json()).toMatchObject({ status: "logged_in" });
  expect(set.countLogins()).toBe(2);
  expect(set.logins).toHaveLength(1);
});

test("the app that stays open answers as before, with its credentials", async () => {
  const set = await stageApps();
  const { key } = await set.ask();
  expect(await (await set.send(`/login/?key=${key}`, { ...OTP, otp: "8888" })).json()).toMatchObject({
    status: "logged_in",
  });
  expect(set.countLogins()).toBe(2);
});

test("a wrong code is asked for again, and the new key holds the credentials too", async () => {
  const set = await stageApps();
  const start = await set.send("/login/", { provider: "quetzal_mx", username: "otp", password: "s3creto" });
  const field = { ...forgotten, provider: "quetzal_mx" };
  const { key, field: name } = (await start.json()) as Record<string, string>;
  const again = await set.send(`/login/?key=${key}`, { ...field, [name ?? ""]: "000000" });
  const second = (await again.json()) as Record<string, string>;
  expect(second["status"]).toBe("interaction_required");
  const last = await set.send(`/login/?key=${second["key"]}`, { ...field, [name ?? ""]: "975310" });
  expect(await last.json()).toMatchObject({ status: "logged_in" });
  expect(set.countLogins()).toBe(3);
});

test("a key is good for one answer, one after the other and three at once", async () => {
  const set = await stageApps();
  const { key } = await set.ask();
  const sent = [1, 2, 3].map(async () => (await set.send(`/login/?key=${key}`, answer)).json());
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.sort()).toEqual(["error", "error", "logged_in"]);
  expect(await (await set.send(`/login/?key=${key}`, { ...OTP, otp: "8888" })).json()).toEqual(invalid);
  expect(set.countLogins()).toBe(2);
});

test("another user's app is refused, whatever it sends", async () => {
  const set = await stageApps();
  const { key } = await set.ask();
  for (const fields of [answer, { ...OTP, otp: "8888" }]) {
    expect(await (await set.send(`/login/?key=${key}`, fields, "eva.1")).json()).toEqual(invalid);
  }
  expect(set.countLogins()).toBe(1);
  // The key is not spent by it.
  expect(await (await set.send(`/login/?key=${key}`, answer)).json()).toMatchObject({ status: "logged_in" });
});

test("another user's app gets no repeat of a response, with the whole request recorded", async () => {
  const set = await stageApps();
  const { key } = await set.ask();
  const id = randomUUID();
  await set.send(`/login/?key=${key}`, answer, "ana.1", id);
  const repeat = await set.send(`/login/?key=${key}`, answer, "eva.1", id);
  expect(await repeat.json()).not.toMatchObject({ status: "logged_in" });
  expect(set.countLogins()).toBe(2);
});

test("a page gets no credentials in its key, and an app's key is refused from a page", async () => {
  const set = await stageApps({ allowedOrigins: [PAGE] });
  const fromPage = (path: string, fields: Record<string, string>) => set.browserSend(path, fields);
  const asked = (await (await fromPage("/login/", OTP)).json()) as Record<string, string>;
  expect(await (await fromPage(`/login/?key=${asked["key"]}`, answer)).json()).toEqual(invalid);
  const { key } = await set.ask();
  expect(await (await fromPage(`/login/?key=${key}`, { ...OTP, otp: "8888" })).json()).toEqual(invalid);
  expect(set.countLogins()).toBe(2);
});

test("without readAppUser the key holds no credentials", async () => {
  const set = await stageApps({ readAppUser: undefined as never });
  const { key } = await set.ask();
  expect(await (await set.send(`/login/?key=${key}`, answer)).json()).toEqual(invalid);
  expect(set.countLogins()).toBe(1);
});

test("a key that has expired, is altered, or was sealed with another key is refused", async () => {
  const set = await stageApps({ interactionLifetime: 1_000 });
  const { key = "" } = await set.ask();
  const other = await (await stageApps({ sealKey: randomBytes(32).toString("base64") })).ask();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2_000 });
  onTestFinished(() => void vi.useRealTimers());
  for (const wrong of [key, `${key.slice(0, -30)}A${key.slice(-29)}`, other["key"]]) {
    expect(await (await set.send(`/login/?key=${wrong}`, answer)).json()).toEqual(invalid);
  }
  expect(set.countLogins()).toBe(1);
});

test.each([
  ["throws", () => Promise.reject(new Error("no users"))],
  ["returns an empty text", () => ""],
  ["returns nothing", () => undefined as never],
])("where readAppUser %s, nothing is sent", async (_, readAppUser) => {
  const set = await stageApps({ readAppUser });
  expect((await set.send("/login/", OTP)).status).toBe(500);
  expect(set.errors).toMatchObject([{ code: "handler_failed", field: "readAppUser" }]);
  expect(set.countLogins()).toBe(0);
});
