import { wrapThrown } from "../../core/api/errors.ts";
import { isToken } from "../random-token.ts";
import { parseAddress } from "../relay/browser-input.ts";
import { reportError } from "../relay/relay-events.ts";
import { findAsset } from "./assets.ts";
import { createBrowserCookie, SESSION_HEADER } from "./browser-cookie.ts";
import type { HostedSettings, HostedStatus } from "./hosted-options.ts";
import { createHostedRelay } from "./hosted-relay.ts";
import { createId } from "./hosted-sessions.ts";
import { toKeptLogin } from "./page-login.ts";
import { createHeaders, formatLoginPage, formatMessagePage, readLocale } from "./pages.ts";
import type { SessionEnds } from "./session-ends.ts";
import type { SessionProgress } from "./session-progress.ts";
import type { SessionRecords } from "./session-records.ts";
import { readUsername } from "./session-seals.ts";
import type { SessionSubmits } from "./session-submits.ts";

/** Serves the page of each address, what it loads, and the relay that it talks to. */
export function createHostedHandler(
  settings: HostedSettings,
  {
    records,
    ends,
    submits,
    progress,
  }: {
    readonly records: SessionRecords;
    readonly ends: SessionEnds;
    readonly submits: SessionSubmits;
    readonly progress: SessionProgress;
  },
) {
  const { prefix, origin, environment } = settings;
  const cookie = createBrowserCookie(settings);
  const relay = createHostedRelay(settings, { records, submits, cookie });

  async function showPage(token: string, request: Request): Promise<Response> {
    const id = await createId(token);
    const session = await records.find(id);
    const locale = readLocale(request, session?.created.locale);
    const page = { settings, locale };
    if (!session) return formatMessagePage("unknown", 404, page);
    await ends.settle(session);
    const { browser, created, status, end } = session;
    const isElsewhere = browser !== undefined && browser !== (await cookie.read(request, id));
    const isOver = end !== undefined || status === "expired";
    if (!isOver && isElsewhere) return formatMessagePage("elsewhere", 403, page);
    if (!isOver) return formatLoginPage(page, session, submits.answerTime, cookie.create(request));
    if (isElsewhere && status !== "expired") return formatMessagePage("used", 410, page);
    const over = end?.status ?? "expired";
    const back =
      isElsewhere || created.returnTo === undefined ? undefined : createReturnUrl(created.returnTo, id, over);
    // Nobody may have opened it before: the person reads why there is no login, and goes back by a link.
    if (back === undefined || browser === undefined) {
      return formatMessagePage(over, over === "logged_in" ? 200 : 410, page, back);
    }
    return new Response(null, { status: 303, headers: { ...createHeaders(), location: back } });
  }

  /** Where the session is, for its page. Only a browser that keeps cookies and runs scripts gets it. */
  async function readState(request: Request): Promise<Response> {
    const own = await relay.findOwn(request);
    const id = request.headers.get(SESSION_HEADER);
    if (id === null || (await cookie.read(request, id)) === undefined) return respondJson(401, {});
    // It has ended, or belongs to another browser: the page says which.
    if (!own || own.session.end || own.session.status === "expired") return respondJson(410, {});
    const { session } = own;
    const { status, created } = session;
    if (status === "created" && (await records.note(session, "opened"))) progress.tell(session, { type: "opened" });
    const username = created.username && (await readUsername(settings, id, created.username));
    return respondJson(200, {
      provider: created.provider,
      username,
      login: await toKeptLogin(session, submits.read, environment),
      /** Milliseconds: the page's clock may be wrong. */
      timeLeft: created.expiresAt - environment.now(),
    });
  }

  /** The person leaves. Before the first submit that ends nothing: the link can be opened again. */
  async function cancel(request: Request): Promise<Response> {
    const own = request.headers.get("origin") === origin ? await relay.findOwn(request) : undefined;
    if (!own) return respondJson(401, {});
    const { id, created, status, end, last } = own.session;
    if (!end && last) await ends.cancel(own.session);
    const isLeft = !end && !last && created.returnTo !== undefined;
    return respondJson(200, { back: isLeft ? createReturnUrl(created.returnTo, id, status) : undefined });
  }

  async function serve(request: Request, path: string): Promise<Response> {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (path.startsWith("bank/")) return relay.handle(request, path.slice("bank/".length));
    if (path === "state/" && request.method === "GET") return readState(request);
    if (path === "cancel/" && request.method === "POST") return cancel(request);
    const asset = isRead ? findAsset(path) : undefined;
    if (asset) return asset;
    return isRead && isToken(path) ? showPage(path, request) : notFound(request);
  }

  const notFound = (request: Request) => formatMessagePage("unknown", 404, { settings, locale: readLocale(request) });

  return async (request: Request): Promise<Response> => {
    const path = parseAddress(request.url)?.path ?? "";
    const report = (error: unknown) => reportError(settings, wrapThrown(error), { id: crypto.randomUUID() });
    try {
      return path.startsWith(prefix) ? await serve(request, path.slice(prefix.length)) : notFound(request);
    } catch (error) {
      report(error);
    }
    try {
      return formatMessagePage("broken", 500, { settings, locale: readLocale(request) });
    } catch {
      // The page needs files of the package, and they may be what is missing.
      return new Response(null, { status: 500, headers: createHeaders() });
    }
  };
}

function createReturnUrl(returnTo: string, id: string, status: HostedStatus): string {
  const target = new URL(returnTo);
  target.searchParams.set("session", id);
  target.searchParams.set("status", status);
  return target.href;
}

const respondJson = (status: number, body: object): Response =>
  Response.json(body, { status, headers: createHeaders() });
