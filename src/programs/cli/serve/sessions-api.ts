import { timingSafeEqual } from "node:crypto";
import * as v from "valibot";
import { LOGIN_HEADER } from "../../../core/api/bank-request.ts";
import { digestText } from "../../../core/api/digest.ts";
import { wrapThrown } from "../../../core/api/errors.ts";
import { failureNotes } from "../../../core/api/failure-notes.ts";
import { failures } from "../../../core/api/failures.ts";
import { createIssueError, toField } from "../../../core/api/input-issue.ts";
import { type BankError, type FailureCode, reveal } from "../../../index.ts";
import { isStoreFault } from "../../../servers/hosted/hosted-handler.ts";
import type { CreatedSession } from "../../../servers/hosted/hosted-options.ts";
import type { HostedLogin, HostedSession } from "../../../servers/hosted/index.ts";
import { parseAddress, readBody } from "../../../servers/relay/browser-input.ts";
import type { RateLimit } from "../../../servers/relay/own-rate-limit.ts";
import { findRequestId, REQUEST_ID } from "../../../servers/relay/request-id.ts";
import {
  type ApiError,
  formatSession,
  IDEMPOTENCY_KEY,
  newSession,
  RECIPIENT_LIMIT,
  toNewSession,
  user,
} from "./api-schemas.ts";
import type { Readiness } from "./readiness.ts";
import type { ServeKey } from "./serve-settings.ts";

export interface SessionsApiOptions {
  readonly hosted: HostedLogin;
  /** The keys that callers send as `Authorization: Bearer`, with their names. */
  readonly keys: readonly ServeKey[];
  readonly readReadiness: () => Promise<Readiness>;
  readonly rateLimit: RateLimit;
  readonly describe: () => Promise<object>;
  /** Who calls: an address. Default: unknown. */
  readonly readCaller?: (request: Request) => string | undefined;
  /** Called after each request. No member has more of its address than the route. */
  readonly onResponse: (entry: ApiEvent) => void;
}

/** One request that was responded to, for the log. */
export interface ApiEvent {
  /** `POST /sessions/{id}/key`; `page` for everything that is not of the API. */
  readonly route: string;
  readonly httpStatus: number;
  /** The name of the key that the caller has sent, if it has one. */
  readonly serveKey?: string;
  readonly session?: string;
  readonly user?: string;
  /** The id of the session's last login. */
  readonly login?: string;
  readonly caller?: string;
  /** The header `X-Request-Id` that the request came with, or a new one. The response has it too. */
  readonly requestId: string;
  readonly error?: string;
  /** The error behind an HTTP 500 or 503. */
  readonly fault?: BankError;
  readonly duration: number;
}

interface Refusal {
  readonly httpStatus: number;
  readonly error: FailureCode;
  readonly message: string;
  readonly field?: string;
  /** Where a session for logging in again is made. */
  readonly renew?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fault?: BankError;
}

/** What a request gets, and for the log whose session it is about. */
type Result = (Refusal | { readonly httpStatus: 200 | 201 | 503; readonly body: object; readonly fault?: BankError }) &
  Partial<Pick<HostedSession, "user" | "login">>;

/** The paths, and what each responds to by its method. */
type Routes = Readonly<Record<string, Readonly<Record<string, (request: Request, id: string) => Promise<Result>>>>>;

/**
 * Serves the HTTP API of a hosted login, and its pages at every other path, as one web-standard handler. It always resolves.
 * `GET /openapi.json`, `GET /health` and `GET /ready` need no key.
 */
export function createSessionsApi({
  hosted,
  keys,
  readReadiness,
  rateLimit,
  describe,
  readCaller = () => undefined,
  onResponse,
}: SessionsApiOptions) {
  const known = Promise.all(keys.map(async ({ name, text }) => ({ name, expected: await digest(text) })));
  const findKey = async ({ headers }: Request) => {
    const [, sent = ""] = /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
    const written = await digest(sent);
    return (await known).find(({ expected }) => timingSafeEqual(written, expected));
  };

  async function checkUser(user: string): Promise<Refusal | undefined> {
    const wait = await rateLimit({ caller: `user ${user}`, kind: "login" });
    if (!wait) return undefined;
    return { ...refuse(429, "rate_limited"), headers: { "retry-after": String(Math.ceil(wait / 1000)) } };
  }

  async function create(request: Request): Promise<Result> {
    const body = await readNewSession(request);
    if ("error" in body) return body;
    const refusal = await checkUser(body.user);
    if (refusal) return refusal;
    return { ...toCreated(await hosted.create(toNewSession(body))), user: body.user };
  }

  async function renew(id: string): Promise<Result> {
    const { user } = await hosted.read(id);
    return (await checkUser(user)) ?? { ...toCreated(await hosted.renew(id)), user };
  }

  async function takeKey(request: Request, id: string): Promise<Result> {
    const recipient = request.headers.get(IDEMPOTENCY_KEY);
    if (!recipient) return refuse(400, "missing_field", { field: IDEMPOTENCY_KEY });
    if (recipient.length > RECIPIENT_LIMIT) {
      return refuse(400, "invalid_input", {
        field: IDEMPOTENCY_KEY,
        message: `must have ${RECIPIENT_LIMIT} characters at most`,
      });
    }
    const { name = "" } = (await findKey(request)) ?? {};
    // The same name of a job in the hand of another caller takes nothing.
    const idempotencyKey = name === "" ? recipient : await digestText(JSON.stringify([name, recipient]));
    // Before: the log has whose key it was, and nothing comes between the recipient and the key.
    const { user, login, over } = await hosted.read(id);
    const about = { user, ...(login && { login }) };
    try {
      return { ...ok({ key: reveal(await hosted.takeKey(id, { idempotencyKey })) }), ...about };
    } catch (error) {
      const refusal = toRefusal(error);
      const isRenewable = refusal.error === "key_unavailable" && over;
      return { ...refusal, ...about, ...(isRenewable && { renew: `/sessions/${id}/renew` }) };
    }
  }

  const list = (request: Request) =>
    withUser(request, async (user) => ({ sessions: (await hosted.list(user)).map(formatSession) }));

  const erase = (request: Request) =>
    withUser(request, async (user) => {
      const { sessions, mayHaveArrived } = await hosted.erase(user);
      return { erased: sessions, may_have_arrived: mayHaveArrived };
    });

  const open: Routes = {
    "/health": { GET: async () => ok({ status: "ok" }) },
    "/ready": {
      async GET() {
        const { status, fault } = await readReadiness();
        return { httpStatus: status === "ready" ? 200 : 503, body: { status }, ...(fault && { fault }) };
      },
    },
    "/openapi.json": { GET: async () => ok(await describe()) },
  };
  const keyed: Routes = {
    "/sessions": { POST: create, GET: list, DELETE: erase },
    "/sessions/{id}": {
      GET: async (_, id) => ok(formatSession(await hosted.read(id))),
      DELETE: async (_, id) => ok(formatSession(await hosted.cancel(id))),
    },
    "/sessions/{id}/key": { POST: takeKey },
    "/sessions/{id}/renew": { POST: (_, id) => renew(id) },
  };

  async function respond(request: Request, path: string, id: string): Promise<Result> {
    const isKeyed = !Object.hasOwn(open, path);
    if (isKeyed && !(await findKey(request))) return notAllowed;
    const methods = (isKeyed ? keyed : open)[path];
    if (!methods) return refuse(404, "invalid_input", { field: "path", message: "There is nothing at this path." });
    // The server sends no body of a response to HEAD.
    const method = request.method === "HEAD" ? "GET" : request.method;
    const handle = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handle) return handle(request, id);
    const allow = Object.keys(methods)
      .flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]))
      .join(", ");
    return { ...refuse(405, "invalid_input", { field: "method", message: `Use ${allow}.` }), headers: { allow } };
  }

  return async (request: Request): Promise<Response> => {
    const begun = performance.now();
    const requestId = findRequestId(request) ?? crypto.randomUUID();
    request.headers.set(REQUEST_ID, requestId);
    const [path, id] = findTemplate(readPath(request));
    const isPage = path === undefined;
    const result = isPage ? undefined : await respond(request, path, id).catch((error): Result => toRefusal(error));
    const response = result ? toResponse(result) : await hosted.handle(request);
    const method = ["GET", "HEAD", "POST", "DELETE"].includes(request.method) ? request.method : "other";
    response.headers.set(REQUEST_ID, requestId);
    const error = result && "error" in result ? result : undefined;
    const key = isPage ? undefined : await findKey(request);
    const body = result && "body" in result ? result.body : {};
    const about =
      "id" in body ? String(body.id) : isPage && response.ok ? (request.headers.get(LOGIN_HEADER) ?? "") : id;
    const user = result?.user ?? ("user" in body ? String(body.user) : undefined);
    const login = result?.login ?? ("login" in body ? String(body.login) : undefined);
    const caller = readCaller(request);
    onResponse({
      route: isPage ? "page" : `${method} ${path}`,
      httpStatus: response.status,
      ...(key?.name && { serveKey: key.name }),
      // A caller may write anything into the path.
      ...((key || isPage) && /^[\w-]{1,64}$/.test(about) && { session: about }),
      ...(key && user !== undefined && { user }),
      ...(key && login !== undefined && { login }),
      ...(caller !== undefined && { caller }),
      requestId,
      ...(error && { error: error.error }),
      ...(result?.fault && { fault: result.fault }),
      duration: Math.round(performance.now() - begun),
    });
    return response;
  };
}

/** The path of a request. A query of any length is still one of the API. */
const readPath = ({ url }: Request): string => parseAddress(url.replace(/\?.*$/s, ""))?.path ?? "/";

/** The path of the API that a request is for, without the id; nothing for a page. */
function findTemplate(path: string): [template: string | undefined, id: string] {
  if (["/health", "/ready", "/openapi.json", "/sessions"].includes(path)) return [path, ""];
  const [match, id = "", rest] = /^\/sessions\/([^/]*)(.*)$/.exec(path) ?? [];
  if (match === undefined) return [undefined, ""];
  return [rest === "" || rest === "/key" || rest === "/renew" ? `/sessions/{id}${rest}` : "/sessions/", id];
}

/** Does something with the sessions of the user that the query names. */
async function withUser(request: Request, act: (user: string) => Promise<object>): Promise<Result> {
  const { searchParams: parameters } = new URL(request.url);
  const users = parameters.getAll("user");
  if (users.length > 1) return refuse(400, "invalid_input", { field: "user", message: "must be there once" });
  const [name] = users;
  if (!name) return refuse(400, "missing_field", { field: "user" });
  const unknown = [...parameters.keys()].find((key) => key !== "user");
  if (unknown !== undefined) return refuse(400, "invalid_input", { field: unknown, message: NOT_KNOWN });
  const { success, issues } = v.safeParse(user, name);
  if (!success) return refuse(400, "invalid_input", { field: "user", message: issues[0].message });
  return { ...ok(await act(name)), user: name };
}

const NOT_KNOWN = "is not known here";

async function readNewSession(request: Request) {
  const text = await readBody(request, "application/json");
  // No response of the relay's own reaches a caller of the API: what is wrong with the body is the same.
  if (typeof text !== "string") {
    return refuse(text.httpStatus, "invalid_input", { field: "body", message: String(text.body?.["message"]) });
  }
  const result = v.safeParse(
    v.pipe(
      v.string(),
      v.parseJson(),
      v.check((body) => !Array.isArray(body), "must be an object"),
      newSession,
    ),
    text,
    { abortEarly: true },
  );
  if (result.success) return result.output;
  // The text of an issue repeats the value, but for those of the schema.
  const [issue] = result.issues;
  const bodies: Readonly<Record<string, string>> = { strict_object: "must be an object", parse_json: "must be JSON" };
  const field = toField(result.issues, "body");
  const { code, detail } = createIssueError(result.issues, field, bodies[issue.type] ?? issue.message);
  return refuse(400, code, { field, ...(detail !== undefined && { message: detail }) });
}

const toCreated = ({ id, url, expiresAt }: CreatedSession): Result => ({
  httpStatus: 201,
  body: { id, url, status: "created", expires_at: expiresAt.toISOString() },
});

const ok = (body: object): Result => ({ httpStatus: 200, body });

const refuse = (httpStatus: number, error: FailureCode, more: Partial<Refusal> = {}): Refusal => ({
  httpStatus,
  error,
  message: failureNotes[error].note,
  ...more,
});

const notAllowed: Refusal = {
  ...refuse(401, "app_refused", { message: "Send the key VENTANILLA_SERVE_KEY as Authorization: Bearer …" }),
  headers: { "www-authenticate": "Bearer" },
};

/** Seconds after which a call may be repeated. */
const RETRY_AFTER = "5";

const httpStatuses: { readonly [Code in FailureCode]?: number } = {
  invalid_input: 400,
  // A text that only a secret can have.
  secret_unavailable: 400,
  session_not_found: 404,
  key_unavailable: 409,
};

/** The response to a fault. What is not of the caller stays in the log. */
function toRefusal(error: unknown): Refusal {
  const fault = wrapThrown(error);
  const { code, field, detail } = fault;
  const missing = findMissing(fault);
  if (missing !== undefined) {
    const message = `${missing} is not available. Repeat the call as it was.`;
    return { ...refuse(503, "service_unavailable", { message }), headers: { "retry-after": RETRY_AFTER }, fault };
  }
  const httpStatus = httpStatuses[code];
  if (httpStatus === undefined) return { ...refuse(500, code), fault };
  return refuse(httpStatus, code, {
    ...(field !== undefined && { field: toSnakeCase(field) }),
    ...(detail !== undefined && { message: detail }),
  });
}

/** What is not available, if a call failed for that. */
function findMissing(fault: BankError): string | undefined {
  if (isStoreFault(fault)) return "The store of the sessions";
  const { code } = fault;
  return failures[code].recovery === "wait" || code === "network_failed" ? "The banking service" : undefined;
}

const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function toResponse(result: Result): Response {
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  if ("body" in result) return Response.json(result.body, { status: result.httpStatus, headers });
  const { httpStatus: status, error, message, field, renew } = result;
  const body: ApiError = {
    error,
    message,
    ...(field !== undefined && { field }),
    ...(renew !== undefined && { renew }),
  };
  return Response.json(body, { status, headers: { ...headers, ...result.headers } });
}

const digest = async (text: string): Promise<Buffer> => Buffer.from(await digestText(text));
