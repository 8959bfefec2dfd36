import * as v from "valibot";
import { createTokenFormat, parseKeys, type SealKeys, secretClaim } from "../../../core/tokens/sealed-token.ts";
import { BankError, reveal, type Secret, secret } from "../../../index.ts";
import { group, type OptionValues, option } from "../arguments.ts";
import type { ProgramContext } from "../command.ts";
import type { Output } from "../terminal/output.ts";
import { firstLine, readSecretText, splitSecrets } from "./private-files.ts";
import type { Service } from "./service-settings.ts";

const format = createTokenFormat("ventanilla-session-1", v.object({ k: secretClaim }));

// A day: the contract shows no lifetime of a session.
const LIFETIME = 24 * 60 * 60 * 1000;

export const sealOptions = group("The session key", {
  "seal-key-from": option(
    "file",
    "File with the key that seals, 32 bytes as base64, and in further lines older ones that open (VENTANILLA_SEAL_KEY holds the keys themselves)",
  ),
});

export const sessionOptions = {
  ...group("The session key", {
    "key-from": option(
      "file",
      "File with the session key, plain or sealed, - for standard input (VENTANILLA_SESSION_KEY holds the key itself)",
    ),
  }),
  ...sealOptions,
} as const;

/** The keys of session keys and paused logins: the first one seals, all of them open. */
export async function readSealKeys(
  values: OptionValues<typeof sealOptions>,
  program: ProgramContext,
  output: Output,
): Promise<readonly Secret[]> {
  const path = values["seal-key-from"];
  const text =
    path === undefined
      ? program.environment["VENTANILLA_SEAL_KEY"]
      : await readSecretText("--seal-key-from", path, program, output);
  const keys = splitSecrets(text ?? "").map((key) => secret(key));
  if (keys.length === 0) {
    throw new BankError("missing_field", { field: "--seal-key-from", detail: "or VENTANILLA_SEAL_KEY" });
  }
  parseKeys("--seal-key-from", keys);
  return keys;
}

/** Seals a session key for a day and for one service. */
export function sealSession(key: Secret, sealKeys: SealKeys, audience: string): Promise<string> {
  const expiresAt = new Date(Date.now() + LIFETIME);
  return format.seal({ k: reveal(key) }, { keys: sealKeys, audience, expiresAt });
}

function isSealed(text: string): boolean {
  return /^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
}

/** The session key of a file or the environment. In a terminal the person is asked for it. */
export async function readSessionKey(
  values: OptionValues<typeof sessionOptions>,
  program: ProgramContext,
  { client, output, prompts, host }: Service,
): Promise<Secret> {
  const path = values["key-from"];
  const variable = program.environment["VENTANILLA_SESSION_KEY"];
  const text =
    path === undefined ? variable : firstLine(await readSecretText("--key-from", path, program, output)).trim();
  if (!text) {
    const message = host === undefined ? output.text("sessionKey") : `${output.text("sessionKey")} (${host})`;
    if (path === undefined && prompts.isAvailable) return prompts.askHidden(message);
    throw new BankError("missing_field", { field: "--key-from", detail: "or VENTANILLA_SESSION_KEY" });
  }
  if (!isSealed(text)) return secret(text);
  const keys = await readSealKeys(values, program, output);
  const { claims } = await format.unseal(text, { keys, audience: client.baseUrl });
  return claims.k;
}
