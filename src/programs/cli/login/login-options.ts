import { flag, group, type OptionValues, option } from "../arguments.ts";
import { refusalOptions } from "../settings/refusals.ts";
import { serviceOptions } from "../settings/service-settings.ts";
import { sealOptions } from "../settings/session-key.ts";

export const answerOptions = group("What the bank asks", {
  "answer-command": option(
    "command",
    "Program that prints the answer to the bank's question; {field} and {provider} are filled in, no shell",
  ),
  "answer-timeout": option("seconds", "Seconds to answer a question", { default: "300" }),
  "replace-session": flag(
    "After max_sessions_reached, close the open sessions, perhaps all, and log in again, once (beyond the contract)",
  ),
});

export const keyOptions = group("The session key", {
  "print-key": flag("Print only the session key, on standard output"),
  "key-to": option("file", "Write the session key to a file of mode 600"),
  seal: flag("Print and write the session key sealed"),
});

const observationOptions = group("Watching", {
  inspect: flag("Show the statechart live in a viewer on this machine"),
  open: flag("Open the viewer in a browser; without it the address is printed"),
  events: flag("Print lifecycle events of the login as JSON, one per line, on standard error"),
  record: option("file", "Write a trace of the login, without secrets, for ventanilla view"),
});

export const loginOptions = {
  code: { type: "positional", description: "The bank's code; a terminal offers the list", required: false },
  provider: option("code", "The bank's code, in place of CODE"),
  "credentials-from": option(
    "file",
    "JSON file with username, password, fields, answers, totp, client; - for standard input",
  ),
  "password-stdin": flag("Read the password from standard input; VENTANILLA_USERNAME has the user"),
  ...answerOptions,
  ...group("What the bank asks", {
    client: option("id", "Client to choose, by its id, if the bank asks for one (beyond the contract)"),
  }),
  ...refusalOptions,
  ...keyOptions,
  ...group("Paused logins", {
    "pause-to": option(
      "file",
      "Stop at a question, or a choice of client, that nothing answers, and write the sealed login there",
    ),
    resume: option("file", "Go on with a login that was paused; the file is used up"),
  }),
  ...sealOptions,
  ...observationOptions,
  ...serviceOptions,
} as const;

export type LoginValues = OptionValues<typeof loginOptions>;
