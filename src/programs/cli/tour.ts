import { type CredentialTexts, createBankClient, type LoginOptions, login } from "../../index.ts";
import { SANDBOX_API_KEY, serveSandbox } from "../../tools/sandbox/index.ts";

// The tour on the embedded sandbox, over real HTTP: two logins with each state that they reach, and the transfer destinations of
// their sessions.

const say = (line = "") => process.stdout.write(`${line}\n`);

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });
say(`A sandbox of the complete service listens on ${bank.url}.`);

async function show(title: string, credentials: CredentialTexts, options: LoginOptions): Promise<void> {
  say();
  say(title);
  const onTransition: LoginOptions["onTransition"] = (at) =>
    say(at.state === "submitting" ? `  ${at.state} (${at.request})` : `  ${at.state}`);
  const outcome = await login(client, credentials, { ...options, onTransition });
  if (outcome.state !== "loggedIn") throw new Error(`The login ended with ${outcome.state}`);
  const response = await client.listTransferDestinations(outcome.key);
  if (response.status !== "success") throw new Error(`The sandbox responded ${response.status}`);
  say("  can transfer to:");
  for (const { id, name } of response.destinations) say(`    ${id}  ${name}`);
}

await show(
  "A login with an interaction (provider test, user 12345otp):",
  { provider: "test", username: "12345otp", password: "asdfg" },
  {
    onInteraction: ({ field, context }) => {
      say(`    the bank asks for "${field}": ${context}`);
      return "8888";
    },
  },
);

await show(
  "A login with a choice of client (provider canal_pa, user newkey):",
  { provider: "canal_pa", username: "newkey", password: "s3creto", fields: { company_code: "7701" } },
  {
    onInteraction: () => null,
    onSelectClient: (clients) => {
      for (const { id, name } of clients) say(`    client ${id}: ${name}`);
      return clients[0] ?? null;
    },
  },
);

await bank.close();
say();
say(
  "Next: change an answer in src/programs/cli/tour.ts, or read docs/guide.md to put your own bank's address in place of the sandbox's.",
);
