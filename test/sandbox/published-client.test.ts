import { createSandbox, SANDBOX_API_KEY, sandboxAccounts } from "ventanilla/sandbox";
import { expect, test } from "vitest";

type Body = Readonly<Record<string, unknown>>;

/**
 * A client as the published ones are (SDK 1.x): it keeps the key of the first response and ignores that of the second, and reads
 * the `message` of `wrong_credentials`, without which it breaks.
 */
function publishedClient() {
  const sandbox = createSandbox();
  const ask = async (path: string, key?: string, form?: Record<string, string>): Promise<Body> => {
    const query = key === undefined ? "" : `?key=${key}`;
    const init = form ? { method: "POST", body: new URLSearchParams(form) } : {};
    const headers = { "X-API-Key": SANDBOX_API_KEY };
    return (await sandbox(new Request(`http://sandbox${path}${query}`, { ...init, headers }))).json();
  };
  const read = (body: Body, name: string): string => {
    if (typeof body[name] !== "string") throw new TypeError(`no ${name} in ${JSON.stringify(body)}`);
    return body[name];
  };
  const login = async (form: Record<string, string>, key?: string) => {
    const body = await ask("/login/", key, form);
    const status = read(body, "status");
    if (status === "wrong_credentials") throw new Error(read(body, "message"));
    return { status, body };
  };
  return {
    async login(form: Record<string, string>) {
      const { status, body } = await login(form);
      const key = read(body, "key");
      return {
        status,
        field: body["field"],
        finish: async (answer: string) => (await login({ ...form, [read(body, "field")]: answer }, key)).status,
        destinations: () => ask("/transfer/destinations", key),
        logout: () => ask("/logout/", key),
      };
    },
  };
}

// The accounts that the service's own sandbox is known for.
const known = sandboxAccounts.slice(0, 5).map(({ provider, username, password, answers = [] }) => {
  return { form: { provider, username, password }, answer: answers[0] };
});

test("the accounts are the five that are publicly known", () => {
  expect(known.map(({ form, answer }) => [...Object.values(form), answer?.field, answer?.answer])).toEqual([
    ["test", "12345", "gfdsa", undefined, undefined],
    ["test", "12345otp", "asdfg", "otp", "8888"],
    ["test", "12345pq", "asdfg", "personal_question", "8888"],
    ["brou_pers_uy_mock", "12345", "asdfg", "token", "prometeo"],
    ["bcp_pers_pe_mock", "12345", "asdfg", "token", "123456"],
  ]);
});

test.each(known)("$form.provider, $form.username: the first key goes from the login to the logout", async (account) => {
  const session = await publishedClient().login(account.form);
  expect([session.status, session.field]).toEqual(
    account.answer ? ["interaction_required", account.answer.field] : ["logged_in", undefined],
  );
  if (account.answer) expect(await session.finish(account.answer.answer)).toBe("logged_in");
  expect(await session.destinations()).toMatchObject({ status: "success", destinations: expect.any(Array) });
  expect(await session.logout()).toEqual({ status: "logged_out" });
  expect(await session.destinations()).toEqual({ status: "error", message: "Invalid key" });
});

test.each(known)("$form.provider, $form.username: a wrong password is told by its message", async ({ form }) => {
  await expect(publishedClient().login({ ...form, password: "guess" })).rejects.toThrow("Invalid credentials");
});

test.each(known.filter(({ answer }) => answer))(
  "$form.provider, $form.username: a wrong answer is told by its message",
  async ({ form }) => {
    const session = await publishedClient().login(form);
    await expect(session.finish("guess")).rejects.toThrow("Invalid credentials");
  },
);

test("where a new key comes with the second response, the first one goes on working", async () => {
  const form = { provider: "ipe_br", username: "newkey", password: "s3creto", type: "smes" };
  const session = await publishedClient().login(form);
  expect(await session.finish("802468")).toBe("logged_in");
  expect(await session.destinations()).toMatchObject({ status: "success" });
});
