import { type Attributes, context, propagation, type Span, SpanKind, type Tracer, trace } from "@opentelemetry/api";
import type { SnapshotFrom } from "xstate";
import type { linkMachine } from "../../../../machines/link.ts";
import { redactFailure } from "../../trace/allowlist.ts";
import { afterCrash, type Inspect, type InspectedActor, isLink, isLogin } from "../../trace/traced-actors.ts";
import { findParent } from "../../trace/xstate-private.ts";
import { watchLogins } from "../lifecycle-watcher.ts";
import { catchErrors, type TelemetryOptions } from "../listeners.ts";
import { storedLogins, traceHeaders } from "../stored-login.ts";
import { type Outcome, readOutcome } from "./span-outcome.ts";
import { SpanTree } from "./span-tree.ts";

/** The slots that wait, and send nothing to the bank. */
const waits = ["waitUntil", "awaitApproval"];

/** What `traceLogins` takes. */
export interface TraceOptions extends TelemetryOptions {
  /** Makes the spans. Default: the tracer `ventanilla` of the registered provider; without one nothing is recorded. */
  readonly tracer?: Tracer;
}

/**
 * Traces logins with OpenTelemetry: a span `ventanilla.login` for each, a span `ventanilla.link` around it for a link flow,
 * and within them one for each request. The function it gives is an `inspect`, as that of `onLifecycle`. A login's span is a
 * child of the span that is active when the login starts. Spans end with their login: finished, failed, cancelled, or its
 * actor stopped. Not part of the contract; `docs/telemetry.md` lists the attributes, none of which holds a secret.
 *
 * @example
 * await login(client, { ...options, inspect: traceLogins() });
 */
export function traceLogins({ tracer, onError }: TraceOptions = {}): Inspect {
  const spans = new SpanTree();
  const start = (
    name: string,
    parent: InspectedActor | undefined,
    attributes: Attributes,
    kind = SpanKind.INTERNAL,
  ): Span => {
    const around = spans.get(parent);
    const outer = propagation.extract(context.active(), (parent && traceHeaders.get(parent)) ?? {});
    const within = around ? trace.setSpan(outer, around) : outer;
    return (tracer ?? trace.getTracer("ventanilla")).startSpan(name, { attributes, kind }, within);
  };

  const watchLogin = watchLogins({
    now: () => performance.now(),
    emit: (event, actor) => {
      // A span can't begin in one process and end in another.
      if (storedLogins.has(actor)) return;
      if (event.type === "login.started" && event.code !== "replacing_session") {
        const parent = findParent(actor);
        const span = start("ventanilla.login", parent, {
          "ventanilla.provider": event.provider,
          "ventanilla.login.id": event.id,
          "ventanilla.login.start": event.code,
          "ventanilla.interactions": 0,
        });
        spans.open(actor, span, stopped, parent);
      } else if (event.type === "login.started") {
        spans.settle(actor, stopped);
        spans.get(actor)?.addEvent("session.replacing");
      } else if (event.type === "interaction.required") {
        const { field, fields, number } = event;
        const attributes = {
          "ventanilla.field": field,
          "ventanilla.fields": [...fields],
          "ventanilla.interaction": number,
        };
        spans.get(actor)?.setAttribute("ventanilla.interactions", number).addEvent(event.type, attributes);
      } else if (event.type === "client.required") {
        spans.get(actor)?.addEvent(event.type, { "ventanilla.clients": event.clients });
      } else spans.settle(actor, event);
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

  const watchRequest = (inspected: Parameters<Inspect>[0]) => {
    const actor = inspected.actorRef;
    if (inspected.type === "@xstate.snapshot") {
      if (inspected.snapshot.status === "stopped") spans.end(actor);
    } else if (inspected.type === "@xstate.event") {
      const { sourceRef, event } = inspected;
      if (event.type === "xstate.init") {
        const stored = sourceRef && storedLogins.get(sourceRef);
        const isRequest = "id" in actor && "src" in actor && !waits.includes(`${actor.src}`) && !isLogin(actor);
        if (!isRequest || !(stored || spans.get(sourceRef))) return;
        const attributes = stored ? { "ventanilla.login.id": stored.id } : {};
        const span = start(`ventanilla.${actor.id}`, sourceRef, attributes, SpanKind.CLIENT);
        const headers = {};
        propagation.inject(trace.setSpan(context.active(), span), headers);
        traceHeaders.set(actor, headers);
        spans.open(actor, span, aborted, sourceRef);
      } else if (sourceRef && /^xstate\.(done|error)\.actor\./.test(event.type)) {
        spans.end(sourceRef, readOutcome(event));
      }
    }
  };

  return catchErrors(
    "traceLogins",
    (inspected) => {
      watchRequest(inspected);
      watchLogin(inspected);
      watchLink(inspected);
    },
    onError,
  );
}

const stopped: Outcome = { code: "stopped" };
const aborted: Outcome = { code: "aborted" };
