import { searchProviders } from "../../../core/view/provider-search.ts";
import { option } from "../arguments.ts";
import { defineCommand } from "../command.ts";
import { connectService, serviceOptions } from "../settings/service-settings.ts";
import { paint } from "../terminal/output.ts";
import { printable } from "../terminal/printable.ts";

export const providers = defineCommand({
  description: "List the banks",
  options: {
    country: option("code", "Only the banks of a country, such as UY"),
    search: option("words", "Only the banks with these words in name, code or country; accents don't count"),
    ...serviceOptions,
  },
  examples: [
    ["ventanilla providers", "all banks"],
    ['ventanilla providers --country BR --search "ipe"', "the ones that match"],
    ["ventanilla providers --json | jq -r .code", "their codes, for a script"],
  ],
  async run(context) {
    const { values } = context;
    const { client, output } = await connectService(context);
    const response = await client.listProviders();
    if (response.status !== "success") return output.outcome(response.status, { httpStatus: response.httpStatus });
    const found = searchProviders(response.providers, {
      text: values.search ?? "",
      country: values.country?.toUpperCase(),
    });
    const width = Math.max(0, ...found.map(({ code }) => printable(code).length));
    for (const { code, country: place, name } of found) {
      const text = [paint("cyan", printable(code).padEnd(width)), `  ${place.padEnd(2)}  ${name}`];
      output.result({ code, country: place, name }, text);
    }
    if (found.length === 0) output.say(output.text("none"));
    return "success";
  },
});
