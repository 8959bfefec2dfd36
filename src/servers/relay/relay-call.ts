import type { Endpoint } from "../../core/api/bank-request.ts";
import { BankError } from "../../core/api/errors.ts";
import type { Refusal } from "../../core/api/refusals.ts";
import type { Secret } from "../../core/api/secret.ts";
import type { KeptStep } from "../kept/kept-row.ts";
import type { RelaySettings } from "./relay-options.ts";
import { type RelayResponse, toRefusalResponse } from "./relay-responses.ts";

export interface Call {
  readonly settings: RelaySettings;
  readonly template: Endpoint;
  readonly request: Request;
  /** The path's one parameter, decoded; empty if the route has none. */
  readonly parameter: string;
  readonly query: ReadonlyMap<string, string>;
  /** The key of the login's current step. */
  readonly key: CallKey | undefined;
  /** Milliseconds: the oldest description of a bank's fields that is accepted. Default: the client's own limit. */
  readonly maxAge: number | undefined;
}

export interface CallKey {
  readonly kind: KeptStep["kind"] | "session";
  readonly key: Secret;
}

export interface LoginName {
  readonly id: string;
  /** The bank's code, as the browser wrote it. */
  readonly provider?: string;
}

/**
 * The form of a bank's code (contract, section 4.1: lowercase, without accents), with some tolerance. With capital letters one
 * user would have many budgets.
 */
export const isProviderCode = (code: string): boolean => /^[a-z\d_-][a-z\d_.-]{0,99}$/.test(code);

// More banks than any service has: the log leaves out the others.
const PROVIDER_LIMIT = 10_000;

/** Remembers that the service knows a bank. The log names no other, because a browser could write anything in its place. */
export function addProvider(
  { settings: { providers } }: { readonly settings: Pick<RelaySettings, "providers"> },
  code: string,
): void {
  if (providers.size < PROVIDER_LIMIT) providers.add(code);
}

export function forwardRefusal({ settings, template }: Call, refusal: Refusal): RelayResponse {
  const { status, httpStatus } = refusal;
  if (status === "api_key_refused") {
    throw new BankError("http_failed", { request: template, baseUrl: settings.client.baseUrl, httpStatus });
  }
  return toRefusalResponse(refusal);
}
