import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import * as v from "valibot";
import { InputError } from "../../index.ts";
import type { ProgramContext } from "../command.ts";
import { readText } from "./private-files.ts";

const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(1));

const config = v.strictObject({
  baseUrl: v.optional(v.string()),
  apiKey: v.optional(v.string()),
  locale: v.optional(v.picklist(["en", "es", "pt"])),
  sessionKeyIn: v.optional(v.picklist(["query", "header"])),
  timeout: v.optional(v.strictObject({ login: v.exactOptional(milliseconds), read: v.exactOptional(milliseconds) })),
});

/** What a config file may hold. Times are milliseconds. */
export type Config = v.InferOutput<typeof config>;

/**
 * The config file in the person's configuration folder. Not one of the current folder, which anybody may have put there: it would send
 * keys and credentials to its own address.
 */
export function findConfig(environment: NodeJS.ProcessEnv): string | undefined {
  // A relative path must be ignored (XDG Base Directory Specification): it would be in the current folder. So would that of a relative HOME.
  const folders = [environment["XDG_CONFIG_HOME"] ?? "", join(findHome(), ".config")];
  const folder = folders.find((path) => isAbsolute(path));
  const path = folder && join(folder, "ventanilla", "config.json");
  return path && existsSync(path) ? path : undefined;
}

function findHome(): string {
  try {
    return homedir();
  } catch {
    // No HOME, and no entry in passwd: a container with a user of its own.
    return "";
  }
}

export async function readConfig(path: string, program: ProgramContext): Promise<Config> {
  return parseJson(config, await readText("--config", path, program), "config");
}

/** Reads JSON of a shape. The errors of valibot and of the platform stay inside, because both repeat values. */
export function parseJson<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string,
  field: string,
): v.InferOutput<Schema> {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  if (issue.type === "parse_json") throw new InputError("invalid_input", { field, detail: "is no JSON" });
  const path = [field, v.getDotPath(issue)].filter((part) => part !== null).join(".");
  const isUnknown = issue.type === "strict_object" && issue.expected === "never";
  throw new InputError("invalid_input", {
    field: path,
    detail: isUnknown ? "is not known here" : `must be ${issue.expected}`,
  });
}
