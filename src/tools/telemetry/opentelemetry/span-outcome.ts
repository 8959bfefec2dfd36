import { type Span, SpanStatusCode } from "@opentelemetry/api";
import { redactFailure, redactStatus } from "../../trace/allowlist.ts";

/** The outcome of a login, a link or a request, for a span. */
export interface Outcome {
  readonly code: string;
  readonly kind?: "outcome" | "fault";
  readonly httpStatus?: number | undefined;
  readonly request?: string | undefined;
}

/** The outcome of a request, from the event of its actor. */
export function readOutcome(event: object): Outcome {
  if ("error" in event) return redactFailure(event.error);
  const output: object = Object("output" in event ? event.output : undefined);
  if ("failure" in output) return redactFailure(output.failure);
  return { code: ("status" in output && redactStatus(output.status)) || "success" };
}

/** Writes an outcome on a span. Only a fault is an error of the span, not an outcome of the bank. */
export function setOutcome(span: Span, { code, kind, httpStatus, request }: Outcome): void {
  span.setAttribute("ventanilla.outcome", code);
  if (httpStatus !== undefined) span.setAttribute("http.response.status_code", httpStatus);
  if (request !== undefined) span.setAttribute("ventanilla.failure.request", request);
  if (kind !== "fault") return;
  span.setAttribute("error.type", code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: code });
}
