import { BankError } from "../../../index.ts";
import type { HostedLoginOptions } from "../../../servers/hosted/index.ts";
import { readErrorCode } from "../settings/private-files.ts";
import { readDatabaseWords } from "../settings/stores.ts";
import type { Output } from "../terminal/output.ts";

export type Log = (event: string, details: object) => void;

/** JSON lines on standard error. A reader that goes away ends no login. */
export const createLog =
  (output: Output): Log =>
  (event, details) =>
    output.event({ time: new Date().toISOString(), event, ...details });

/**
 * A fault, with the code of what a function of the program has thrown: its text may have an address. Of a store it has the text too, since an operator has to know that the
 * memory or the disk of the database is full.
 */
export const describeFault = (fault: BankError) => {
  const { code, field, request, httpStatus, detail } = fault;
  const { cause, isOfStore } = findCause(fault);
  const said = isOfStore ? readDatabaseWords(cause) : undefined;
  return { error: code, field, request, httpStatus, detail, cause: readErrorCode(cause), said };
};

/** What was thrown first: a rate limit that is counted in the store fails by its store. */
function findCause({ code, field = "", cause }: BankError): { readonly cause: unknown; readonly isOfStore: boolean } {
  if (cause instanceof BankError) return findCause(cause);
  return { cause, isOfStore: code === "handler_failed" && /(^refusals|store)$/i.test(field) };
}

export const logHosted = (log: Log): Pick<HostedLoginOptions, "onEvent" | "onError" | "onEnd"> => ({
  onEvent: ({ session, user, id: login, ...event }) =>
    log("relay", { session, user, login, ...event, duration: Math.round(event.duration) }),
  onError: (error, { id, session }) =>
    log("error", { ...(session ? { session } : { login: id }), ...describeFault(error) }),
  onEnd: ({ id: session, user, login, status, provider, failure, lastStep }) =>
    log("end", { session, user, login, status, provider, failure, lastStep }),
});
