import type { BankError } from "../../../index.ts";
import type { HostedLoginOptions } from "../../../servers/hosted/index.ts";
import type { Output } from "../terminal/output.ts";

export type Log = (event: string, details: object) => void;

/** JSON lines on standard error. A reader that goes away ends no login. */
export const createLog =
  (output: Output): Log =>
  (event, details) =>
    output.event({ time: new Date().toISOString(), event, ...details });

export const describeFault = ({ code, field, request, httpStatus, detail }: BankError) => ({
  error: code,
  field,
  request,
  httpStatus,
  detail,
});

/** What a hosted login tells a log. */
export const logHosted = (log: Log): Pick<HostedLoginOptions, "onEvent" | "onError" | "onEnd"> => ({
  onEvent: (event) => log("relay", { ...event, duration: Math.round(event.duration) }),
  onError: (error, { id }) => log("error", { id, ...describeFault(error) }),
  onEnd: ({ id, status, provider, failure }) => log("end", { id, status, provider, failure }),
});
