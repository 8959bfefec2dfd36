import { statSync } from "node:fs";
import { failureText } from "../../index.ts";
import { parseArguments } from "../arguments.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import type { CommandStatus } from "../exit-codes.ts";
import { loginOptions } from "../login/login-options.ts";
import { firstLine, readText } from "../settings/private-files.ts";
import { connectService, type Service, serviceOptions } from "../settings/service-settings.ts";
import { isSealed, readSessionKey, sessionOptions } from "../settings/session-key.ts";
import { paint } from "../terminal/output.ts";

const options = { ...sessionOptions, ...serviceOptions } as const;

export const destinations = defineCommand({
  description: "List the institutions that a session can transfer to",
  options,
  examples: [
    ["ventanilla destinations --key-from session.key", "with the key that login --key-to wrote"],
    ["ventanilla login test --print-key | ventanilla destinations --key-from -", "straight after a login"],
  ],
  run: listDestinations,
});

async function listDestinations(context: CommandContext<typeof options>): Promise<CommandStatus> {
  const { values, program } = context;
  const service = await connectService(context);
  const { client, output, prompts } = service;
  const key = await readSessionKey(values, program, service);
  const response = await client.listTransferDestinations(key);
  if (response.status === "success") {
    for (const { id, name } of response.destinations) {
      output.result({ id, name }, [paint("cyan", String(id).padStart(4)), `  ${name}`]);
    }
    if (response.destinations.length === 0) output.say(output.text("none"));
    return "success";
  }
  const path = values["key-from"];
  const isEnded = response.status === "invalid_key" || response.status === "provider_session_expired";
  if (isEnded && isReplaceable(path, service)) {
    output.say(paint("yellow", failureText(response.status, output.locale)));
    if (await prompts.confirm(output.text("logInAgain"))) {
      const seal = isSealed(firstLine(await readText("--key-from", path, program)).trim());
      const { logIn } = await import("./login-command.ts");
      const loginValues = { ...parseArguments([], loginOptions), ...values, "key-to": path, seal };
      const status = await logIn({ ...context, values: loginValues });
      return status === "logged_in" ? listDestinations(context) : status;
    }
  }
  return output.outcome(response.status, { httpStatus: response.httpStatus });
}

/** Whether there is a person to log in again, and a file for the new key where the next command finds it. */
function isReplaceable(path: string | undefined, { host, output, prompts }: Service): path is string {
  // A session of the embedded sandbox ends with the command that made it.
  if (path === undefined || path === "-" || host === undefined || output.json || !prompts.isAvailable) return false;
  return statSync(path).isFile();
}
