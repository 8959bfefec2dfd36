import { BankError } from "../../index.ts";
import { SANDBOX_API_KEY, sandboxAccounts, serveSandbox } from "../../sandbox/index.ts";
import { commandOf } from "../command.ts";
import { stopped } from "../pages/stopping.ts";
import { commonOptions, numberOf, outputOf } from "../settings/settings.ts";
import { accountLines } from "../terminal/accounts.ts";
import { type Output, paint } from "../terminal/output.ts";

export const sandbox = commandOf({
  name: "sandbox",
  description: "Serve the sandbox, a whole service with invented banks",
  options: {
    port: { type: "string", description: "Port to listen on; 0 takes a free one", valueHint: "number", default: "0" },
    accounts: { type: "boolean", description: "Print the users of every bank, what to answer them, and end" },
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
  async run({ given, environment, signal }) {
    const output = outputOf(given, environment);
    if (given["accounts"] === true) return printAccounts(output);
    const port = numberOf(given, "port") ?? 0;
    const bank = await serveSandbox({ port }).catch((error: unknown) => {
      const detail = error instanceof Error && "code" in error ? String(error.code) : "can't listen";
      throw new BankError("invalid_input", { field: "--port", detail });
    });
    const texts = [`${output.text("listening")} ${bank.url}`, `${output.text("apiKey")}: ${SANDBOX_API_KEY}`];
    // The sandbox's key is public: it opens invented banks only.
    output.result({ status: "listening", url: bank.url, apiKey: SANDBOX_API_KEY }, ...texts);
    output.say(paint("dim", output.text("stopWith")));
    await stopped(signal);
    await bank.close();
    return "success";
  },
});

function printAccounts(output: Output): "success" {
  let last = "";
  for (const account of sandboxAccounts) {
    const { provider, country } = account;
    const heading = provider === last ? [] : [[paint("cyan", provider), `  ${country}`]];
    output.result({ ...account }, ...heading, ...accountLines(account, output));
    last = provider;
  }
  return "success";
}
