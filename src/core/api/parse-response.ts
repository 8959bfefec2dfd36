import * as v from "valibot";
import type { AuthField } from "../../../machines/provider.types.ts";
import { BankError } from "./errors.ts";
import { toField } from "./input-issue.ts";
import { cut, KEY_LIMIT, LABEL_LIMIT, NAME_LIMIT, SKIP_LIMIT } from "./limits.ts";
import { type Refusal, readInteraction, toRefusal } from "./refusals.ts";
import type {
  ClientsResponse,
  DestinationsResponse,
  InteractionRequired,
  LoginResponse,
  ProviderResponse,
  ProvidersResponse,
} from "./responses.ts";
import {
  accountType,
  choice,
  clientEntry,
  clientsBody,
  countedBody,
  destinationsBody,
  endpointsStatus,
  keyBody,
  loginStatus,
  providerBody,
  providerEntry,
  providersBody,
  transferDestination,
  wireField,
} from "./schemas.ts";
import { type Secret, secret } from "./secret.ts";
import type { WireResponse } from "./wire-response.ts";

type Accepted = Exclude<LoginResponse, Refusal>;

/** How each response is read that is not a refusal. */
const readers: Readonly<Record<Accepted["status"], (response: WireResponse) => Accepted>> = {
  logged_in: (response) => ({ status: "logged_in", ...parseKey(response) }),
  select_client: (response) => ({ status: "select_client", ...parseKey(response) }),
  interaction_required: (response) => ({
    ...readInteraction(response),
    ...(response.isOfRelay && readCounted(response)),
    ...(response.isOfRelay && response.body["awaits_approval"] === true && { awaitsApproval: true }),
    ...parseKey(response),
  }),
};

/** What the record of a relay counts. A relay that says nothing about it counts nothing. */
function readCounted({ body }: WireResponse): Pick<InteractionRequired, "counted"> {
  const { success, output } = v.safeParse(countedBody, body);
  if (!success) return {};
  const { number, repeat: isRepeat, answers_sent, confirmations_sent, approval_sent, time_left: timeLeft } = output;
  return {
    counted: {
      number,
      isRepeat,
      answersSent: answers_sent,
      confirmationsSent: confirmations_sent,
      approvalSent: approval_sent,
      timeLeft,
    },
  };
}

/** Whether the bank continues a login that has this status: it does not refuse the password. */
export const isAccepted = (status: string): status is Accepted["status"] => Object.hasOwn(readers, status);

/** Reads the response to a login. */
export function toLoginResponse(response: WireResponse): LoginResponse {
  const { status } = response;
  return isAccepted(status) ? readers[status](response) : toRefusal(response);
}

/** The key of a response that may bring one. */
export function parseKey(response: WireResponse): { readonly key?: Secret } {
  const { key } = parseBody(keyBody, response);
  if (key && key.length > KEY_LIMIT) throw againstContract(response, "key");
  return key ? { key: secret(key) } : {};
}

/** Parses a body. An error has only the path of the wrong member: the text of valibot's issue contains the value. */
function parseBody<Schema extends v.GenericSchema>(schema: Schema, response: WireResponse): v.InferOutput<Schema> {
  const result = v.safeParse(schema, response.body, { abortEarly: true });
  if (result.success) return result.output;
  throw againstContract(response, toField(result.issues, ""));
}

function againstContract({ request, baseUrl, httpStatus }: WireResponse, field: string): BankError {
  const details = { request, baseUrl, httpStatus, field };
  return new BankError("response_against_contract", details);
}

/** Reads lists element by element: an element that can't be read is skipped and counted. */
class ListReader {
  skipped = 0;
  readonly #response: WireResponse;

  constructor(response: WireResponse) {
    this.#response = response;
  }

  /** @throws {BankError} `response_against_contract` if nothing can be read: an empty list would say that there is nothing. */
  read<Schema extends v.GenericSchema>(
    path: string,
    list: readonly unknown[],
    schema: Schema,
  ): v.InferOutput<Schema>[] {
    const read = this.readSome(list, schema);
    if (read.length > 0 || list.length === 0) return read;
    const { issues } = v.safeParse(schema, list[0], { abortEarly: true });
    const place = issues ? toField(issues, "") : "";
    throw againstContract(this.#response, [path, 0, place].filter((part) => part !== "").join("."));
  }

  /** As `read`, but the result may be empty. */
  readSome<Schema extends v.GenericSchema>(list: readonly unknown[], schema: Schema): v.InferOutput<Schema>[] {
    const read: v.InferOutput<Schema>[] = [];
    for (const [index, element] of list.entries()) {
      if (index - read.length >= SKIP_LIMIT) break;
      const result = v.safeParse(schema, element, { abortEarly: true });
      if (result.success) read.push(result.output);
    }
    this.skipped += list.length - read.length;
    return read;
  }
}

/** Cuts a long name: a list on a screen has no room for more. */
const cutName = <Entry extends { name: string }>(entry: Entry): Entry => ({
  ...entry,
  name: cut(entry.name, LABEL_LIMIT),
});

/** Reads the list of banks. */
export function toProvidersResponse(response: WireResponse): ProvidersResponse {
  if (response.status !== "success") return toRefusal(response);
  const reader = new ListReader(response);
  const { providers } = parseBody(providersBody, response);
  const entries = reader.read("providers", providers, providerEntry).map(cutName);
  return { status: "success", providers: entries, skipped: reader.skipped };
}

/** Reads the fields of a bank. A bank beside a status of its own is read: the status is its state (contract, section 2.2). */
export function toProviderResponse(response: WireResponse, code: string): ProviderResponse {
  const isState = !["success", "error"].includes(response.status) && v.is(providerBody, response.body);
  if (response.status !== "success") {
    const refusal = toRefusal(response);
    if (!isState || refusal.status !== "unexpected_status") return refusal;
  }
  // A member of this name would be taken for what the response says.
  const { state: _, ...provider } = parseBody(providerBody, response).provider;
  const state = isState ? response.status : readLoginState(provider["endpoints_status"]);
  const reader = new ListReader(response);
  const fields = reader.read("provider.auth_fields", provider.auth_fields, wireField);
  const detail = {
    ...provider,
    name: provider.name || code,
    auth_fields: fields.map(({ choices, ...field }) => ({ ...field, ...readChoices(reader, choices) }) as AuthField),
    account_type: reader.readSome(provider.account_type ?? [], accountType),
    ...(state !== undefined && { state: cut(state, NAME_LIMIT) }),
  };
  return { status: "success", provider: detail, skipped: reader.skipped };
}

/** The state that the service gives for logins at this bank, beyond the contract; `undefined` for one without a problem. Its `test` is not about a real bank. */
function readLoginState(sent: unknown): string | undefined {
  if (!v.is(endpointsStatus, sent)) return undefined;
  const login = sent.prod.find((one) => v.is(loginStatus, one));
  return login && !/^(ok|up|success|available|operational|active)$/i.test(login.status) ? login.status : undefined;
}

/** A list of which no choice can be read could not be answered: without it, the field takes a text. */
function readChoices(reader: ListReader, sent: readonly unknown[] | null | undefined): Pick<AuthField, "choices"> {
  if (!sent || sent.length === 0) return sent === undefined ? {} : { choices: sent as null | [] };
  const choices = reader.readSome(sent, choice);
  return choices.length > 0 ? { choices } : {};
}

/** Reads where a session can transfer to. */
export function toDestinationsResponse(response: WireResponse): DestinationsResponse {
  if (response.status !== "success") return toRefusal(response);
  const reader = new ListReader(response);
  const { destinations } = parseBody(destinationsBody, response);
  const entries = reader.read("destinations", destinations, transferDestination).map(cutName);
  return { status: "success", destinations: entries, skipped: reader.skipped };
}

/** Reads the clients to choose from. */
export function toClientsResponse(response: WireResponse): ClientsResponse {
  if (response.status !== "success") return toRefusal(response);
  const reader = new ListReader(response);
  const list = Object.entries(parseBody(clientsBody, response).clients).map(([id, name]) => ({ id, name }));
  const entries = reader.readSome(list, clientEntry).map(cutName);
  if (entries.length === 0 && list[0]) throw againstContract(response, `clients.${list[0].id}`);
  return { status: "success", clients: entries, skipped: reader.skipped };
}
