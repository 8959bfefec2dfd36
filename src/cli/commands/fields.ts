import type { AuthField } from "../../index.ts";
import { answerField } from "../../login/form.ts";
import { commandOf } from "../command.ts";
import { commonOptions, serviceOf, serviceOptions, textOf } from "../settings/settings.ts";
import { defined } from "../terminal/output.ts";
import { printable } from "../terminal/printable.ts";

export const fields = commandOf({
  name: "fields",
  description: "Show what a bank asks at the login",
  options: {
    code: { type: "positional", description: "The bank's code, as providers lists it", required: true },
    ...serviceOptions,
    ...commonOptions,
  },
  examples: [
    ["ventanilla fields canal_pa", "the fields of one bank"],
    [
      "ventanilla fields canal_pa --json | jq -r 'select(.interactive | not) | .name'",
      "the names that a first login needs",
    ],
  ],
  async run({ given, environment, signal }) {
    const { client, output } = await serviceOf(given, environment, signal);
    const answer = await client.getProvider(textOf(given, "code") ?? "");
    if (answer.status !== "success") return output.outcome(answer.status, { httpStatus: answer.httpStatus });
    const { name, country, auth_fields } = answer.provider;
    if (!output.json) output.result({}, `${output.paint("bold", printable(name))} ${printable(country)}`);
    for (const field of auth_fields) {
      const { label, choices } = answerField(answer.provider, field.name, output.locale);
      const notes = [
        ...(field.optional ? [output.text("leaveEmpty")] : []),
        ...(field.interactive ? [output.text("askedLater")] : []),
        ...choices.map(({ value, label: meaning }) => `${value} = ${meaning}`),
      ];
      const text = `  ${output.paint("cyan", printable(field.name))}  ${printable(label)}`;
      output.result(lineOf(field), notes.length > 0 ? `${text}  (${printable(notes.join(", "))})` : text);
    }
    return "success";
  },
});

function lineOf({ name, type, interactive, optional, label_en, label_es, choices, default: initial }: AuthField) {
  return defined({ name, type, interactive, optional, label_en, label_es, choices, default: initial });
}
