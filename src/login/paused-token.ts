import * as v from "valibot";
import { TokenError } from "../api/errors.ts";
import { readSent, writeSent } from "../api/fingerprint.ts";
import { reveal } from "../api/reveal.ts";
import { secret } from "../api/secret.ts";
import { newTokenId, openClaims, type SealKeys, sealClaims } from "../tokens/seal.ts";
import { withoutPicture } from "./interaction.ts";
import type { PausedLogin } from "./requests.ts";
import { sealedFields } from "./sealed-fields.ts";

/** A token that was opened. */
export interface OpenedToken {
  readonly paused: PausedLogin;
  readonly id: string;
  readonly expiresAt: Date;
}

// The format's version: a change of the claims below makes a new one, unless it is an optional claim that either version can do without.
const TYPE = "ventanilla-login-1";

const concealed = v.pipe(v.string(), v.transform(secret));
// JSON makes `null` of the infinity that stands for no limit.
const amount = v.pipe(
  v.nullable(v.number()),
  v.transform((value) => value ?? Number.POSITIVE_INFINITY),
);

// Short names, because a token may travel in a cookie.
const claims = v.object({
  jti: v.string(),
  exp: v.number(),
  p: v.string(),
  f: v.optional(sealedFields),
  k: concealed,
  e: v.optional(v.string()),
  i: v.optional(v.tuple([v.string(), v.string(), v.number()])),
  a: v.optional(v.number(), 0),
  c: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
  x: v.optional(amount),
  r: v.optional(v.literal(true)),
  s: v.object({
    validate: v.exactOptional(v.boolean()),
    clientSelection: v.exactOptional(v.boolean()),
    sessionReplacement: v.exactOptional(v.boolean()),
    interactionLimit: v.exactOptional(amount),
    answerTimeout: v.exactOptional(amount),
    deadline: v.exactOptional(amount),
  }),
});

/** Seals a paused login into one URL-safe token: JWE, `dir` and `A256GCM`. */
export async function seal(
  paused: PausedLogin,
  { keys, audience, expiresAt }: { keys: SealKeys; audience: string; expiresAt: Date },
): Promise<string> {
  const { provider, credentials, key, interaction, clients, sessionReplaced, settings } = paused;
  const fields = Object.entries(credentials?.fields ?? {}).map(([name, value]) => [name, reveal(value)]);
  const content = {
    p: provider,
    ...(credentials && { f: Object.fromEntries(fields) }),
    k: reveal(key),
    e: writeSent(key),
    // A cookie has no room for a picture.
    ...(interaction && { i: [interaction.field, withoutPicture(interaction).context, interaction.number] }),
    ...(interaction?.isRepeat && { a: interaction.answersSent }),
    ...(clients.length > 0 && { c: clients.map(({ id, name }) => [id, name]) }),
    ...(paused.expiresAt !== undefined && { x: paused.expiresAt }),
    ...(sessionReplaced && { r: true }),
    s: settings,
  };
  return sealClaims(content, { keys, audience, type: TYPE, expiresAt, id: newTokenId() });
}

/**
 * Opens a token.
 *
 * @throws {TokenError} the code says what is wrong with it; nothing of the token is in the error.
 */
export async function open(
  token: string,
  { keys, audience }: { keys: SealKeys; audience: string },
): Promise<OpenedToken> {
  const payload = await openClaims(token, { keys, audience, type: TYPE });
  const read = v.safeParse(claims, payload);
  if (!read.success) throw new TokenError("token_of_another_version");
  const { jti, exp, p, f, k, e, i, a, c, x, r, s } = read.output;
  return {
    id: jti,
    expiresAt: new Date(exp * 1000),
    paused: {
      settings: s,
      provider: p,
      credentials: f && { provider: p, fields: f },
      key: readSent(k, e),
      interaction: i && { field: i[0], context: i[1], number: i[2], isRepeat: a > 0, answersSent: a, expiresAt: x },
      clients: c.map(([id, name]) => ({ id, name })),
      expiresAt: x,
      sessionReplaced: r ?? false,
    },
  };
}
