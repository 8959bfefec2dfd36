import type { Failure, OutcomeCode } from "../api/failures.ts";
import type { Secret } from "../api/secret.ts";

/** How a login ended. */
export type LoginOutcome =
  | {
      readonly status: "logged_in";
      readonly provider: string;
      /** For `client.listTransferDestinations(key)`; `reveal(key)` gives the text. */
      readonly key: Secret;
    }
  | { readonly status: "select_client"; readonly provider: string; readonly key: Secret | undefined }
  | {
      readonly status: OutcomeCode;
      readonly provider: string;
      /** With `max_sessions_reached`: the session to log out of. */
      readonly key?: Secret | undefined;
      /** The answer's HTTP code, where there was an answer. */
      readonly httpStatus?: number | undefined;
      /** With `unexpected_status`: what the service said. */
      readonly wireStatus?: string | undefined;
    };

/** The outcome of a login that the bank refused. */
export function refusal(failure: Failure, provider: string, key: Secret | undefined): LoginOutcome {
  const { httpStatus, wireStatus } = failure;
  return {
    // Of kind outcome, so its code is one.
    status: failure.code as OutcomeCode,
    provider,
    ...(key !== undefined && { key }),
    ...(httpStatus !== undefined && { httpStatus }),
    ...(wireStatus !== undefined && { wireStatus }),
  };
}
