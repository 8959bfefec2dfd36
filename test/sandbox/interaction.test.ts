import { describe, expect, test } from "vitest";
import { type Form, handClock, newConversation, readKey, UUID } from "./conversation.ts";

const password = "s3creto";
const otp = { provider: "faro_uy", username: "otp", password };
const { login, destinations, get } = newConversation();

const invalidKey = { http: 200, body: { status: "error", message: "Invalid key" } };
const wrong = { http: 403, body: { status: "wrong_credentials", message: "Invalid credentials" } };
const begin = async (form: Form) => readKey(await login(form));

describe("the second login", () => {
  test.each([{ provider: "quetzal_mx" }, { username: "plain" }, { password: "guess" }])(
    "with another %o is refused, and the interaction goes on",
    async (other) => {
      const key = await begin(otp);
      expect(await login({ ...otp, ...other, otp: "135790" }, key)).toEqual(wrong);
      expect((await login({ ...otp, otp: "135790" }, key)).body.status).toBe("logged_in");
    },
  );

  test("without the password misses credentials", async () => {
    const key = await begin(otp);
    expect(await login({ provider: "faro_uy", username: "otp", otp: "135790" }, key)).toEqual({
      http: 400,
      body: { status: "missing_credentials" },
    });
  });

  test("without the code answers B1003, without the answer to a question B1005, and the interaction goes on", async () => {
    const key = await begin(otp);
    expect(await login(otp, key)).toMatchObject({ http: 400, body: { status: "error", code: "B1003" } });
    expect((await login({ ...otp, otp: "135790" }, key)).body.status).toBe("logged_in");
    const question = { provider: "cordillera_cl", username: "question", password };
    const reply = await login({ ...question, personal_question: "" }, await begin(question));
    expect(reply).toMatchObject({ http: 400, body: { status: "error", code: "B1005" } });
  });

  test("with a key that is no interaction's key is an invalid key", async () => {
    expect(await login({ ...otp, otp: "135790" }, "f0e1d2c3-0000-4000-8000-000000000000")).toEqual(invalidKey);
    expect(await login({ ...otp, otp: "135790" }, "")).toEqual(invalidKey);
    expect(await login({ ...otp, otp: "135790" }, "__proto__")).toEqual(invalidKey);
    const session = await begin({ ...otp, username: "plain" });
    expect(await login({ ...otp, otp: "135790" }, session)).toEqual(invalidKey);
  });

  test("asks only for one of the two interactive fields", async () => {
    const question = { provider: "quetzal_mx", username: "question", password };
    const required = await login(question);
    expect(required.body).toMatchObject({ status: "interaction_required", field: "personal_question" });
    expect((await login({ ...question, personal_question: "oaxaca" }, readKey(required))).body.status).toBe(
      "logged_in",
    );
  });

  test("may log in without a key: that of the interaction stays valid", async () => {
    const keyless = { provider: "ipe_br", username: "keyless", password, type: "smes" };
    const key = await begin(keyless);
    expect(await destinations(key)).toEqual(invalidKey);
    expect(await login({ ...keyless, otp: "802468" }, key)).toEqual({ http: 200, body: { status: "logged_in" } });
    expect((await destinations(key)).body["destinations"]).toEqual([{ id: 301, name: "Banco Araçá" }]);
  });

  test("may log in with a new key: that of the interaction goes on working", async () => {
    const changed = { provider: "ipe_br", username: "newkey", password, type: "smes" };
    const key = await begin(changed);
    const reply = await login({ ...changed, otp: "802468" }, key);
    expect(reply).toEqual({ http: 200, body: { status: "logged_in", key: expect.stringMatching(UUID) } });
    expect(readKey(reply)).not.toBe(key);
    for (const each of [key, readKey(reply)]) expect((await destinations(each)).body.status).toBe("success");
  });
});

describe("two interactions in a row", () => {
  test("the first key goes on working beside the second one, and both are one session", async () => {
    const chain = { provider: "vicuna_pe", username: "chain", password };
    const first = await begin(chain);
    const second = readKey(await login({ ...chain, personal_question: "arequipa" }, first));
    expect((await login({ ...chain, token: "531975" }, first)).body).toEqual({ status: "logged_in", key: first });
    expect(await login({ ...chain, token: "531975" }, second)).toEqual(invalidKey);
    for (const key of [first, second]) expect((await destinations(key)).body.status).toBe("success");
    expect((await get(`/logout/?key=${first}`)).body.status).toBe("logged_out");
    for (const key of [first, second]) expect(await destinations(key)).toEqual(invalidKey);
  });

  test("the second one may keep the key", async () => {
    const chain = { provider: "vicuna_pe", username: "chainsame", password };
    const key = await begin(chain);
    const second = await login({ ...chain, personal_question: "arequipa" }, key);
    expect(second.body).toMatchObject({ status: "interaction_required", field: "token", key });
    expect((await login({ ...chain, token: "531975" }, key)).body).toEqual({ status: "logged_in", key });
  });
});

describe("a wrong answer", () => {
  const ends = async (form: Form, answer: Form, right: Form) => {
    const key = await begin(form);
    const reply = await login({ ...form, ...answer }, key);
    expect(await login({ ...form, ...right }, key)).toEqual(invalidKey);
    return reply;
  };

  test("is met with B1002", async () => {
    const form = { provider: "ceibo_ar", username: "company", password, type: "corp" };
    const reply = await ends(form, { token: "0" }, { token: "246802" });
    expect(reply).toMatchObject({ http: 403, body: { status: "error", code: "B1002", message: "Token error" } });
  });

  test("is met with B1004", async () => {
    const form = { provider: "cordillera_cl", username: "question", password };
    const reply = await ends(form, { personal_question: "?" }, { personal_question: "firulais" });
    expect(reply).toMatchObject({ http: 403, body: { status: "error", code: "B1004" } });
  });

  test("is asked for again, until the third one blocks the user", async () => {
    const form = { provider: "quetzal_mx", username: "otp", password };
    const required = await login(form);
    const key = readKey(required);
    expect(await login({ ...form, otp: "1" }, key)).toEqual(required);
    expect(await login({ ...form, otp: "2" }, key)).toEqual(required);
    expect(await login({ ...form, otp: "3" }, key)).toEqual({ http: 403, body: { status: "user_blocked" } });
    expect(await login({ ...form, otp: "975310" }, key)).toEqual(invalidKey);
  });
});

describe("a late answer", () => {
  test("is an invalid key", async () => {
    const { clock, advance } = handClock();
    const { login } = newConversation({ clock });
    const key = readKey(await login(otp));
    advance(5 * 60_000);
    expect(await login({ ...otp, otp: "135790" }, key)).toEqual(invalidKey);
  });

  test("is B1006 at another bank", async () => {
    const { clock, advance } = handClock();
    const { login } = newConversation({ clock, interactionLifetime: 1000 });
    const late = { provider: "bahia_es", username: "late", password };
    const inTime = readKey(await login(late));
    advance(999);
    expect((await login({ ...late, otp: "192837" }, inTime)).body.status).toBe("logged_in");
    const tooLate = readKey(await login(late));
    advance(1000);
    expect(await login({ ...late, otp: "192837" }, tooLate)).toMatchObject({
      http: 401,
      body: { status: "error", code: "B1006" },
    });
  });
});
