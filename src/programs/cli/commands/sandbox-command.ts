import { SANDBOX_API_KEY, sandboxAccounts, serveSandbox } from "../../../tools/sandbox/index.ts";
import { flag, option, parseNumber } from "../arguments.ts";
import { defineCommand } from "../command.ts";
import { createPortFault, serveUntilStopped } from "../local-pages.ts";
import { formatAccount } from "../terminal/account-lines.ts";
import { commonOptions, type Output, paint } from "../terminal/output.ts";

export const sandbox = defineCommand({
  description: "Serve the sandbox, a complete service with invented banks",
  options: {
    port: option("number", "Port to listen on; 0 takes a free one", { default: "0" }),
    accounts: flag("Print the users of every bank, what to answer them, and end"),
    ...commonOptions,
  },
  examples: [
    ["ventanilla sandbox --port 8123", "serves until Ctrl-C"],
    [
      "export VENTANILLA_BASE_URL=http://127.0.0.1:8123\nexport VENTANILLA_API_KEY=sandbox-api-key\nventanilla login test",
      "uses it from another terminal",
    ],
    ["ventanilla sandbox --accounts", "prints whom to log in as, and ends"],
  ],
  async run({ values, program, output }) {
    if (values.accounts) return printAccounts(output);
    const port = parseNumber("--port", values.port);
    const bank = await serveSandbox({ port, log: (line) => output.say(paint("yellow", line)) }).catch(
      (error: unknown) => {
        throw createPortFault(port, error);
      },
    );
    // The sandbox's key is public: it only opens invented banks.
    const line = `${output.text("apiKey")}: ${SANDBOX_API_KEY}`;
    return serveUntilStopped(bank, output, program, { apiKey: SANDBOX_API_KEY }, line);
  },
});

function printAccounts(output: Output): "success" {
  let last = "";
  for (const account of sandboxAccounts) {
    const { provider, country } = account;
    const heading = provider === last ? [] : [[paint("cyan", provider), `  ${country}`]];
    output.result({ ...account }, ...heading, ...formatAccount(account, output));
    last = provider;
  }
  return "success";
}
