import type { ArgsDef } from "citty";
import * as v from "valibot";
import { InputError, reveal, type Secret, secret } from "../../index.ts";
import { createTokenFormat, secretClaim } from "../../tokens/sealed-token.ts";
import { askHidden, isTerminal } from "../terminal/prompts.ts";
import { firstLine, readText } from "./files.ts";
import { type Given, type Service, textOf } from "./settings.ts";

const format = createTokenFormat("ventanilla-session-1", v.object({ k: secretClaim }));

// Nothing says how long a session lives, so the seal lasts a day.
const LIFETIME = 24 * 60 * 60 * 1000;

/** The option that names what seals and opens. */
export const sealOptions = {
  "seal-key-from": {
    type: "string",
    description: "File with the key that seals, 32 bytes as base64 (VENTANILLA_SEAL_KEY holds the key itself)",
    valueHint: "file",
  },
} as const satisfies ArgsDef;

/** The option of commands on a session. */
export const sessionOptions = {
  "key-from": {
    type: "string",
    description:
      "File with the session key, plain or sealed, - for standard input (VENTANILLA_SESSION_KEY holds the key itself)",
    valueHint: "file",
  },
  ...sealOptions,
} as const satisfies ArgsDef;

/** @throws {InputError} `missing_field` where neither a file nor the environment has the key. */
export async function sealKeyOf(given: Given, environment: NodeJS.ProcessEnv): Promise<Secret> {
  const path = textOf(given, "seal-key-from");
  const text =
    path === undefined ? environment["VENTANILLA_SEAL_KEY"] : firstLine(await readText("--seal-key-from", path));
  if (!text) throw new InputError("missing_field", { field: "--seal-key-from", detail: "or VENTANILLA_SEAL_KEY" });
  return secret(text);
}

/** A session key as a text that is worth nothing without the seal key, good for a day at one service. */
export function sealSession(key: Secret, sealKey: Secret, audience: string): Promise<string> {
  const expiresAt = new Date(Date.now() + LIFETIME);
  return format.seal({ k: reveal(key) }, { keys: sealKey, audience, expiresAt });
}

/** Whether a text is a sealed session key. */
export function isSealed(text: string): boolean {
  return /^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
}

/** The session key that a command on a session was given; a terminal is asked for it. */
export async function sessionKeyOf(
  given: Given,
  environment: NodeJS.ProcessEnv,
  { client, output, host, checkCredential }: Service,
  signal: AbortSignal,
): Promise<Secret> {
  const path = textOf(given, "key-from");
  const variable = path === undefined && environment["VENTANILLA_SESSION_KEY"] && "VENTANILLA_SESSION_KEY";
  if (path !== undefined || variable) checkCredential(variable || "--key-from");
  const text =
    path === undefined ? environment["VENTANILLA_SESSION_KEY"] : firstLine(await readText("--key-from", path)).trim();
  if (!text) {
    const message = host === undefined ? "Session key" : `Session key (${host})`;
    if (path === undefined && isTerminal()) return askHidden({ message, output, signal });
    throw new InputError("missing_field", { field: "--key-from", detail: "or VENTANILLA_SESSION_KEY" });
  }
  if (!isSealed(text)) return secret(text);
  const { claims } = await format.unseal(text, {
    keys: await sealKeyOf(given, environment),
    audience: client.baseUrl,
  });
  return claims.k;
}
