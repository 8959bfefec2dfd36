import { type SandboxAccount, sandboxAccounts } from "ventanilla/sandbox";
import { expect, test } from "vitest";
import { newConversation, type Reply, readKey } from "./conversation.ts";

const { get, login } = newConversation({ slowBankDelay: 0 });

const refusal = (http: number, status: string): Reply => ({ http, body: { status } });
const envelope = (http: number, code: string, message: string): Reply => ({
  http,
  body: { status: "error", code, message, type: expect.any(String), description: expect.anything() },
});

// By hand: the accounts that never reach a session.
const refused: Readonly<Record<string, Reply>> = {
  "faro_uy/blocked": refusal(403, "user_blocked"),
  "faro_uy/sessions": { http: 403, body: { status: "max_sessions_reached", key: expect.any(String) } },
  "bahia_es/renew": envelope(403, "B1008", "Must change password"),
  "niebla_py/plain": refusal(503, "provider_unavailable"),
  "rareza_do/novelty": refusal(200, "under_review"),
  "rareza_do/notyet": refusal(501, "not_implemented"),
  "rareza_do/params": refusal(400, "missing_params"),
  "rareza_do/nobranch": { http: 400, body: { status: "missing_credentials", missing_fields: ["branch"] } },
  "rareza_do/unauthorized": { http: 403, body: { status: "error", message: "Unauthorized provider" } },
  "rareza_do/credentials": envelope(403, "B1001", "Invalid credentials"),
  "rareza_do/broken": envelope(502, "B1007", "Provider login failed"),
  "rareza_do/locked": envelope(403, "B1011", "User blocked"),
};

const formatAccount = ({ provider, username }: SandboxAccount) => `${provider}/${username}`;

test.each(sandboxAccounts.map((account) => [formatAccount(account), account] as const))(
  "%s ends as its row says",
  async (name, { provider, username, password, fields, answers = [], clients }) => {
    const credentials = { provider, username, password };
    let reply = await login({ ...credentials, ...fields });
    for (const { field, answer, together } of answers) {
      expect(reply.body).toMatchObject({ status: "interaction_required" });
      reply = await login({ ...credentials, [field]: answer, ...together }, readKey(reply));
    }
    if (refused[name]) return expect(reply).toEqual(refused[name]);
    const row = `${name} logs in or has clients, unless \`refused\` has a row of it`;
    expect(reply, row).toMatchObject({ http: 200, body: { status: clients ? "select_client" : "logged_in" } });
    if (clients) expect((await get(`/client/?key=${reply.body.key}`)).body["clients"]).toEqual(clients);
  },
);

test("the accounts that are publicly known of the service's own sandbox come first, value for value", () => {
  const known = sandboxAccounts.slice(0, 5).map(({ provider, username, password, answers: [asked] = [] }) => {
    return [provider, username, password, asked?.field, asked?.answer];
  });
  expect(known).toEqual([
    ["test", "12345", "gfdsa", undefined, undefined],
    ["test", "12345otp", "asdfg", "otp", "8888"],
    ["test", "12345pq", "asdfg", "personal_question", "8888"],
    ["brou_pers_uy_mock", "12345", "asdfg", "token", "prometeo"],
    ["bcp_pers_pe_mock", "12345", "asdfg", "token", "123456"],
  ]);
});

test("no two accounts share a name", () => {
  expect(new Set(sandboxAccounts.map(formatAccount)).size).toBe(sandboxAccounts.length);
});

test("the provider declares the fields of its accounts, and those of their answers as interactive", async () => {
  for (const { provider, fields = {}, answers = [], country } of sandboxAccounts) {
    const { body } = await get(`/provider/${provider}/`);
    const detail = body["provider"] as { country: string; auth_fields: { name: string; interactive: boolean }[] };
    const named = (interactive: boolean) =>
      detail.auth_fields.filter((field) => field.interactive === interactive).map(({ name }) => name);
    expect(detail.country).toBe(country);
    expect(named(false)).toEqual(expect.arrayContaining(Object.keys(fields)));
    expect(named(true)).toEqual(
      expect.arrayContaining(answers.flatMap(({ field, together }) => [field, ...Object.keys(together ?? {})])),
    );
  }
});
