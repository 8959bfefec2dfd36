import { type Attributes, context, propagation, type Span, SpanKind, type Tracer, trace } from "@opentelemetry/api";
import type { SnapshotFrom } from "xstate";
import type { linkMachine } from "../../../../machines/link.ts";
import { type OptionParsers, parseOptions, unchecked } from "../../../core/api/input-checks.ts";
import { redactFailure } from "../../trace/allowlist.ts";
import { afterCrash, type Inspect, type InspectedActor, isLink } from "../../trace/traced-actors.ts";
import { findParent } from "../../trace/xstate-private.ts";
import type { LifecycleEvent } from "../lifecycle-event.ts";
import { watchLogins } from "../lifecycle-telemetry.ts";
import { catchErrors, type TelemetryOptions, telemetryOptions } from "../listeners.ts";
import { readStored } from "../stored-login.ts";
import { readRequestLabels } from "./labels.ts";
import { watchRequests } from "./request-watcher.ts";
import type { Outcome } from "./span-outcome.ts";
import { SpanTree } from "./span-tree.ts";

export interface TraceTelemetryOptions extends TelemetryOptions {
  /** Creates the spans. Default: the tracer `ventanilla` of the registered provider; without one nothing is recorded. */
  readonly tracer?: Tracer;
}

const traceOptions = { ...telemetryOptions, tracer: unchecked } satisfies OptionParsers<TraceTelemetryOptions>;

/**
 * Traces logins with OpenTelemetry: a span `ventanilla.login` for each, a span `ventanilla.link` around it for a link flow,
 * and within them one for each request. The returned function is an `inspect`, as that of `lifecycleTelemetry`. A login's span is a
 * child of the span that is active when the login starts, and a request is sent in the context of its own span. Spans end with their login:
 * finished, failed, cancelled, or its actor stopped. Not part of the contract; `docs/telemetry.md` lists the attributes, none of which contains a
 * secret.
 *
 * @example
 * await login(client, credentials, { inspect: traceTelemetry() });
 */
export function traceTelemetry(options: TraceTelemetryOptions = {}): Inspect {
  const { tracer, onError } = parseOptions(options, traceOptions);
  const spans = new SpanTree();
  const start = (
    name: string,
    parent: InspectedActor | undefined,
    attributes: Attributes,
    kind = SpanKind.INTERNAL,
  ): Span => {
    const around = spans.get(parent);
    const outer = propagation.extract(context.active(), readStored(parent).traceHeaders ?? {});
    const within = around ? trace.setSpan(outer, around) : outer;
    return (tracer ?? trace.getTracer("ventanilla")).startSpan(name, { attributes, kind }, within);
  };

  const watchLogin = watchLogins({
    emit: (event, actor) => {
      // A span can't begin in one process and end in another.
      if (readStored(actor).storedLogin) return;
      if (event.type === "login.started" && event.code !== "replacing_session") {
        const parent = findParent(actor);
        const span = start("ventanilla.login", parent, {
          "ventanilla.provider": event.provider,
          "ventanilla.login.id": event.id,
          "ventanilla.login.start": event.code,
          "ventanilla.interactions": 0,
        });
        spans.open(actor, span, stopped, parent);
      }
      const span = spans.get(actor);
      if (!span) return;
      span.setAttribute("ventanilla.state", event.state);
      if (isEnd(event)) spans.settle(actor, event);
      else if (event.type !== "login.started") writeEvent(span, event);
      else if (event.code === "replacing_session") {
        spans.settle(actor, stopped);
        span.addEvent("session.replacing");
      }
    },
    close: (actor) => spans.end(actor),
  });

  const watchLink = (inspected: Parameters<Inspect>[0]) => {
    const actor = inspected.actorRef;
    if (!isLink(actor)) return;
    if (inspected.type === "@xstate.event" && inspected.event.type === "xstate.init") {
      if (actor.getSnapshot().status !== "active") return;
      spans.open(actor, start("ventanilla.link", undefined, {}), stopped);
    } else if (inspected.type === "@xstate.event") {
      afterCrash(actor, () => spans.end(actor, { code: "unexpected_fault", kind: "fault" }));
    } else if (inspected.type === "@xstate.microstep") {
      const { value, status, context } = inspected.snapshot as SnapshotFrom<typeof linkMachine>;
      const { failure, provider } = context;
      // Set here, because a cancelled link forgets its bank.
      if (provider !== undefined) spans.get(actor)?.setAttribute("ventanilla.provider", provider);
      const fault = value === "failed" ? failure : undefined;
      if (status === "stopped") spans.end(actor, fault ? redactFailure(fault) : stopped);
      else if (status !== "active") spans.end(actor, { code: String(value) });
      else if (fault) spans.get(actor)?.addEvent("link.failed", { "ventanilla.outcome": fault.code });
    }
  };

  const report = catchErrors("traceTelemetry", (write: () => void) => write(), onError);

  const watchRequest = watchRequests(({ actor, parent, request }) => {
    if (!readStored(parent).storedLogin && !spans.get(parent)) return undefined;
    const span = start(`ventanilla.${request}`, parent, readRequestLabels(parent, request), SpanKind.CLIENT);
    const within = trace.setSpan(context.active(), span);
    spans.open(actor, span, aborted, parent);
    return {
      // Instrumentation of HTTP puts its own spans below the active one.
      run: (send) => context.with(within, send),
      onResponse: ({ method, url, httpStatus }) =>
        report(() => {
          const { hostname, port, protocol } = new URL(url);
          span.setAttributes({
            "http.request.method": method,
            "http.response.status_code": httpStatus,
            "server.address": hostname,
            "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
          });
        }),
      end: (outcome) => spans.end(actor, outcome),
    };
  });

  return catchErrors(
    "traceTelemetry",
    (inspected) => {
      watchRequest(inspected);
      watchLogin(inspected);
      watchLink(inspected);
    },
    onError,
  );
}

type End = Extract<LifecycleEvent, { readonly interactions: number }>;

const isEnd = (event: LifecycleEvent): event is End => "interactions" in event;

function writeEvent(span: Span, event: Exclude<LifecycleEvent, End | { readonly type: "login.started" }>): void {
  switch (event.type) {
    case "interaction.required": {
      const { field, fields, number } = event;
      const attributes = {
        "ventanilla.field": field,
        "ventanilla.fields": [...fields],
        "ventanilla.interaction": number,
      };
      span.setAttribute("ventanilla.interactions", number).addEvent(event.type, attributes);
      return;
    }
    case "interaction.answered":
      span.addEvent(event.type, { "ventanilla.interaction": event.number });
      return;
    case "client.required":
      span.addEvent(event.type, { "ventanilla.clients": event.clients });
      return;
    case "client.chosen":
      span.addEvent(event.type);
      return;
    default:
      event satisfies never;
  }
}

const stopped: Outcome = { code: "stopped" };
const aborted: Outcome = { code: "aborted" };
