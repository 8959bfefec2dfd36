import { TerminalError } from "@restatedev/restate-sdk";
import * as v from "valibot";
import type { LoginSettings } from "../../../machines/login.types.ts";
import { toField } from "../../core/api/input-issue.ts";
import { createSettingsSchema } from "../../core/login/validation.ts";
import { locales } from "../../core/texts/languages.ts";
import { TOKEN_FORMAT } from "../../core/tokens/sealed-token.ts";
import type { SealedCredentials } from "./durable-seals.ts";

export interface StartMessage {
  /** The credentials, sealed: see `sealCredentials`. */
  readonly credentials: SealedCredentials;
  /** How the login behaves. Default: by the contract. */
  readonly settings?: LoginSettings;
}

export interface ChooseMessage {
  readonly client: string;
}

// Unsealed text is refused.
const sealed = v.pipe(v.string(), v.regex(TOKEN_FORMAT));
const nonNegativeInteger = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const startMessage = v.object({
  credentials: v.object({ provider: v.pipe(v.string(), v.minLength(1)), sealed, expiresAt: nonNegativeInteger }),
  settings: v.optional(createSettingsSchema(nonNegativeInteger), {}),
});
export const answerMessage = v.object({
  interaction: nonNegativeInteger,
  sealed,
  isConfirmation: v.exactOptional(v.boolean()),
  isListed: v.exactOptional(v.boolean()),
});
export const chooseMessage = v.object({ client: v.pipe(v.string(), v.minLength(1)) });
export const localeMessage = v.optional(v.object({ locale: v.exactOptional(v.picklist(locales)) }), {});

/**
 * Parses a message of a caller. The error names the member without its value.
 *
 * @throws {TerminalError} 400, `invalid_input: <member>`.
 */
export function parseMessage<Schema extends v.GenericSchema>(schema: Schema, message: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, message ?? undefined, { abortEarly: true });
  if (result.success) return result.output;
  throw new TerminalError(`invalid_input: ${toField(result.issues, "message")}`, { errorCode: 400 });
}
