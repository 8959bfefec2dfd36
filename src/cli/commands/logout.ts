import { commandOf } from "../command.ts";
import { sessionKeyOf, sessionOptions } from "../settings/session-key.ts";
import { commonOptions, serviceOf, serviceOptions } from "../settings/settings.ts";

export const logout = commandOf({
  name: "logout",
  description: "End a session (beyond the contract)",
  options: { ...sessionOptions, ...serviceOptions, ...commonOptions },
  examples: [["ventanilla logout --key-from session.key", "ends the session of that key"]],
  async run({ given, environment, signal }) {
    const service = await serviceOf(given, environment, signal);
    const { client, output } = service;
    const key = await sessionKeyOf(given, environment, service, signal);
    const answer = await client.logout(key);
    if (answer.status !== "logged_out") return output.outcome(answer.status, { httpStatus: answer.httpStatus });
    output.result({ status: "logged_out" }, output.text("loggedOut"));
    return "logged_out";
  },
});
