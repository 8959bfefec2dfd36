import { BankError, createHandlerError } from "./errors.ts";
import { limitTime } from "./repetition.ts";

/** Milliseconds until a callback that doesn't settle is an error. */
const TIMEOUT = 10_000;

/** The error of a callback that returned what it must not, named by its option. */
export const createCallbackError = (field: string, detail: string): BankError =>
  new BankError("handler_failed", { field, detail });

/**
 * Calls a callback of the options.
 *
 * @throws {BankError} `handler_failed` naming it; its cause is the thrown error.
 */
export async function callCallback<Result>(field: string, call: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw createHandlerError(field, error);
  }
}

/** Calls a callback, and waits 10 seconds at most. What it returns is still to be checked. */
export async function callCallbackInTime(field: string, call: () => unknown): Promise<unknown> {
  return limitTime(callCallback(field, call), TIMEOUT, () => {
    throw createCallbackError(field, `no response within ${TIMEOUT} ms`);
  });
}

/** Calls a callback that must return `true` or `false`, and waits 10 seconds at most: null, a count or an object must not count as either. */
export async function callPredicate(field: string, call: () => unknown): Promise<boolean> {
  const isSo = await callCallbackInTime(field, call);
  if (typeof isSo !== "boolean") throw createCallbackError(field, "returned neither true nor false");
  return isSo;
}
