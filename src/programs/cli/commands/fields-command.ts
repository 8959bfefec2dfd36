import { formField, labelAccountTypes } from "../../../core/login/form-fields.ts";
import { defineCommand } from "../command.ts";
import { connectService, serviceOptions } from "../settings/service-settings.ts";
import { paint } from "../terminal/output.ts";

export const fields = defineCommand({
  description: "Show what a bank asks at the login",
  options: {
    code: { type: "positional", description: "The bank's code, as providers lists it", required: true },
    ...serviceOptions,
  },
  examples: [
    ["ventanilla fields canal_pa", "the fields of one bank"],
    [
      "ventanilla fields canal_pa --json | jq -r 'select(.interactive | not) | .name'",
      "the names that a first login needs",
    ],
  ],
  async run(context) {
    const { client, output } = await connectService(context);
    const response = await client.getProvider(context.values.code);
    if (response.status !== "success") return output.outcome(response.status, { httpStatus: response.httpStatus });
    const { name, country, auth_fields, account_type } = response.provider;
    const types = labelAccountTypes(account_type, output).map(({ label }) => label);
    const accountTypes = account_type.map(({ name, label_en, label_es }) => ({ name, label_en, label_es }));
    if (!output.json) output.result({}, [paint("bold", name), [` ${country}`, ...types].join("  ")]);
    for (const field of auth_fields) {
      const { label, choices } = formField(field, output);
      const notes = [
        ...(field.optional ? [output.text("leaveEmpty")] : []),
        ...(field.interactive ? [output.text("askedLater")] : []),
        ...choices.map(({ value, label: meaning }) => `${value} = ${meaning}`),
      ];
      const more = notes.length > 0 ? `  (${notes.join(", ")})` : "";
      // Omits members that a service of another version adds.
      const { name, type, interactive, optional, label_en, label_es, default: initial } = field;
      const shown = { name, type, interactive, optional, label_en, label_es, choices: field.choices, default: initial };
      const line = { ...shown, account_type: accountTypes };
      output.result(line, ["  ", paint("cyan", field.name), `  ${label}${more}`]);
    }
    return "success";
  },
});
