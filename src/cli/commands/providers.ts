import { searchProviders } from "../../index.ts";
import { commandOf } from "../command.ts";
import { commonOptions, serviceOf, serviceOptions, textOf } from "../settings/settings.ts";
import { paint } from "../terminal/output.ts";
import { printable } from "../terminal/printable.ts";

export const providers = commandOf({
  name: "providers",
  description: "List the banks",
  options: {
    country: { type: "string", description: "Only the banks of a country, such as UY", valueHint: "code" },
    search: {
      type: "string",
      description: "Only the banks whose name or code has these words; accents don't count",
      valueHint: "words",
    },
    ...serviceOptions,
    ...commonOptions,
  },
  examples: [
    ["ventanilla providers", "all banks"],
    ['ventanilla providers --country BR --search "ipe"', "the ones that match"],
    ["ventanilla providers --json | jq -r .code", "their codes, for a script"],
  ],
  async run({ given, environment, signal }) {
    const { client, output } = await serviceOf(given, environment, signal);
    const answer = await client.listProviders();
    if (answer.status !== "success") return output.outcome(answer.status, { httpStatus: answer.httpStatus });
    const country = textOf(given, "country")?.toUpperCase();
    const found = searchProviders(answer.providers, { text: textOf(given, "search") ?? "", country });
    const width = Math.max(0, ...found.map(({ code }) => printable(code).length));
    for (const { code, country: place, name } of found) {
      const text = [paint("cyan", printable(code).padEnd(width)), `  ${place.padEnd(2)}  ${name}`];
      output.result({ code, country: place, name }, text);
    }
    if (found.length === 0) output.say(output.text("none"));
    return "success";
  },
});
