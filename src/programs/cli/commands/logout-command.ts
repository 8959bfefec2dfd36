import { defineCommand } from "../command.ts";
import { connectService, serviceOptions } from "../settings/service-settings.ts";
import { readSessionKey, sessionOptions } from "../settings/session-key.ts";

export const logout = defineCommand({
  description: "End a session (beyond the contract)",
  options: { ...sessionOptions, ...serviceOptions },
  examples: [["ventanilla logout --key-from session.key", "ends the session of that key"]],
  async run(context) {
    const service = await connectService(context);
    const { client, output } = service;
    const key = await readSessionKey(context.values, context.program, service);
    const response = await client.logout(key);
    if (response.status !== "logged_out") return output.outcome(response.status, { httpStatus: response.httpStatus });
    output.result({ state: "logged_out" }, output.text("loggedOut"));
    return "logged_out";
  },
});
