import { defineCommand } from "../command.ts";
import { connectService, serviceOptions } from "../settings/service-settings.ts";
import { readSessionKey, sessionOptions } from "../settings/session-key.ts";

export const logout = defineCommand({
  description: "End a session (beyond the contract)",
  options: { ...sessionOptions, ...serviceOptions },
  examples: [["ventanilla logout --key-from session.key", "ends the session of that key"]],
  async run({ values, environment, signal }) {
    const service = await connectService(values, environment, signal);
    const { client, output } = service;
    const key = await readSessionKey(values, environment, service, signal);
    const answer = await client.logout(key);
    if (answer.status !== "logged_out") return output.outcome(answer.status, { httpStatus: answer.httpStatus });
    output.result({ status: "logged_out" }, output.text("loggedOut"));
    return "logged_out";
  },
});
