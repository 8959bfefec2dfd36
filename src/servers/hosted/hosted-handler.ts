import { LOGIN_HEADER } from "../../core/api/bank-request.ts";
import { type BankError, wrapThrown } from "../../core/api/errors.ts";
import { isToken } from "../environment.ts";
import type { KeptLogins } from "../kept/kept-logins.ts";
import { parseAddress } from "../relay/browser-input.ts";
import { reportError } from "../relay/relay-events.ts";
import { toResponse } from "../relay/relay-responses.ts";
import { findAsset } from "./assets.ts";
import { createBrowserCookie } from "./browser-cookie.ts";
import { formatFirstForm, readDetail } from "./first-form.ts";
import { createHostedDoor } from "./hosted-door.ts";
import type { HostedSettings, HostedStatus } from "./hosted-options.ts";
import { createId, type HostedSessions } from "./hosted-sessions.ts";
import { createHeaders, formatLoginPage, formatMessagePage, readLocale } from "./pages.ts";
import type { SessionEnds } from "./session-ends.ts";
import { type NotifyProgress, type SessionDoor, toPageLogin } from "./session-row.ts";

/** Serves the page of each address, its files, and the requests that it makes. */
export function createHostedHandler(
  settings: HostedSettings,
  {
    logins,
    sessions,
    ends,
    notifyProgress,
  }: {
    readonly logins: KeptLogins<SessionDoor>;
    readonly sessions: HostedSessions;
    readonly ends: SessionEnds;
    readonly notifyProgress: NotifyProgress;
  },
) {
  const { prefix, origin, environment } = settings;
  const cookie = createBrowserCookie(settings);
  const door = createHostedDoor(settings, { logins, sessions, cookie });

  async function showPage(token: string, request: Request): Promise<Response> {
    const id = await createId(token);
    const found = await sessions.find(id);
    const locale = readLocale(request, found?.row.door.locale);
    const page = { settings, locale };
    if (!found) return formatMessagePage("unknown", 404, page);
    const session = await ends.settle(found);
    const { holder, end, door: created } = session.row;
    const isElsewhere = holder !== undefined && holder !== (await cookie.read(request, id));
    if (!end && isElsewhere) return formatMessagePage("elsewhere", 403, page);
    if (!end) {
      const isForm = created.provider !== undefined && !toPageLogin(session, environment);
      return formatLoginPage(page, session, {
        firstForm: isForm ? await formatFirstForm(settings, created.provider, locale) : undefined,
        answerTime: logins.answerTime,
        setCookie: cookie.create(request),
      });
    }
    if (isElsewhere && end.status !== "expired") return formatMessagePage("used", 410, page);
    const { returnTo } = created;
    const back = isElsewhere || returnTo === undefined ? undefined : createReturnUrl(returnTo, id, end.status);
    // Possibly never opened before: the person reads why there is no login, and returns by a link.
    if (back === undefined || holder === undefined) {
      const mayHaveArrived = created.left?.lastStep === "submitting";
      const isReached = end.status === "logged_in";
      const bank = isReached && end.provider ? (await readDetail(settings, end.provider))?.name : undefined;
      return formatMessagePage(end.status, isReached ? 200 : 410, page, { bank, back, mayHaveArrived });
    }
    return new Response(null, { status: 303, headers: { ...createHeaders(), location: back } });
  }

  /** The session's state, for its page. Only a browser that keeps cookies and runs scripts gets it. */
  async function readState(request: Request): Promise<Response> {
    const own = await door.findOwn(request);
    const id = request.headers.get(LOGIN_HEADER);
    if (id === null || (await cookie.read(request, id)) === undefined) return respondJson(401, {});
    // It has ended, or belongs to another browser: the page shows which.
    if (!own || (await sessions.isOver(own.session))) return respondJson(410, {});
    let { session } = own;
    if (!session.row.door.isOpened) {
      let isFirst = false;
      session =
        (await logins.change(session, (row) => {
          isFirst = !row.door.isOpened && !row.end;
          return isFirst ? { ...row, door: { ...row.door, isOpened: true } } : undefined;
        })) ?? session;
      if (isFirst && !session.row.last) notifyProgress(session, { type: "opened" });
    }
    const { door: created, expiresAt } = session.row;
    return respondJson(200, {
      provider: created.provider,
      username: created.username,
      login: toPageLogin(session, environment),
      /** The page continues the numbers of its submits from here. */
      lastSubmit: session.row.number,
      /** Milliseconds: the page's clock may be wrong. */
      timeLeft: expiresAt - environment.now(),
    });
  }

  /** The person leaves. Before the first submit this ends nothing: the link can be opened again. */
  async function cancel(request: Request): Promise<Response> {
    const own = request.headers.get("origin") === origin ? await door.findOwn(request) : undefined;
    if (!own) return respondJson(401, {});
    const { id, row } = own.session;
    const { end, last, door: created } = row;
    if (!end && last) await ends.cancel(own.session);
    const isLeft = !end && !last && created.returnTo !== undefined;
    const status = created.isOpened ? "opened" : "created";
    return respondJson(200, { back: isLeft ? createReturnUrl(created.returnTo, id, status) : undefined });
  }

  async function serve(request: Request, path: string): Promise<Response> {
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (path.startsWith("bank/")) return door.handle(request);
    const asset = isRead ? findAsset(path, request, settings.accent) : undefined;
    if (asset) return asset;
    const work = findWork(request, path, isRead);
    if (!work) return notFound(request);
    // Before any read of the store.
    const limited = await door.checkLimit(request);
    if (!limited) return work();
    const page = { settings, locale: readLocale(request) };
    return isToken(path) ? formatMessagePage("broken", limited.httpStatus, page) : toResponse(limited, {});
  }

  function findWork(request: Request, path: string, isRead: boolean): (() => Promise<Response>) | undefined {
    if (path === "state/" && isRead) return () => readState(request);
    if (path === "cancel/" && request.method === "POST") return () => cancel(request);
    return isRead && isToken(path) ? () => showPage(path, request) : undefined;
  }

  const notFound = (request: Request) => formatMessagePage("unknown", 404, { settings, locale: readLocale(request) });

  return async (request: Request): Promise<Response> => {
    const path = parseAddress(request.url)?.path ?? "";
    let status: 500 | 503;
    try {
      return path.startsWith(prefix) ? await serve(request, path.slice(prefix.length)) : notFound(request);
    } catch (error) {
      const fault = wrapThrown(error);
      reportError(settings, fault, { id: crypto.randomUUID() });
      status = isStoreFault(fault) ? 503 : 500;
    }
    try {
      return formatMessagePage("broken", status, { settings, locale: readLocale(request) });
    } catch {
      // The page needs files of the package, and these may be what is missing.
      return new Response(null, { status, headers: createHeaders() });
    }
  };
}

/** Whether the store has failed: the same request may succeed later. */
export const isStoreFault = ({ code, field }: BankError): boolean => code === "handler_failed" && field === "store";

function createReturnUrl(returnTo: string, id: string, status: HostedStatus): string {
  const target = new URL(returnTo);
  target.searchParams.set("session", id);
  target.searchParams.set("status", status);
  return target.href;
}

const respondJson = (status: number, body: object): Response =>
  Response.json(body, { status, headers: createHeaders() });
