import { type FailureCode, failures } from "../api/failures.ts";

/** What telemetry tells of a failure. */
export interface ToldFailure {
  readonly kind: "outcome" | "fault";
  readonly code: FailureCode;
  readonly httpStatus?: number;
  readonly request?: string;
  readonly wireStatus?: string;
}

/**
 * A failure as it may be told. It can come from an actor of the user's own or from a stored snapshot, and hold anything: only
 * codes of the table, and texts that look as those of ventanilla, go on.
 */
export function toldFailure(failure: unknown): ToldFailure {
  const given = typeof failure === "object" && failure !== null ? (failure as Record<string, unknown>) : {};
  const { code, httpStatus, request, wireStatus } = given;
  if (typeof code !== "string" || !Object.hasOwn(failures, code)) return { kind: "fault", code: "unexpected_fault" };
  const known = code as FailureCode;
  return {
    kind: failures[known].kind,
    code: known,
    ...(Number.isInteger(httpStatus) && { httpStatus: httpStatus as number }),
    ...(reads(request, /^(GET|POST) \/[\w/{}-]{0,64}$/) && { request }),
    ...(reads(wireStatus, /^[\w.:-]{1,64}$/) && { wireStatus }),
  };
}

const reads = (text: unknown, shape: RegExp): text is string => typeof text === "string" && shape.test(text);
