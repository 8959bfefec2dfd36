import { createDiagram } from "../../../tools/inspect/index.ts";
import { option } from "../arguments.ts";
import { defineCommand } from "../command.ts";
import { commonOptions } from "../terminal/output.ts";

export const diagram = defineCommand({
  description: "Print a statechart as a drawing",
  options: {
    flow: { type: "positional", description: "login or link", default: "login", choices: ["login", "link"] },
    format: option("format", "mermaid, svg or json", { default: "mermaid", choices: ["mermaid", "svg", "json"] }),
    ...commonOptions,
  },
  examples: [
    ["ventanilla diagram", "the login, for a Markdown page"],
    ["ventanilla diagram link --format svg > link.svg", "from the list of banks to the destinations, as a picture"],
  ],
  async run({ values, output }) {
    const { flow, format } = values;
    const text = createDiagram(flow, format);
    output.result({ flow, format, diagram: text }, ...text.trimEnd().split("\n"));
    return "success";
  },
});
