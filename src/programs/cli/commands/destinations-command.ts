import { stateNames } from "../../../core/login/login-state.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import type { CommandResult } from "../exit-codes.ts";
import { connectService, serviceOptions } from "../settings/service-settings.ts";
import { readSessionKey, sessionOptions } from "../settings/session-key.ts";
import { paint } from "../terminal/output.ts";

const options = { ...sessionOptions, ...serviceOptions } as const;

export const destinations = defineCommand({
  description: "List the institutions that a session can transfer to",
  options,
  examples: [
    ["ventanilla destinations --key-from session.key", "with the key that login --key-to wrote"],
    [
      "ventanilla login test --print-key | ventanilla destinations --key-from -",
      "straight after a login, with VENTANILLA_BASE_URL set: each command has its own sandbox",
    ],
  ],
  run: listDestinations,
});

async function listDestinations(context: CommandContext<typeof options>): Promise<CommandResult> {
  const { values, program } = context;
  const service = await connectService(context);
  const { client, output } = service;
  const key = await readSessionKey(values, program, service);
  const response = await client.listTransferDestinations(key);
  if (response.status !== "success") {
    const { status, httpStatus, asked } = response;
    const { status: needs, ...members } = asked ?? {};
    const state = needs === "interaction_required" ? stateNames.awaitingInteraction : needs;
    return output.outcome(status, { httpStatus, asked: state, ...members });
  }
  for (const { id, name } of response.destinations) {
    output.result({ id, name }, [paint("cyan", String(id).padStart(4)), `  ${name}`]);
  }
  if (response.destinations.length === 0) output.say(output.text("none"));
  return "success";
}
