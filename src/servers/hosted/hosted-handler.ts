import { wrapThrown } from "../../core/api/errors.ts";
import { findFailure } from "../../core/api/failures.ts";
import { readRefusalStatus } from "../../core/api/refusals.ts";
import { ATTEMPT_HEADER } from "../relay/attempts.ts";
import { parseAddress } from "../relay/browser-input.ts";
import { createRelay } from "../relay/relay.ts";
import { reportError } from "../relay/relay-events.ts";
import { findAsset } from "./assets.ts";
import { createBrowserCookie, SESSION_HEADER } from "./browser-cookie.ts";
import type { HostedEndStatus, HostedSettings } from "./hosted-options.ts";
import { createId } from "./hosted-sessions.ts";
import { createHeaders, formatLoginPage, formatMessagePage, readLocale } from "./pages.ts";
import { digest, isToken } from "./random-token.ts";
import type { SessionEnds } from "./session-ends.ts";
import type { SessionRecords, StoredSession } from "./session-records.ts";
import { readUsername, sealText } from "./session-seals.ts";

/** Serves the page of each address, what it loads, and the relay that it talks to. */
export function createHostedHandler(settings: HostedSettings, records: SessionRecords, ends: SessionEnds) {
  const { prefix, origin, returnTo, name, url, store, retention, onEnd, ...relayOptions } = settings;
  const cookie = createBrowserCookie(settings);
  const relay = createRelay({
    ...relayOptions,
    claimStore: store,
    responseStore: store,
    allowedOrigins: [origin],
    path: `${prefix}bank/`,
    readUser: async ({ request }) => (await findUser(request))?.id,
    async onLogin({ user: id = "", provider, key, request }) {
      const session = await records.find(id);
      if (!session) return;
      const sealed = await sealText(settings, id, "key", key, new Date(session.created.forgetAt));
      const attempt = request.headers.get(ATTEMPT_HEADER);
      await ends.end(session, { status: "logged_in", provider, key: sealed, ...(attempt !== null && { attempt }) });
    },
  });

  /** The session that a page's request is about, if it comes from a browser that may open it. */
  async function findOwn(request: Request): Promise<StoredSession | undefined> {
    const session = await records.find(request.headers.get(SESSION_HEADER) ?? "");
    return session && (await isOwn(session, request)) ? session : undefined;
  }

  async function isOwn({ id, browser }: StoredSession, request: Request): Promise<boolean> {
    const secret = cookie.read(request, id);
    return secret !== undefined && (browser === undefined || browser === (await digest(secret)));
  }

  /** Gives an open session to the browser of a request, unless another one has it. @returns the session if it is this browser's. */
  async function bind(session: StoredSession, request: Request): Promise<StoredSession | undefined> {
    if (session.browser !== undefined) return session;
    await records.note(session, "browser", await digest(cookie.read(request, session.id) ?? ""));
    // Another browser may have been faster.
    return findOwn(request);
  }

  /** Whose login a request to the relay is. With the first one that is sent to the bank the session belongs to its browser. */
  async function findUser(request: Request): Promise<StoredSession | undefined> {
    const session = await findOwn(request);
    const attempt = request.headers.get(ATTEMPT_HEADER);
    if (!session || attempt === null) return session;
    // A browser may repeat the request that has ended the session.
    if (!session.isOpen) return attempt === session.end?.attempt ? session : undefined;
    return bind(session, request);
  }

  /** The end is in the store before the page gets the response. */
  async function logIn(request: Request): Promise<Response> {
    const response = await relay(request);
    if (response.body) await noteOutcome(request, await response.clone().json());
    return response;
  }

  /** Notes a question, and a failure after which nothing is left to try. The relay responds with a status only to a session's own browser. */
  async function noteOutcome(request: Request, body: Record<string, unknown>): Promise<void> {
    const { status } = body;
    if (typeof status !== "string" || status === "logged_in") return;
    const session = await findOwn(request);
    if (!session?.isOpen || session.browser === undefined) return;
    if (status === "interaction_required" || status === "select_client") {
      if (session.status !== "asking") await records.note(session, "asking");
      return;
    }
    const code = readRefusalStatus(body);
    const { recovery } = findFailure(code);
    // A person who may choose the bank can choose another one.
    const isLast =
      session.created.provider !== undefined && (recovery === "contactBank" || recovery === "changeProvider");
    if (isLast) await ends.end(session, { status: "failed", failure: code });
  }

  async function showPage(token: string, request: Request): Promise<Response> {
    const id = await createId(token);
    const session = await records.find(id);
    const locale = readLocale(request, session?.created.locale);
    const page = { settings, locale };
    if (!session) return formatMessagePage("unknown", 404, page);
    await ends.settle(session);
    const { isOpen, browser, created } = session;
    const isElsewhere = browser !== undefined && !(await isOwn(session, request));
    if (isOpen && isElsewhere) return formatMessagePage("elsewhere", 403, page);
    if (isOpen) return formatLoginPage(page, session, cookie.read(request, id) ? undefined : cookie.create(session));
    const status = session.end?.status ?? "expired";
    if (isElsewhere && status !== "expired") return formatMessagePage("used", 410, page);
    if (isElsewhere || browser === undefined || created.returnTo === undefined) {
      return formatMessagePage(status, 410, page);
    }
    return new Response(null, {
      status: 303,
      headers: { ...createHeaders(), location: createReturnUrl(created.returnTo, id, status) },
    });
  }

  /** What the page needs beside its HTML: only a browser that keeps cookies and runs scripts gets it. */
  async function readState(request: Request): Promise<Response> {
    const session = await findOwn(request);
    const hasCookie = cookie.read(request, request.headers.get(SESSION_HEADER) ?? "") !== undefined;
    if (!session && !hasCookie) return respondJson(401, {});
    // It has ended, or belongs to another browser: the page says which.
    if (!session?.isOpen) return respondJson(410, {});
    const { id, status, created } = session;
    if (status === "created") await records.note(session, "opened");
    const username = created.username && (await readUsername(settings, id, created.username));
    return respondJson(200, { provider: created.provider, username });
  }

  async function cancel(request: Request): Promise<Response> {
    const session = request.headers.get("origin") === origin ? await findOwn(request) : undefined;
    const bound = session?.isOpen ? await bind(session, request) : session;
    if (!bound) return respondJson(401, {});
    if (bound.isOpen) await ends.end(bound, { status: "cancelled" });
    return respondJson(200, {});
  }

  async function serve(request: Request, path: string): Promise<Response> {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (path === "bank/login/" || path.startsWith("bank/attempt/")) return logIn(request);
    if (path.startsWith("bank/")) return relay(request);
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

function createReturnUrl(returnTo: string, id: string, status: HostedEndStatus): string {
  const target = new URL(returnTo);
  target.searchParams.set("session", id);
  target.searchParams.set("status", status);
  return target.href;
}

const respondJson = (status: number, body: object): Response =>
  Response.json(body, { status, headers: createHeaders() });
