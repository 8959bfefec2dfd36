import type { AuthField } from "../../index.ts";
import { formField } from "../../login/form.ts";
import { commandOf } from "../command.ts";
import { commonOptions, serviceOf, serviceOptions, textOf } from "../settings/settings.ts";
import { defined, paint } from "../terminal/output.ts";

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
    if (!output.json) output.result({}, [paint("bold", name), ` ${country}`]);
    for (const field of auth_fields) {
      const { label, choices } = formField(field, output.locale);
      const notes = [
        ...(field.optional ? [output.text("leaveEmpty")] : []),
        ...(field.interactive ? [output.text("askedLater")] : []),
        ...choices.map(({ value, label: meaning }) => `${value} = ${meaning}`),
      ];
      const more = notes.length > 0 ? `  (${notes.join(", ")})` : "";
      output.result(lineOf(field), ["  ", paint("cyan", field.name), `  ${label}${more}`]);
    }
    return "success";
  },
});

function lineOf({ name, type, interactive, optional, label_en, label_es, choices, default: initial }: AuthField) {
  return defined({ name, type, interactive, optional, label_en, label_es, choices, default: initial });
}
