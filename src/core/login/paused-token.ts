import * as v from "valibot";
import type { Credentials, PausedLogin } from "../../../machines/login.types.ts";
import { anyNameRecord } from "../api/any-name-record.ts";
import { reveal } from "../api/reveal.ts";
import { secret } from "../api/secret.ts";
import { createTokenFormat, type SealScope, secretClaim } from "../tokens/sealed-token.ts";
import { withoutPicture } from "./interaction-kind.ts";
import { createSettingsSchema, toPlainSettings } from "./validation.ts";

/** The content of a token. */
export interface UnsealedLogin {
  readonly paused: PausedLogin;
  readonly id: string;
  readonly expiresAt: Date;
}

/** The fields of a login as a sealed token holds them, by name. */
export const sealedFields: v.GenericSchema<Record<string, string>, Credentials["fields"]> = v.pipe(
  anyNameRecord(v.pipe(v.string(), v.transform(secret))),
  v.custom<Credentials["fields"]>((fields) =>
    ["username", "password"].every((name) => Object.hasOwn(fields as object, name)),
  ),
);

// JSON turns `Infinity`, which means no limit, into `null`.
const amount = v.pipe(
  v.nullable(v.number()),
  v.transform((value) => value ?? Number.POSITIVE_INFINITY),
);

const format = createTokenFormat(
  "ventanilla-login-2",
  v.object({
    l: v.string(),
    p: v.string(),
    f: v.optional(sealedFields),
    k: secretClaim,
    i: v.optional(v.tuple([v.string(), v.string(), v.number()])),
    o: v.optional(v.array(v.string()), []),
    a: v.optional(v.number()),
    n: v.optional(v.number()),
    w: v.optional(v.literal(true)),
    v: v.optional(v.literal(true)),
    c: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
    x: v.optional(amount),
    r: v.optional(v.literal(true)),
    s: createSettingsSchema(amount),
  }),
);

/** Seals a paused login into one URL-safe token. */
export async function sealPausedLogin(
  paused: PausedLogin,
  options: SealScope & { readonly expiresAt: Date },
): Promise<string> {
  const { id, provider, credentials, key, interaction, clients, sessionReplaced, settings } = paused;
  const fields = Object.entries(credentials?.fields ?? {}).map(([name, value]) => [name, reveal(value)]);
  const claims: Parameters<typeof format.seal>[0] = {
    l: id,
    p: provider,
    ...(credentials && { f: Object.fromEntries(fields) }),
    k: reveal(key),
    // A picture does not fit into a cookie.
    ...(interaction && { i: [interaction.field, withoutPicture(interaction).context, interaction.number] }),
    ...(interaction && interaction.fields.length > 1 && { o: interaction.fields.slice(1) }),
    ...(interaction?.isRepeat && { a: interaction.answersSent }),
    ...(interaction?.confirmationsSent && { n: interaction.confirmationsSent }),
    ...(interaction?.awaitsApproval && { w: true }),
    ...(interaction?.approvalSent && { v: true }),
    ...(clients.length > 0 && { c: clients.map(({ id, name }) => [id, name]) }),
    x: paused.expiresAt,
    ...(sessionReplaced && { r: true }),
    s: toPlainSettings(settings),
  };
  return format.seal(claims, options);
}

/**
 * Opens a token.
 *
 * @throws {BankError} the code says what is wrong with it; nothing of the token is in the error.
 */
export async function unsealPausedLogin(token: string, scope: SealScope): Promise<UnsealedLogin> {
  const { id, expiresAt, claims } = await format.unseal(token, scope);
  const { l, p, f, k, i, o, a, n, w, v, c, x, r, s } = claims;
  return {
    id,
    expiresAt,
    paused: {
      id: l,
      settings: s,
      provider: p,
      credentials: f && { id: l, provider: p, fields: f },
      key: k,
      interaction: i && {
        field: i[0],
        fields: [i[0], ...o],
        context: i[1],
        number: i[2],
        isRepeat: a !== undefined,
        answersSent: a ?? 0,
        ...(n !== undefined && { confirmationsSent: n }),
        ...(w && { awaitsApproval: w }),
        ...(v && { approvalSent: v }),
        expiresAt: x,
      },
      clients: c.map(([id, name]) => ({ id, name })),
      expiresAt: x,
      sessionReplaced: r ?? false,
    },
  };
}
