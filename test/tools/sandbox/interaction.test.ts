import { describe, expect, test } from "vitest";
import { type Form, handClock, invalidKey, newConversation, readKey, UUID } from "./conversation.ts";

const password = "s3creto";
const otp = { provider: "faro_uy", username: "otp", password };
const question = { provider: "cordillera_cl", username: "question", password };
const token = { provider: "ceibo_ar", username: "company", password, type: "corp" };
const { login, destinations, get } = newConversation();

const wrong = { http: 403, body: { status: "wrong_credentials", message: "Invalid credentials" } };
const missing = { http: 400, body: { status: "missing_credentials" } };
const envelope = (http: number, code: string) => ({ http, body: { status: "error", code } });
const begin = async (form: Form) => readKey(await login(form));

describe("the second login", () => {
  test.each([
    ["with another provider is refused", { provider: "quetzal_mx", otp: "135790" }, wrong],
    ["with another username is refused", { username: "plain", otp: "135790" }, wrong],
    ["with another password is refused", { password: "guess", otp: "135790" }, wrong],
    ["without the password answers missing_credentials", { password: "", otp: "135790" }, missing],
    ["without the code answers B1003", {}, envelope(400, "B1003")],
  ])("%s, and the interaction stays open", async (_, more, expected) => {
    const key = await begin(otp);
    expect(await login({ ...otp, ...more }, key)).toMatchObject(expected);
    expect((await login({ ...otp, otp: "135790" }, key)).body.status).toBe("logged_in");
  });

  test("without the answer to a question answers B1005", async () => {
    expect(await login(question, await begin(question))).toMatchObject(envelope(400, "B1005"));
  });

  test("needs the key of an open interaction", async () => {
    const session = await begin({ ...otp, username: "plain" });
    for (const key of ["f0e1d2c3-0000-4000-8000-000000000000", "", "__proto__", session]) {
      expect(await login({ ...otp, otp: "135790" }, key)).toEqual(invalidKey);
    }
  });

  test("may log in without a key: the key of the interaction stays valid", async () => {
    const keyless = { provider: "ipe_br", username: "keyless", password, type: "smes" };
    const key = await begin(keyless);
    expect(await destinations(key)).toEqual(invalidKey);
    expect(await login({ ...keyless, otp: "802468" }, key)).toEqual({ http: 200, body: { status: "logged_in" } });
    expect((await destinations(key)).body["destinations"]).toEqual([{ id: 301, name: "Banco Araçá" }]);
  });

  test("may log in with a new key: the key of the interaction still works", async () => {
    const changed = { provider: "ipe_br", username: "newkey", password, type: "smes" };
    const key = await begin(changed);
    const reply = await login({ ...changed, otp: "802468" }, key);
    expect(reply).toEqual({ http: 200, body: { status: "logged_in", key: expect.stringMatching(UUID) } });
    expect(readKey(reply)).not.toBe(key);
    for (const each of [key, readKey(reply)]) expect((await destinations(each)).body.status).toBe("success");
  });

  test("may ask again with a new key: the first key still works, and both are one session", async () => {
    const chain = { provider: "vicuna_pe", username: "chain", password };
    const first = await begin(chain);
    const second = readKey(await login({ ...chain, personal_question: "arequipa" }, first));
    expect(second).not.toBe(first);
    expect((await login({ ...chain, token: "531975" }, first)).body).toEqual({ status: "logged_in", key: first });
    expect(await login({ ...chain, token: "531975" }, second)).toEqual(invalidKey);
    for (const key of [first, second]) expect((await destinations(key)).body.status).toBe("success");
    expect((await get(`/logout/?key=${first}`)).body.status).toBe("logged_out");
    for (const key of [first, second]) expect(await destinations(key)).toEqual(invalidKey);
  });

  test("may ask again with the same key", async () => {
    const chain = { provider: "vicuna_pe", username: "chainsame", password };
    const key = await begin(chain);
    const second = await login({ ...chain, personal_question: "arequipa" }, key);
    expect(second.body).toMatchObject({ status: "interaction_required", field: "token", key });
    expect((await login({ ...chain, token: "531975" }, key)).body).toEqual({ status: "logged_in", key });
  });
});

describe("a wrong answer", () => {
  test.each([
    ["wrong_credentials", otp, "otp", "135790", wrong],
    ["B1002", token, "token", "246802", envelope(403, "B1002")],
    ["B1004", question, "personal_question", "firulais", envelope(403, "B1004")],
  ])("answers %s and ends the interaction", async (_, form, field, right, expected) => {
    const key = await begin(form);
    expect(await login({ ...form, [field]: "?" }, key)).toMatchObject(expected);
    expect(await login({ ...form, [field]: right }, key)).toEqual(invalidKey);
  });

  test("brings the same interaction again; the third one blocks the user", async () => {
    const form = { ...otp, provider: "quetzal_mx" };
    const required = await login(form);
    const key = readKey(required);
    expect(await login({ ...form, otp: "1" }, key)).toEqual(required);
    expect(await login({ ...form, otp: "2" }, key)).toEqual(required);
    expect(await login({ ...form, otp: "3" }, key)).toEqual({ http: 403, body: { status: "user_blocked" } });
    expect(await login({ ...form, otp: "975310" }, key)).toEqual(invalidKey);
  });
});

test.each([
  ["five minutes", {}, 5 * 60_000, otp, "135790", invalidKey],
  [
    "what is set",
    { interactionLifetime: 9 },
    9,
    { ...otp, provider: "bahia_es", username: "late" },
    "192837",
    envelope(401, "B1006"),
  ],
])("an interaction can be answered for %s", async (_, options, lifetime, form, right, expected) => {
  const { clock, advance } = handClock();
  const { login } = newConversation({ clock, ...options });
  const inTime = readKey(await login(form));
  advance(lifetime - 1);
  expect((await login({ ...form, otp: right }, inTime)).body.status).toBe("logged_in");
  const late = readKey(await login(form));
  advance(lifetime);
  expect(await login({ ...form, otp: right }, late)).toMatchObject(expected);
});
