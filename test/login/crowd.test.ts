import { type LoginOutcome, login, reveal } from "ventanilla";
import { type SandboxAccount, sandboxAccounts } from "ventanilla/sandbox";
import { expect, test } from "vitest";
import { asks, loggedIn, startSandbox, startService, together } from "../bank/service.ts";

test("a hundred people who log in at once over one client each get their own session", async () => {
  const everybody = together(100);
  const service = await startService(async ({ form, url }) => {
    await everybody();
    const owner = `${form["username"]}-${form["password"]}`;
    if (!url.includes("?")) return asks("otp", owner, `question ${Number(form["username"]) * 7}`);
    return loggedIn(url.endsWith(`?key=${owner}`) ? `${owner}-${form["otp"]}` : "somebody else's");
  });
  const client = service.client();
  const people = Array.from({ length: 100 }, (_, number) => ({ username: `${number}`, password: `p${number * 31}` }));
  const outcomes = await Promise.all(
    people.map((one) =>
      login(client, { ...one, provider: "test", onInteraction: async ({ context }) => `answer to ${context}` }),
    ),
  );
  const keys = outcomes.map((outcome) => outcome.status === "logged_in" && reveal(outcome.key));
  expect(keys).toEqual(
    people.map(({ username, password }) => `${username}-${password}-answer to question ${Number(username) * 7}`),
  );
  expect(service.requests).toHaveLength(200);
});

// Accounts of the sandbox whose login ends with a session, by what `login()` is given.
const isOpen = ({ provider, username }: SandboxAccount) =>
  !["blocked", "sessions", "renew", "slow", "slowotp", "empty"].includes(username) &&
  !["niebla_py", "rareza_do"].includes(provider);

test("a hundred logins of random accounts at once end as each of them ends alone", async () => {
  const sandbox = await startSandbox();
  const client = sandbox.client();
  const accounts = sandboxAccounts.filter(isOpen);
  expect(accounts.length).toBeGreaterThan(20);
  const crowd = Array.from({ length: 100 }, () => accounts[Math.floor(Math.random() * accounts.length)] ?? accounts[0]);
  const outcomes = await Promise.all(
    crowd.map(async (account) => {
      if (!account) throw new Error("the sandbox has no accounts");
      const { provider, username, password, fields = {}, answers = [], clients = {} } = account;
      const outcome: LoginOutcome = await login(client, {
        provider,
        username,
        password,
        fields,
        onInteraction: ({ field }) => answers.find((one) => one.field === field)?.answer,
        onSelectClient: () => Object.keys(clients)[0],
      });
      return { provider, outcome };
    }),
  );
  const keys = new Set<string>();
  for (const { provider, outcome } of outcomes) {
    expect(outcome).toMatchObject({ status: "logged_in", provider });
    if (outcome.status === "logged_in") keys.add(reveal(outcome.key));
  }
  expect(keys.size).toBe(100);
});
