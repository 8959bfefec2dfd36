import type { BankError } from "../../../index.ts";
import type { HostedLoginOptions } from "../../../servers/hosted/index.ts";
import { readErrorCode } from "../settings/private-files.ts";
import type { Output } from "../terminal/output.ts";

export type Log = (event: string, details: object) => void;

/** JSON lines on standard error. A reader that goes away ends no login. */
export const createLog =
  (output: Output): Log =>
  (event, details) =>
    output.event({ time: new Date().toISOString(), event, ...details });

/** A fault, and the class or the platform's code of what a function of the program has thrown. Its text may have an address. */
export const describeFault = ({ code, field, request, httpStatus, detail, cause }: BankError) => ({
  error: code,
  field,
  request,
  httpStatus,
  detail,
  cause: readErrorCode(cause),
});

/** What a hosted login tells a log. */
export const logHosted = (log: Log): Pick<HostedLoginOptions, "onEvent" | "onError" | "onEnd"> => ({
  onEvent: ({ session, user, id: login, ...event }) =>
    log("relay", { session, user, login, ...event, duration: Math.round(event.duration) }),
  onError: (error, { id, session }) =>
    log("error", { ...(session ? { session } : { login: id }), ...describeFault(error) }),
  onEnd: ({ id: session, user, login, status, provider, failure }) =>
    log("end", { session, user, login, status, provider, failure }),
});
