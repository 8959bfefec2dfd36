import { SANDBOX_API_KEY, type SandboxAccount, sandboxAccounts } from "ventanilla/sandbox";
import { expect, test } from "vitest";

const code = (text: string) => `\`${text}\``;

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

const describeAccount = ({ provider, country, username, password, fields, answers, clients, shows }: SandboxAccount) =>
  row([
    code(provider),
    country,
    code(username),
    code(password),
    Object.entries(fields ?? {})
      .map(([field, value]) => code(`${field}=${value}`))
      .join(" "),
    [
      ...(answers ?? []).map(({ field, answer }) => code(`${field}=${answer}`)),
      ...Object.keys(clients ?? {}).map((id) => `client ${code(id)}`),
    ].join(" "),
    shows,
  ]);

const page = `<!-- Generated from the account table by test/sandbox/documentation.test.ts; \`npx vitest run -u test/sandbox\` writes it anew. -->
# The sandbox

The whole service, in this process: every endpoint of the contract, invented banks, and an account for each situation that a login
can meet. It needs no network and keeps everything in memory.

In process it is one web-standard function, in Node, Bun, Deno, a browser or a worker:

\`\`\`ts
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";

const sandbox = createSandbox();
const request = new Request("http://sandbox/provider/", { headers: { "X-API-Key": SANDBOX_API_KEY } });
const { providers } = await (await sandbox(request)).json();
\`\`\`

On a port, in Node, Bun or Deno:

\`\`\`ts
import { serveSandbox } from "ventanilla/sandbox";

const { url, close } = await serveSandbox(); // a free port of 127.0.0.1, or { port, host }
\`\`\`

Every request carries the API key, ${code(SANDBOX_API_KEY)} unless \`apiKey\` says otherwise.

| option | default | what it sets |
|---|---|---|
| \`apiKey\` | ${code(SANDBOX_API_KEY)} | the API key that every request must carry |
| \`seed\` | none | makes the session keys predictable |
| \`clock\` | the system's | where time comes from: \`now()\` and \`wait(milliseconds, signal)\` |
| \`sessionLifetime\` | 30 minutes | how long a session lives, in milliseconds |
| \`interactionLifetime\` | 5 minutes | how long an interaction waits for its answer, in milliseconds |
| \`slowBankDelay\` | 3 seconds | how long \`tortuga_ec\` takes, in milliseconds |
| \`bodyLimit\` | 64 KiB | the longest login form, in bytes |
| \`port\`, \`host\` | a free port, \`127.0.0.1\` | where \`serveSandbox\` listens |

Beyond the contract the sandbox serves \`GET /client/\`, \`GET /client/{id}/\` and \`GET /logout/\`, takes the session key in the header
\`X-Session-Key\` as well, and narrows dependent choices with \`GET /provider/{code}/?key=<field>&value=<chosen>\`.

A session keeps its key through an interaction, and where an account shows a new key the earlier one goes on working: a client that keeps
the first key, as published ones do, gets on. A client that was chosen may bring a new key, which replaces the old one.

## Accounts

The same table is exported as \`sandboxAccounts\`, and \`npx ventanilla sandbox --accounts\` prints it. Anything else that is sent as a username or a password is wrong.

| provider | country | username | password | extra fields | answers | what it shows |
|---|---|---|---|---|---|---|
${sandboxAccounts.map(describeAccount).join("\n")}
`;

test("docs/sandbox.md lists the accounts as they are", async () => {
  await expect(page).toMatchFileSnapshot("../../docs/sandbox.md");
});
