import { commandOf } from "../command.ts";
import { sessionKeyOf, sessionOptions } from "../settings/session-key.ts";
import { commonOptions, serviceOf, serviceOptions } from "../settings/settings.ts";
import { paint } from "../terminal/output.ts";

export const destinations = commandOf({
  name: "destinations",
  description: "List the institutions that a session can transfer to",
  options: { ...sessionOptions, ...serviceOptions, ...commonOptions },
  examples: [
    ["ventanilla destinations --key-from session.key", "with the key that login --key-to wrote"],
    ["ventanilla login test --print-key | ventanilla destinations --key-from -", "straight after a login"],
  ],
  async run({ given, environment, signal }) {
    const service = await serviceOf(given, environment, signal);
    const { client, output } = service;
    const key = await sessionKeyOf(given, environment, service, signal);
    const answer = await client.listTransferDestinations(key);
    if (answer.status !== "success") return output.outcome(answer.status, { httpStatus: answer.httpStatus });
    for (const { id, name } of answer.destinations) {
      output.result({ id, name }, [paint("cyan", String(id).padStart(4)), `  ${name}`]);
    }
    if (answer.destinations.length === 0) output.say(output.text("none"));
    return "success";
  },
});
