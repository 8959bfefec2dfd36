import { sandboxAccounts } from "ventanilla/sandbox";
import { expect, test } from "vitest";
import { type Form, invalidKey, newConversation, readKey } from "./conversation.ts";

/**
 * A client as the published ones are (SDK 1.x): it keeps the key of the first response and ignores that of the second, and reads
 * the `message` of `wrong_credentials`, without which it breaks.
 */
function publishedClient() {
  const { get, login, destinations } = newConversation();
  const send = async (form: Form, key?: string) => {
    const reply = await login(form, key);
    if (reply.body.status === "wrong_credentials") throw new Error(String(reply.body["message"]));
    return reply;
  };
  return async (form: Form) => {
    const first = await send(form);
    const key = readKey(first);
    return {
      field: first.body["field"],
      finish: async (answer: string) => (await send({ ...form, [`${first.body["field"]}`]: answer }, key)).body.status,
      destinations: () => destinations(key),
      logout: async () => (await get(`/logout/?key=${key}`)).body,
    };
  };
}

// By hand: the accounts that the service's own sandbox is known for.
const known = [
  ["test", "12345", "gfdsa", undefined, ""],
  ["test", "12345otp", "asdfg", "otp", "8888"],
  ["test", "12345pq", "asdfg", "personal_question", "8888"],
  ["brou_pers_uy_mock", "12345", "asdfg", "token", "prometeo"],
  ["bcp_pers_pe_mock", "12345", "asdfg", "token", "123456"],
] as const;

test.each(known)("%s, %s: the first key goes from the login to the logout", async (...account) => {
  const [provider, username, password, field, answer] = account;
  const login = publishedClient();
  const session = await login({ provider, username, password });
  expect(session.field).toBe(field);
  if (field) {
    expect(await session.finish(answer)).toBe("logged_in");
    const other = await login({ provider, username, password });
    await expect(other.finish("guess")).rejects.toThrow("Invalid credentials");
  }
  expect((await session.destinations()).body).toMatchObject({ status: "success", destinations: expect.any(Array) });
  expect(await session.logout()).toEqual({ status: "logged_out" });
  expect(await session.destinations()).toEqual(invalidKey);
  await expect(login({ provider, username, password: "guess" })).rejects.toThrow("Invalid credentials");
});

test("the accounts that are publicly known come first", () => {
  const names = sandboxAccounts.map(({ provider, username }) => `${provider} ${username}`);
  expect(names.slice(0, 5)).toEqual(known.map(([provider, username]) => `${provider} ${username}`));
});
