import * as v from "valibot";
import { toBankError } from "../../core/api/errors.ts";
import { findFailure } from "../../core/api/failures.ts";
import { toField } from "../../core/api/input-issue.ts";
import { parseJson, readText } from "../../core/api/response-body.ts";
import { BankError, reveal, type Secret, secret } from "../../index.ts";
import type { HostedSession } from "../../servers/hosted/index.ts";
import { apiError, createdSession, IDEMPOTENCY_KEY, session, sessionKey } from "../cli/serve/api-schemas.ts";
import type { LoginBackend } from "./bank-logins.ts";

/** Milliseconds for a response. */
const TIMEOUT = 15_000;

/** Bytes of a response. */
const LIMIT = 64 * 1024;

/** Logins of a `ventanilla serve`, over its HTTP API. A session key in a response becomes a `Secret` immediately. */
export function createServedLogins({ url, key }: { readonly url: string; readonly key: Secret }): LoginBackend {
  /** Calls the API once. @param request method and path template. */
  async function call<Schema extends v.GenericSchema>(
    request: string,
    schema: Schema,
    {
      id = "",
      body,
      headers,
    }: { readonly id?: string; readonly body?: object; readonly headers?: Record<string, string> } = {},
  ): Promise<v.InferOutput<Schema>> {
    const [method = "", path = ""] = request.split(" ");
    const name = { request, baseUrl: url };
    const signal = AbortSignal.timeout(TIMEOUT);
    try {
      const response = await fetch(`${url}${path.replace("{id}", encodeURIComponent(id))}`, {
        method,
        // A redirect would send the API key to another address.
        redirect: "manual",
        headers: { authorization: `Bearer ${reveal(key)}`, "content-type": "application/json", ...headers },
        ...(body && { body: JSON.stringify(body) }),
        signal,
      });
      const named = { ...name, httpStatus: response.status };
      return parse(schema, parseJson(await readText(response, LIMIT, named)), named);
    } catch (error) {
      if (error instanceof BankError) throw error;
      // The platform's error contains the address.
      throw new BankError(signal.aborted ? "request_timed_out" : "network_failed", name);
    }
  }

  return {
    async create({ user, provider, username, locale, expiresIn }) {
      const body = { user, provider, username, locale, ...(expiresIn && { expires_in: expiresIn / 1000 }) };
      const created = await call("POST /sessions", createdSession, { body });
      return { id: created.id, url: created.url, expiresAt: new Date(created.expires_at) };
    },
    read: async (id) => toSession(await call("GET /sessions/{id}", session, { id })),
    async takeKey(id, { idempotencyKey }) {
      const headers = { [IDEMPOTENCY_KEY]: idempotencyKey };
      return secret((await call("POST /sessions/{id}/key", sessionKey, { id, headers })).key);
    },
    cancel: async (id) => toSession(await call("DELETE /sessions/{id}", session, { id })),
  };
}

/** Reads a response. An error contains neither a value nor a text of the response. */
function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  body: unknown,
  name: { readonly request: string; readonly baseUrl: string; readonly httpStatus: number },
): v.InferOutput<Schema> {
  if (name.httpStatus < 300) {
    const result = v.safeParse(schema, body);
    if (result.success) return result.output;
    throw new BankError("response_against_contract", { ...name, field: toField(result.issues, "body") });
  }
  const refused = v.safeParse(apiError, body);
  if (!refused.success) throw new BankError("http_failed", name);
  const { error: code, field } = refused.output;
  throw toBankError({ kind: "fault", code, field, request: name.request, httpStatus: name.httpStatus }, name.baseUrl);
}

function toSession({
  expires_at: time,
  logged_in_at: loggedInAt,
  failure,
  ...same
}: v.InferOutput<typeof session>): HostedSession {
  // A later version of the server may send a code that this one does not know.
  return {
    ...same,
    ...(failure !== undefined && { failure: findFailure(failure).code }),
    ...(loggedInAt !== undefined && { loggedInAt: new Date(loggedInAt) }),
    expiresAt: new Date(time),
  };
}
