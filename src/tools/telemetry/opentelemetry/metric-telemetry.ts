import type { Meter } from "@opentelemetry/api";
import { type OptionParsers, parseOptions, unchecked } from "../../../core/api/input-checks.ts";
import { isOpen } from "../../../core/login/login-state.ts";
import type { Inspect, InspectedActor } from "../../trace/traced-actors.ts";
import type { LifecycleEvent } from "../lifecycle-event.ts";
import { watchLogins } from "../lifecycle-telemetry.ts";
import { catchErrors, type TelemetryOptions, telemetryOptions } from "../listeners.ts";
import { readStored } from "../stored-login.ts";
import { createInstruments, type Labels } from "./instruments.ts";
import { readRequestLabels } from "./labels.ts";
import { watchRequests } from "./request-watcher.ts";

export interface MetricTelemetryOptions extends TelemetryOptions {
  /** Creates the instruments. Default: the meter `ventanilla` of the registered provider; without one nothing is recorded. */
  readonly meter?: Meter;
}

export const metricOptions = { ...telemetryOptions, meter: unchecked } satisfies OptionParsers<MetricTelemetryOptions>;

/**
 * Measures logins with OpenTelemetry: how long logins, requests and persons take, and how many logins are active, by bank, state, request and
 * outcome. The returned function is an `inspect`, as that of `traceTelemetry`; `docs/telemetry.md` lists the metrics. No label contains a user, an id or a text of
 * the bank. Create one for all logins. Not part of the contract.
 *
 * @example
 * const inspect = inspectAll(traceTelemetry(), metricTelemetry());
 * await login(client, credentials, { inspect });
 */
export function metricTelemetry(options: MetricTelemetryOptions = {}): Inspect {
  const { meter, onError } = parseOptions(options, metricOptions);
  const instruments = createInstruments(meter);
  const open = new WeakMap<InspectedActor, { readonly labels: Labels; readonly askedAt: number }>();
  const now = () => performance.now();

  /** Counts the login in the state that it is in now. */
  const enter = (actor: InspectedActor, event: LifecycleEvent | undefined) => {
    const before = open.get(actor);
    open.delete(actor);
    if (before) {
      instruments.addActive(-1, before.labels);
      const { state } = before.labels;
      if (event && isOpen(state)) {
        instruments.recordWait(now() - before.askedAt, { ...before.labels, outcome: event.code });
      }
    }
    if (!event || "interactions" in event) return;
    const labels = { provider: event.provider, state: event.state };
    open.set(actor, { labels, askedAt: now() });
    instruments.addActive(1, labels);
  };

  const watchLogin = watchLogins({
    emit(event, actor) {
      // Each step of a stored login has its own actor, perhaps in another process.
      if (!readStored(actor).storedLogin) enter(actor, event);
      if (!("interactions" in event)) return;
      const { provider, state, code: outcome, duration } = event;
      instruments.recordLogin(duration, {
        provider,
        state,
        outcome,
        isFault: "kind" in event && event.kind === "fault",
      });
    },
    close: (actor) => enter(actor, undefined),
  });

  const watchRequest = watchRequests(({ parent, request }) => {
    const { "ventanilla.provider": provider } = readRequestLabels(parent, request);
    const since = now();
    let httpStatus: number | undefined;
    return {
      onResponse(event) {
        httpStatus = event.httpStatus;
      },
      end(outcome) {
        const { code = "aborted", kind } = outcome ?? {};
        const labels = { provider, request, outcome: code, isFault: kind === "fault" };
        instruments.recordRequest(now() - since, { ...labels, httpStatus: outcome?.httpStatus ?? httpStatus });
      },
    };
  });

  return catchErrors(
    "metricTelemetry",
    (inspected) => {
      watchRequest(inspected);
      watchLogin(inspected);
    },
    onError,
  );
}
