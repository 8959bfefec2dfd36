import type { BankClient } from "../../core/api/client.ts";
import { BankError, describeThrown } from "../../core/api/errors.ts";
import { findFailure } from "../../core/api/failures.ts";
import type { Refusal } from "../../core/api/refusals.ts";
import type { LoginResponse } from "../../core/api/responses.ts";
import { reveal } from "../../core/api/reveal.ts";
import { type Secret, secret } from "../../core/api/secret.ts";
import { findOnlyField } from "../../core/login/validation.ts";
import type { LoginForm } from "../relay/browser-input.ts";
import { outcomeUnknown, respond, toFaultResponse, toRefusalResponse } from "../relay/relay-responses.ts";
import type { BankResponse, KeptStep } from "./kept-row.ts";

// The requests that are sent to the bank once, and the meaning of their responses for the row. Each function calls the client immediately: nothing is awaited between a
// claim and its request.

export interface BankCallOptions {
  readonly client: BankClient;
  /** Whether a session in the way can be closed. */
  readonly logout: boolean;
  /** Whether the person can choose another bank: then no refusal is final. */
  readonly isBankFree: boolean;
  readonly onFault: (fault: BankError) => void;
}

export const isUsername = (typed: Secret, username: string): boolean => reveal(typed).trim() === username.trim();

/** Converts the response of a client's method to its meaning, and a fault to what the page has to know. */
async function read<Reply>(
  { onFault }: BankCallOptions,
  send: () => Promise<Reply>,
  toResponse: (reply: Reply) => BankResponse | Promise<BankResponse>,
): Promise<BankResponse> {
  try {
    return await toResponse(await send());
  } catch (error) {
    // A client of the options may throw anything.
    const fault =
      error instanceof BankError
        ? error
        : new BankError("handler_failed", { field: "client", detail: describeThrown(error) });
    onFault(fault);
    const response = toFaultResponse(fault, true);
    return response.httpStatus === outcomeUnknown.httpStatus ? { kind: "unknown" } : { kind: "responded", response };
  }
}

/** `POST /login/`, the first one or with an answer. */
export function sendLogin(
  options: BankCallOptions & { readonly onResponse?: (response: LoginResponse) => void },
  form: LoginForm,
  step?: KeptStep,
): Promise<BankResponse> {
  const { client } = options;
  const { provider, username, password, others } = form;
  const credentials = step?.credentials ?? { username: reveal(username), password: reveal(password) };
  const fields = {
    ...others,
    provider,
    username: secret(credentials.username),
    password: secret(credentials.password),
  };
  const key = step && secret(step.key);
  const send = () => client.login(fields, key ? { key } : {});
  return read(options, send, (response) => {
    options.onResponse?.(response);
    return toLoginResponse(options, response, { provider, credentials, key });
  });
}

async function toLoginResponse(
  options: BankCallOptions,
  response: LoginResponse,
  {
    provider,
    credentials,
    key: lastKey,
  }: {
    readonly provider: string;
    readonly credentials: NonNullable<KeptStep["credentials"]>;
    readonly key: Secret | undefined;
  },
): Promise<BankResponse> {
  const { client } = options;
  const { status } = response;
  if (status !== "logged_in" && status !== "interaction_required" && status !== "select_client")
    return toRefused(options, response);
  // If the response to an answer has no key, the previous one stays valid.
  const bankKey = response.key ?? lastKey;
  // The contract shows no key here. Without one, no client can be chosen.
  if (!bankKey && status === "select_client") return { kind: "responded", response: respond(status) };
  if (!bankKey)
    throw new BankError("response_against_contract", {
      request: "POST /login/",
      baseUrl: client.baseUrl,
      field: "key",
    });
  const key = reveal(bankKey);
  if (status === "logged_in") return { kind: "session", key };
  if (status === "select_client") return { kind: "clients", key };
  const { fields, context } = response;
  const field = response.field ?? (await findOnlyField(client, response, { provider, key: bankKey }, {}));
  const awaitsApproval = client.awaitApproval !== undefined;
  return {
    kind: "question",
    key,
    credentials,
    asked: { field, ...(fields && { fields }), context, ...(awaitsApproval && { awaitsApproval }) },
  };
}

/** `GET /client/{id}/`. A choice that the bank does not know is removed from the list. */
export function sendChoice(options: BankCallOptions, client: string, { key }: KeptStep): Promise<BankResponse> {
  const send = () => options.client.selectClient(secret(key), client);
  return read(options, send, (response) => {
    if (response.status === "success") return { kind: "session", key: response.key ? reveal(response.key) : key };
    const isStepKept = response.status === "wrong_client";
    return { ...toRefused(options, response), ...(isStepKept && { isStepKept }) } as BankResponse;
  });
}

/** `GET /logout/`. */
export function sendLogout(options: BankCallOptions, key: string): Promise<BankResponse> {
  const send = () => options.client.logout(secret(key));
  return read(options, send, (response) =>
    response.status === "logged_out"
      ? { kind: "responded", response: respond("logged_out"), isClosed: true }
      : toRefused({ ...options, isBankFree: true }, response),
  );
}

function toRefused({ client, logout, isBankFree }: BankCallOptions, refusal: Refusal): BankResponse {
  const { status, httpStatus, key } = refusal;
  if (status === "api_key_refused")
    throw new BankError("http_failed", { request: "POST /login/", baseUrl: client.baseUrl, httpStatus });
  const { code, recovery } = findFailure(status);
  // A person who may choose the bank can choose another one.
  const isLast = !isBankFree && (recovery === "contactBank" || recovery === "changeProvider");
  // An answer needs the login, and the key of another session does not continue it.
  const blocking = key && logout && status !== "session_incomplete" ? reveal(key) : undefined;
  return {
    kind: "responded",
    response: toRefusalResponse(refusal),
    ...(isLast && { failure: code }),
    ...(blocking !== undefined && { blocking }),
  };
}
