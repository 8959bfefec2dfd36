import { type SandboxAccount, sandboxAccounts } from "ventanilla/sandbox";
import { expect, test } from "vitest";
import { newConversation, readKey } from "./conversation.ts";

const { get, login } = newConversation({ slowBankDelay: 0 });

// The accounts that no right answer gets past.
const refused: Readonly<Record<string, string>> = {
  "faro_uy/blocked": "user_blocked",
  "faro_uy/sessions": "max_sessions_reached",
  "bahia_es/renew": "error",
  "niebla_py/plain": "provider_unavailable",
  "rareza_do/novelty": "under_review",
  "rareza_do/notyet": "not_implemented",
  "rareza_do/params": "missing_params",
  "rareza_do/unauthorized": "error",
  "rareza_do/credentials": "error",
  "rareza_do/broken": "error",
  "rareza_do/locked": "error",
};

const formatAccount = ({ provider, username }: SandboxAccount) => `${provider}/${username}`;

test.each(sandboxAccounts.map((account) => [formatAccount(account), account] as const))(
  "%s ends as its row of the table says",
  async (name, { provider, username, password, fields, answers = [], clients }) => {
    const credentials = { provider, username, password };
    let reply = await login({ ...credentials, ...fields });
    for (const { field, answer } of answers) {
      expect(reply.body).toMatchObject({ status: "interaction_required", field });
      reply = await login({ ...credentials, [field]: answer }, readKey(reply));
    }
    expect(reply.body.status).toBe(clients ? "select_client" : (refused[name] ?? "logged_in"));
    if (clients) expect((await get(`/client/?key=${reply.body.key}`)).body["clients"]).toEqual(clients);
  },
);

test("no two accounts share a name", () => {
  expect(new Set(sandboxAccounts.map(formatAccount)).size).toBe(sandboxAccounts.length);
});

test("the fields of an account are declared by its provider, its answers as interactive ones", async () => {
  for (const { provider, fields = {}, answers = [], country } of sandboxAccounts) {
    const { body } = await get(`/provider/${provider}/`);
    const detail = body["provider"] as { country: string; auth_fields: { name: string; interactive: boolean }[] };
    const named = (interactive: boolean) =>
      detail.auth_fields.filter((field) => field.interactive === interactive).map(({ name }) => name);
    expect(detail.country).toBe(country);
    expect(named(false)).toEqual(expect.arrayContaining(Object.keys(fields)));
    expect(named(true)).toEqual(expect.arrayContaining(answers.map(({ field }) => field)));
  }
});
