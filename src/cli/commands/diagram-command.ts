import { InputError } from "../../index.ts";
import { createDiagram } from "../../inspect/index.ts";
import { defineCommand } from "../command.ts";
import { findBuiltPart } from "../pages/built-parts.ts";
import { commonOptions, createOutput } from "../settings/output-settings.ts";

type Flow = Parameters<typeof createDiagram>[0];
type Format = Parameters<typeof createDiagram>[1];

const formats: readonly string[] = ["mermaid", "svg", "json"] satisfies Format[];
const flows: readonly string[] = ["login", "link"] satisfies Flow[];

export const diagram = defineCommand({
  description: "Print a statechart as a drawing",
  options: {
    flow: { type: "positional", description: "login or link", required: false, default: "login" },
    format: { type: "string", description: "mermaid, svg or json", valueHint: "format", default: "mermaid" },
    ...commonOptions,
  },
  examples: [
    ["ventanilla diagram", "the login, for a Markdown page"],
    ["ventanilla diagram link --format svg > link.svg", "from the list of banks to the destinations, as a picture"],
  ],
  async run({ values, environment }) {
    const flow = checkKnown(values.flow, flows, "FLOW") as Flow;
    const format = checkKnown(values.format, formats, "--format") as Format;
    if (format === "svg") findBuiltPart("diagrams", `${flow}.svg`);
    const text = createDiagram(flow, format);
    createOutput(values, environment).result({ flow, format, diagram: text }, ...text.trimEnd().split("\n"));
    return "success";
  },
});

function checkKnown(text: string, known: readonly string[], field: string): string {
  if (known.includes(text)) return text;
  throw new InputError("invalid_input", { field, detail: `must be ${known.join(" or ")}` });
}
