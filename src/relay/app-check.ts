import { HandlerError } from "../api/errors.ts";
import { isBearerToken } from "../api/options.ts";
import { type Secret, secret } from "../api/secret.ts";
import { callHook } from "./relay-events.ts";
import { appRefused, appsNotServed, type RelayResponse } from "./relay-responses.ts";

/** An app that asks for something, before anything of its request is read. */
export interface RelayApp {
  /** The app's request, for its other headers. Its body can't be read: the relay needs it. */
  readonly request: Request;
  /** The bearer token. `reveal(token)` gives the text. Nothing in it was checked but its characters. */
  readonly token: Secret;
}

type CheckAppToken = (app: RelayApp) => boolean | Promise<boolean>;
type ReadAppUser = (app: RelayApp) => string | Promise<string>;

/** Milliseconds until a check that does not respond is an error. */
const CHECK_TIMEOUT = 10_000;

/**
 * The token of an app, or why it is refused; undefined for a page.
 *
 * Browsers send `Origin` with every POST, and new ones `Sec-Fetch-Site` with every read over TLS; scripts can take neither away. A
 * read with neither may be that of a page in an old browser: where no app is served, it is treated as one. A script of another site
 * can add no token to it, since that needs a preflight.
 */
export function readAppToken(
  { method, headers }: Request,
  checkAppToken: CheckAppToken | undefined,
): Secret | RelayResponse | undefined {
  if (headers.has("origin") || headers.has("sec-fetch-site")) return undefined;
  if (!checkAppToken) return method === "GET" ? undefined : appsNotServed;
  const [scheme, token = "", ...others] = (headers.get("authorization") ?? "").split(" ");
  if (scheme?.toLowerCase() !== "bearer" || !isBearerToken(token) || others.length > 0) return appRefused;
  return secret(token);
}

/**
 * Whether the owner's function accepts an app.
 *
 * @throws {HandlerError} `handler_failed` naming `checkAppToken`, where it threw, did not respond within 10 seconds or returned
 * anything but `true` or `false`: then nothing is sent.
 */
export async function isAppAccepted(checkAppToken: CheckAppToken | undefined, app: RelayApp): Promise<boolean> {
  const isAccepted = await callInTime("checkAppToken", () => checkAppToken?.(app));
  // What a library makes of a token is an object; a forgotten `return` is undefined. Neither may let an app in.
  if (typeof isAccepted !== "boolean") throw createFailure("checkAppToken", "returned neither true nor false");
  return isAccepted;
}

/**
 * Whose app it is, by the owner's function.
 *
 * @throws {HandlerError} `handler_failed` naming `readAppUser`, where it threw, did not respond within 10 seconds or returned no
 * text: then nothing is sent.
 */
export async function readUser(readAppUser: ReadAppUser, app: RelayApp): Promise<string> {
  const user = await callInTime("readAppUser", () => readAppUser(app));
  // An empty text would be one user for all.
  if (typeof user !== "string" || user === "") throw createFailure("readAppUser", "returned no text");
  return user;
}

const createFailure = (field: string, detail: string) => new HandlerError("handler_failed", { field, detail });

/** Calls an owner's function, for as long as a check may take. */
async function callInTime(field: string, call: () => unknown): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createFailure(field, `no response within ${CHECK_TIMEOUT} ms`)), CHECK_TIMEOUT);
  });
  // The function could read the whole request, of which nothing is known yet.
  const called = callHook<unknown>(field, call, undefined);
  try {
    return await Promise.race([called, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
