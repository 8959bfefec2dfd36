import { InputError } from "../../index.ts";
import { type OptionValues, parseNumber } from "../arguments.ts";
import { serviceOptions } from "../settings/service-settings.ts";
import { sealOptions } from "../settings/session-key.ts";

/** How interactions are answered without a person. */
export const answerOptions = {
  "answer-command": {
    type: "string",
    description:
      "Program that prints the answer to the bank's question; {field} and {provider} are filled in, no shell",
    valueHint: "command",
  },
  "answer-timeout": {
    type: "string",
    description: "Seconds to answer a question",
    valueHint: "seconds",
    default: "300",
  },
  "replace-session": {
    type: "boolean",
    description: "After max_sessions_reached, close the other session and log in again, once (beyond the contract)",
  },
} as const;

/** The options that show or trace what a login's statechart does. */
const observationOptions = {
  inspect: { type: "boolean", description: "Show the statechart live in a viewer on this machine" },
  open: { type: "boolean", description: "Open the viewer in a browser; without it the address is printed" },
  events: {
    type: "boolean",
    description: "Print lifecycle events of the login as JSON, one per line, on standard error",
  },
  record: {
    type: "string",
    description: "Write a trace of the login, without secrets, for ventanilla view",
    valueHint: "file",
  },
} as const;

/** The options of login. */
export const loginOptions = {
  code: { type: "positional", description: "The bank's code; a terminal offers the list", required: false },
  "credentials-from": {
    type: "string",
    description: "JSON file with username, password, fields, answers, totp, client; - for standard input",
    valueHint: "file",
  },
  "password-stdin": {
    type: "boolean",
    description: "Read the password from standard input; VENTANILLA_USERNAME has the user",
  },
  ...answerOptions,
  client: {
    type: "string",
    description: "Client to choose, by its id, where the bank asks for one (beyond the contract)",
    valueHint: "id",
  },
  "print-key": { type: "boolean", description: "Print the session key, alone, on standard output" },
  "key-to": { type: "string", description: "Write the session key to a file of mode 600", valueHint: "file" },
  seal: { type: "boolean", description: "Print and write the session key sealed" },
  "pause-to": {
    type: "string",
    description: "Stop at a question, or a choice of client, that nothing answers, and write the sealed login there",
    valueHint: "file",
  },
  resume: { type: "string", description: "Go on with a login that was paused; the file is used up", valueHint: "file" },
  ...sealOptions,
  ...observationOptions,
  ...serviceOptions,
} as const;

export type LoginValues = OptionValues<typeof loginOptions>;

// A timer of the platform can wait no longer.
const LONGEST = 24 * 24 * 3600;

/** Milliseconds to answer an interaction. */
export function readAnswerTimeout(values: OptionValues<typeof answerOptions>): number {
  const seconds = parseNumber("--answer-timeout", values["answer-timeout"], { least: 0.001 });
  if (seconds > LONGEST) {
    throw new InputError("invalid_input", { field: "--answer-timeout", detail: "must be 24 days at most" });
  }
  return Math.round(seconds * 1000);
}
