import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import * as v from "valibot";
import { createIssueError, toField } from "../../../core/api/input-issue.ts";
import { locales } from "../../../core/texts/languages.ts";
import { BankError } from "../../../index.ts";
import type { ProgramContext } from "../command.ts";
import { checkOwner, readText, toFileFault } from "./private-files.ts";

const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(1));

const config = v.strictObject({
  baseUrl: v.optional(v.string()),
  apiKey: v.optional(v.string()),
  locale: v.optional(v.picklist(locales)),
  sessionKeyIn: v.optional(v.picklist(["query", "header"])),
  timeout: v.optional(v.strictObject({ login: v.exactOptional(milliseconds), read: v.exactOptional(milliseconds) })),
});

/** What a config file may hold. Times are milliseconds. */
export type Config = v.InferOutput<typeof config>;

/** The folder in which all processes of the command remember something, as the system wants it. */
export function findStateFolder(environment: NodeJS.ProcessEnv): string {
  const usual = join(findHome(), process.platform === "darwin" ? "Library/Application Support" : ".local/state");
  const isWindows = process.platform === "win32";
  const folders = isWindows ? [environment["LOCALAPPDATA"]] : [environment["XDG_STATE_HOME"], usual];
  const folder = folders.find((path) => path !== undefined && isAbsolute(path));
  if (folder !== undefined) return join(folder, "ventanilla");
  throw new BankError("missing_field", { field: isWindows ? "LOCALAPPDATA" : "XDG_STATE_HOME" });
}

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

/** Reads a config file. It says where passwords go, so no other user may be able to change it. */
export async function readConfig(path: string, program: ProgramContext): Promise<Config> {
  if (path !== "-") {
    const status = await stat(path).catch((error: unknown) => {
      throw toFileFault("--config", error);
    });
    checkOwner("--config", status, 0o022);
  }
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
  const [{ type, expected }] = result.issues;
  const path = toField(result.issues, "");
  throw createIssueError(
    result.issues,
    path === "" ? field : `${field}.${path}`,
    type === "parse_json" ? "is not JSON" : `must be ${expected}`,
  );
}
