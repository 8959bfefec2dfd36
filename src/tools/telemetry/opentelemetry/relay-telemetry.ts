import {
  context,
  createContextKey,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Endpoint } from "../../../core/api/bank-request.ts";
import { type FailureCode, failures } from "../../../core/api/failures.ts";
import { type OptionParsers, parseOptions, unchecked } from "../../../core/api/input-checks.ts";
import { redactStatus } from "../../trace/allowlist.ts";
import { catchErrors } from "../listeners.ts";
import { createInstruments } from "./instruments.ts";
import { type MetricTelemetryOptions, metricOptions } from "./metric-telemetry.ts";
import { setOutcome } from "./span-outcome.ts";

export interface RelayTelemetryOptions extends MetricTelemetryOptions {
  /** Creates the spans. Default: the tracer `ventanilla` of the registered provider; without one nothing is recorded. */
  readonly tracer?: Tracer;
}

/** The used part of the `RelayEvent` of a relay or a hosted login. */
export interface ObservedRequest {
  readonly id: string;
  readonly route: Endpoint | "unknown";
  readonly method: string;
  readonly isAnswer?: true;
  readonly httpStatus: number;
  readonly status?: string;
  readonly reason?: string;
  readonly provider?: string;
  readonly duration: number;
}

/** A request to your own server around a hosted login, as `ventanilla serve` logs it. */
export interface RespondedRequest {
  /** Method and path template: `POST /sessions/{id}/key`; anything else is ignored. */
  readonly route: string;
  /** The session that the caller may read. */
  readonly session?: string;
}

/** The telemetry of a relay, or of hosted logins. */
export interface RelayTelemetry {
  /** For the option `onEvent`, alone or within a log. */
  onEvent(event: ObservedRequest): void;
  /** Names the span of the current request: its route, and the session. */
  onResponse(event: RespondedRequest): void;
  /**
   * Wraps a handler: each request is a span `POST /login/`, below the active one, otherwise below that of the header `traceparent`; requests
   * to the bank are below it.
   */
  handle(handler: (request: Request) => Promise<Response>): (request: Request) => Promise<Response>;
}

/** The statechart's names of the requests. */
const requests: Readonly<Record<Endpoint, string>> = {
  "GET /provider/": "listProviders",
  "GET /provider/{code}/": "getProvider",
  "POST /login/": "submitCredentials",
  "GET /transfer/destinations": "listDestinations",
  "GET /client/": "listClients",
  "GET /client/{id}/": "selectClient",
  "GET /logout/": "closeSession",
  "GET /submit/": "resume",
  "GET /approval/": "awaitApproval",
  "POST /cancel/": "cancelLogin",
};

/** Milliseconds after which a login that waits for a person is expired, and how many are kept. */
const LIFETIME = 3_600_000;
const LIMIT = 10_000;

const REQUEST = createContextKey("ventanilla relay");

/** A request that has no response yet. */
interface RunningRequest {
  readonly span: Span;
  /** Whether its span has the code of a fault. */
  isFault: boolean;
}

const findRequest = () => context.active().getValue(REQUEST) as RunningRequest | undefined;

/** A login that waits for a person. */
interface Asking {
  readonly provider: string;
  readonly since: number;
  readonly askedAt: number;
}

const relayTelemetryOptions = { ...metricOptions, tracer: unchecked } satisfies OptionParsers<RelayTelemetryOptions>;

/**
 * Traces and measures a relay or hosted logins with OpenTelemetry. They run no statechart, so logins are reconstructed from the requests of this
 * process: an answer that arrives at another instance only counts as a request. Not part of the contract.
 *
 * @example
 * const observation = relayTelemetry();
 * const relay = observation.handle(createRelay({ ...options, onEvent: observation.onEvent }));
 */
export function relayTelemetry(options: RelayTelemetryOptions = {}): RelayTelemetry {
  const { tracer, meter, onError } = parseOptions(options, relayTelemetryOptions);
  const instruments = createInstruments(meter);
  // In the order in which they were asked.
  const asking = new Map<string, Asking>();

  const leave = (id: string, { provider }: Asking) => {
    asking.delete(id);
    instruments.addActive(-1, { provider, state: "awaitingInteraction" });
  };
  const expire = (now: number) => {
    for (const [id, login] of asking) {
      if (login.askedAt > now - LIFETIME && asking.size <= LIMIT) return;
      leave(id, login);
      const { provider, since, askedAt } = login;
      const labels = { provider, state: "awaitingInteraction", outcome: "expired" };
      instruments.recordWait(now - askedAt, labels);
      instruments.recordLogin(now - since, labels);
    }
  };

  /** Counts the login of a request at a bank that the service knows. */
  const countLogin = ({ id, provider, isAnswer, status, duration }: ObservedRequest, outcome: ReadOutcome) => {
    const now = performance.now();
    expire(now);
    if (provider === undefined) return;
    const known = asking.get(id);
    if (known && isAnswer) {
      const labels = { provider, state: "awaitingInteraction", outcome: "answered" };
      instruments.recordWait(now - duration - known.askedAt, labels);
    }
    if (known) leave(id, known);
    // Another instance has received the first part.
    const since = known?.since ?? (isAnswer ? undefined : now - duration);
    if (status === "interaction_required" && since !== undefined) {
      asking.set(id, { provider, since, askedAt: now });
      instruments.addActive(1, { provider, state: "awaitingInteraction" });
    } else if (since !== undefined) {
      const state = outcome.outcome === "logged_in" ? "loggedIn" : "failed";
      instruments.recordLogin(now - since, { provider, state, ...outcome });
    }
  };

  const report = catchErrors(
    "relayTelemetry",
    (event: ObservedRequest) => {
      const { route, method, provider, httpStatus, duration, isAnswer } = event;
      // A preflight of the browser.
      if (method === "OPTIONS") return;
      const request = route === "unknown" ? route : isAnswer ? "submitAnswer" : requests[route];
      const outcome = readRelayOutcome(event);
      instruments.recordRequest(duration, { provider, request, ...outcome, httpStatus });
      if (route === "POST /login/") countLogin(event, outcome);
      const running = findRequest();
      const span = running?.span;
      if (running) running.isFault = outcome.isFault;
      if (route !== "unknown") span?.updateName(route);
      span?.setAttributes({
        "ventanilla.login.id": event.id,
        "ventanilla.request": request,
        ...(provider !== undefined && { "ventanilla.provider": provider }),
        "http.request.method": method,
        ...(route !== "unknown" && { "http.route": route.replace(/^\w+ /, "") }),
      });
      if (span) setOutcome(span, { code: outcome.outcome, httpStatus, ...(outcome.isFault && { kind: "fault" }) });
    },
    onError,
  );

  const name = ({ route, session }: RespondedRequest) => {
    const span = findRequest()?.span;
    const [, path] = /^[A-Z]+ (\/.*)$/.exec(route) ?? [];
    if (path !== undefined) span?.updateName(route).setAttribute("http.route", path);
    if (session) span?.setAttribute("ventanilla.session.id", session);
  };

  return {
    onEvent: report,
    onResponse: name,
    handle: (handler) => (request) => {
      const active = context.active();
      const isWithin = trace.getSpan(active) !== undefined;
      const outer = isWithin ? active : propagation.extract(active, request.headers, headersOfRequest);
      const kind = isWithin ? SpanKind.INTERNAL : SpanKind.SERVER;
      const isKnown = /^(GET|POST|DELETE|OPTIONS|HEAD)$/.test(request.method);
      // Its route is not known yet. The path is left out, because that of a page opens a login.
      const span = (tracer ?? trace.getTracer("ventanilla")).startSpan(
        isKnown ? request.method : "HTTP",
        {
          kind,
          attributes: {
            "http.request.method": isKnown ? request.method : "_OTHER",
            "url.scheme": request.url.startsWith("https:") ? "https" : "http",
          },
        },
        outer,
      );
      const running: RunningRequest = { span, isFault: false };
      return context.with(trace.setSpan(outer, span).setValue(REQUEST, running), async () => {
        try {
          const response = await handler(request);
          setHttpStatus(running, response.status);
          return response;
        } finally {
          span.end();
        }
      });
    },
  };
}

/** As OpenTelemetry's conventions for servers say: only a fault of the server is an error. */
function setHttpStatus({ span, isFault }: RunningRequest, status: number): void {
  span.setAttribute("http.response.status_code", status);
  if (status < 500 || isFault) return;
  span.setAttribute("error.type", `${status}`).setStatus({ code: SpanStatusCode.ERROR });
}

interface ReadOutcome {
  readonly outcome: string;
  readonly isFault: boolean;
}

/** The outcome in one word of the library, because a bank may send any status. */
function readRelayOutcome({ route, status, reason }: ObservedRequest): ReadOutcome {
  const isCode = (code: string | undefined): code is FailureCode => code !== undefined && Object.hasOwn(failures, code);
  if (reason !== undefined) return { outcome: reason, isFault: !isCode(reason) || failures[reason].kind === "fault" };
  if (isCode(status)) return { outcome: status, isFault: failures[status].kind === "fault" };
  // The status in a bank's detail is the bank's own.
  const other = route === "GET /provider/{code}/" ? "success" : "unexpected_status";
  return { outcome: redactStatus(status) ?? other, isFault: false };
}

const headersOfRequest = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
};
