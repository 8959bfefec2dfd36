import { BankError, createHandlerError } from "./errors.ts";

/** Milliseconds until a callback that doesn't settle is an error. */
const TIMEOUT = 10_000;

/** The error of a callback that returned what it must not, named by its option. */
export const createHookError = (field: string, detail: string): BankError =>
  new BankError("handler_failed", { field, detail });

/**
 * Calls a callback of the options.
 *
 * @throws {BankError} `handler_failed` naming it; its cause is the thrown error.
 */
export async function callHook<Result>(field: string, call: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw createHandlerError(field, error);
  }
}

/** The same, for 10 seconds at most. What it returns is still to be checked. */
export async function callHookInTime(field: string, call: () => unknown): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createHookError(field, `no response within ${TIMEOUT} ms`)), TIMEOUT);
  });
  try {
    return await Promise.race([callHook(field, call), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same of a callback that must return `true` or `false`: null, a count or an object must not count as either. */
export async function askHook(field: string, call: () => unknown): Promise<boolean> {
  const isSo = await callHookInTime(field, call);
  if (typeof isSo !== "boolean") throw createHookError(field, "returned neither true nor false");
  return isSo;
}
