import { describeThrown, HandlerError } from "../api/errors.ts";
import { collectFingerprints, createHandlerError } from "../api/handler-error.ts";

/** Milliseconds until a function of the owner's that does not respond is an error. */
const TIMEOUT = 10_000;

/** The error of a function of the owner's that is called by the name of its option. */
export const createHookError = (field: string, detail: string): HandlerError =>
  new HandlerError("handler_failed", { field, detail });

/**
 * Calls a function that the options gave.
 *
 * @param holders objects with the secrets that it could read; `undefined` where they are not known: then there is no cause.
 * @throws {HandlerError} `handler_failed` naming it. Its cause is the thrown error, if that contains no secret.
 */
export async function callHook<Result>(
  field: string,
  call: () => Result | Promise<Result>,
  holders: readonly object[] | undefined,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw holders
      ? createHandlerError(field, error, collectFingerprints(holders))
      : createHookError(field, describeThrown(error));
  }
}

/** The same, for 10 seconds at most. What it returns is still to be checked. */
export async function callHookInTime(
  field: string,
  call: () => unknown,
  holders: readonly object[] | undefined,
): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createHookError(field, `no response within ${TIMEOUT} ms`)), TIMEOUT);
  });
  try {
    return await Promise.race([callHook(field, call, holders), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same of a function that must return `true` or `false`: null, a count or an object must not count as either. */
export async function askHook(
  field: string,
  call: () => unknown,
  holders: readonly object[] | undefined,
): Promise<boolean> {
  const isSo = await callHookInTime(field, call, holders);
  if (typeof isSo !== "boolean") throw createHookError(field, "returned neither true nor false");
  return isSo;
}
