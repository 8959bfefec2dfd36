import { type Span, SpanStatusCode } from "@opentelemetry/api";
import { toldFailure } from "../failure.ts";

/** How something ended, as a span tells it. */
export interface Outcome {
  readonly code: string;
  readonly kind?: "outcome" | "fault";
  readonly httpStatus?: number;
  readonly request?: string;
}

// What requests say when nothing is wrong. Actors of the user's own could say anything.
const wellKnown = new Set(["logged_in", "interaction_required", "select_client", "success", "logged_out"]);

/** How a request ended, by the event with which its actor tells. */
export function outcomeOf(event: object): Outcome {
  if ("error" in event) return toldFailure(event.error);
  const output = "output" in event ? event.output : undefined;
  if (typeof output !== "object" || output === null) return { code: "success" };
  if ("failure" in output) return toldFailure(output.failure);
  const isKnown = "status" in output && typeof output.status === "string" && wellKnown.has(output.status);
  return { code: isKnown ? String(output.status) : "success" };
}

/** Writes an outcome on a span. What the bank says is an outcome; only what broke is an error. */
export function setOutcome(span: Span, { code, kind, httpStatus, request }: Outcome): void {
  span.setAttribute("ventanilla.outcome", code);
  if (httpStatus !== undefined) span.setAttribute("http.response.status_code", httpStatus);
  if (request !== undefined) span.setAttribute("ventanilla.request", request);
  if (kind !== "fault") return;
  span.setAttribute("error.type", code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}
