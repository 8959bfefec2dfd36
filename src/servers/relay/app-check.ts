import { isBearerToken } from "../../core/api/client-options.ts";
import { type Secret, secret } from "../../core/api/secret.ts";
import { callHookInTime, createHookError } from "../../core/tokens/hooks.ts";
import { appRefused, appsNotServed, type RelayResponse } from "./relay-responses.ts";

/** An app that sends a request, before anything of the request is read. */
export interface RelayApp {
  /** The app's request, for its other headers. Its body can't be read: the relay needs it. */
  readonly request: Request;
  /** The bearer token. `reveal(token)` gives the text. Nothing in it was checked but its characters. */
  readonly token: Secret;
}

type CheckAppToken = (app: RelayApp) => boolean | Promise<boolean>;
type ReadAppUser = (app: RelayApp) => string | Promise<string>;

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

export async function readUser(readAppUser: ReadAppUser, app: RelayApp): Promise<string> {
  const user = await callHookInTime("readAppUser", () => readAppUser(app));
  // An empty text would be one user for all.
  if (typeof user !== "string" || user === "") throw createHookError("readAppUser", "returned no text");
  return user;
}
