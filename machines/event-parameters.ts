import type { Failure } from "./login.types.ts";

// Guards and actions take what they need of an event as parameters, so that its type is known.

export const toEvent = <Event>({ event }: { event: Event }) => event;
export const toOutput = <Output>({ event }: { event: { output: Output } }) => ({ output: event.output });
export const toError = ({ event }: { event: { error: unknown } }) => ({ error: event.error });

/** What an actor threw, as plain data. Errors of durable workers arrive as JSON, so the code counts, not the class. */
export const toFault = (error: unknown): Failure => {
  if (typeof error !== "object" || error === null || !("code" in error) || typeof error.code !== "string") {
    return { kind: "fault", code: "unexpected_fault" };
  }
  const { code, field, request, httpStatus, retryAfter, detail } = error as Failure;
  return { kind: "fault", code, field, request, httpStatus, retryAfter, detail };
};
