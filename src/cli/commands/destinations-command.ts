import { statSync } from "node:fs";
import { failureText } from "../../index.ts";
import { parseArguments } from "../arguments.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import type { EndStatus } from "../exit-codes.ts";
import { loginOptions } from "../login/login-options.ts";
import { firstLine, readText } from "../settings/private-files.ts";
import { connectService, type Service, serviceOptions } from "../settings/service-settings.ts";
import { isSealed, readSessionKey, sessionOptions } from "../settings/session-key.ts";
import { paint } from "../terminal/output.ts";
import { askWhether, isTerminal } from "../terminal/prompts.ts";

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

async function listDestinations(context: CommandContext<typeof options>): Promise<EndStatus> {
  const { values, environment, signal } = context;
  const service = await connectService(values, environment, signal);
  const { client, output } = service;
  const key = await readSessionKey(values, environment, service, signal);
  const answer = await client.listTransferDestinations(key);
  if (answer.status === "success") {
    for (const { id, name } of answer.destinations) {
      output.result({ id, name }, [paint("cyan", String(id).padStart(4)), `  ${name}`]);
    }
    if (answer.destinations.length === 0) output.say(output.text("none"));
    return "success";
  }
  const path = values["key-from"];
  const isEnded = answer.status === "invalid_key" || answer.status === "provider_session_expired";
  if (isEnded && isReplaceable(path, service)) {
    output.say(paint("yellow", failureText(answer.status, output.locale)));
    if (await askWhether(output.text("logInAgain"), signal)) {
      const seal = isSealed(firstLine(await readText("--key-from", path)).trim());
      const { logIn } = await import("./login-command.ts");
      const loginValues = { ...parseArguments([], loginOptions), ...values, "key-to": path, seal };
      const end = await logIn(loginValues, environment, signal);
      return end === "logged_in" ? listDestinations(context) : end;
    }
  }
  return output.outcome(answer.status, { httpStatus: answer.httpStatus });
}

/** Whether somebody is there to log in again, and the new key has a place where the next command finds it. */
function isReplaceable(path: string | undefined, { host, output }: Service): path is string {
  // A session of the embedded sandbox ends with the command that made it.
  if (path === undefined || path === "-" || host === undefined || output.json || !isTerminal()) return false;
  return statSync(path).isFile();
}
