import * as v from "valibot";
import { failures, type RefusalStatus, type WireForms } from "./failures.ts";
import { ANSWER_LIMIT, CONTEXT_LIMIT, cut, KEY_LIMIT, NAME_LIMIT, PICTURE_TEXT_LIMIT, TEXT_LIMIT } from "./limits.ts";
import { isPicture, NO_PICTURE } from "./picture.ts";
import { interactionBody, sentName } from "./schemas.ts";
import { maskSecrets, type Secret, secret } from "./secret.ts";
import type { WireResponse } from "./wire-response.ts";

/** What the bank asks for in an interaction (contract, section 2.3). */
export interface PendingInteraction {
  readonly status: "interaction_required";
  /** The name of the field to send. Absent if the service names none: it is then the bank's only interactive field. */
  readonly field?: string;
  /** The names of all fields to send, if the service names several: `field` is the first one then. */
  readonly fields?: readonly string[];
  /** The bank's text for the person; empty if it sends none. It can be a picture, which `interactionKind` reads. */
  readonly context: string;
}

/** What is left to do before a session can be used (contract, section 3): an interaction, or the choice of a client. */
export type PendingStep = PendingInteraction | { readonly status: "select_client" };

/** The service refuses (contract, section 7, and what is known beyond it). */
export interface Refusal {
  /** Why; a code of `docs/errors.md`. */
  readonly status: RefusalStatus;
  /** The response's HTTP code. Absent with `known_wrong`: nothing was sent. */
  readonly httpStatus?: number;
  /**
   * With `max_sessions_reached`: for a logout before logging in again, which may end all sessions of the user. With `wrong_client` from a relay: the key
   * for the next choice, because the key that was sent can't be used again. With `session_incomplete`: the one to answer with, if the service
   * sends another. Beyond the contract.
   */
  readonly key?: Secret;
  /** With `session_incomplete`: what the bank asks for. Beyond the contract. */
  readonly asked?: PendingStep;
  /** With `missing_credentials`: the names of the fields to fill in, if the service names them. Beyond the contract. */
  readonly missingFields?: readonly string[];
  /** With `known_wrong`: when the bank refused the same form, in milliseconds since the epoch. Beyond the contract. */
  readonly refusedAt?: number;
  /** The text of an error whose code is known, if it is one: the bank's, for the person. Beyond the contract. */
  readonly description?: string;
  /** The service's own status, code and texts. They are the bank's: fit for the person and the developer, not for a log. */
  readonly wire: WireRefusal;
}

/** The members of a refusal as the service sent them. Those that it did not send are absent. */
export interface WireRefusal {
  readonly status: string;
  readonly code?: string;
  readonly type?: string;
  readonly message?: string;
  /** A list or an object as JSON. */
  readonly description?: string;
}

const forms: readonly (readonly [RefusalStatus, WireForms])[] = Object.entries(failures).flatMap(([code, row]) =>
  "wire" in row ? [[code as RefusalStatus, row.wire]] : [],
);

/** Reads why a response is not a success. An unknown status becomes `unexpected_status`: a value, never a crash. */
export function readRefusalStatus(body: WireResponse["body"]): RefusalStatus {
  const { status, message } = body;
  if (status !== "error") {
    const isNamed = (form: WireForms, name: string) =>
      (form.status && name === status) || form.statuses?.includes(`${status}`);
    return find(isNamed) ?? "unexpected_status";
  }
  const text = typeof message === "string" ? message.toLowerCase() : undefined;
  return (
    findCoded(body) ??
    find(({ messages }) => messages?.some((known) => known.toLowerCase() === text)) ??
    "unexpected_status"
  );
}

const find = (isWritten: (form: WireForms, name: string) => boolean | undefined) =>
  forms.find(([name, form]) => isWritten(form, name))?.[0];

/** The refusal of a code of the newer envelope. */
const findCoded = ({ status, code }: WireResponse["body"]) =>
  status === "error" ? find(({ codes }) => codes?.some((known) => known === code)) : undefined;

/** Reads a response that is not a success. */
export function toRefusal(response: WireResponse): Refusal {
  const status = readRefusalStatus(response.body);
  const wire = toWireRefusal(response);
  const missingFields = status === "missing_credentials" ? readMissingFields(response) : [];
  const asked = readAsked(response);
  const { description, refused_at: refusedAt } = response.body;
  const isForPeople = findCoded(response.body) && typeof description === "string" && description.trim() !== "";
  return {
    status,
    ...(status !== "known_wrong" && { httpStatus: response.httpStatus }),
    wire,
    ...(missingFields.length > 0 && { missingFields }),
    ...(asked && { asked }),
    ...(status === "known_wrong" && typeof refusedAt === "number" && { refusedAt }),
    ...(isForPeople && wire.description !== undefined && { description: wire.description }),
    ...(keyed.includes(status) && readKey(response)),
  };
}

/** The refusals whose key is of use. */
const keyed: readonly RefusalStatus[] = ["max_sessions_reached", "wrong_client", "session_incomplete"];

/** The key of a response, if it has a valid one. */
function readKey({ body: { key } }: WireResponse): { readonly key?: Secret } {
  return v.is(sentName, key) && key.length <= KEY_LIMIT ? { key: secret(key) } : {};
}

function readMissingFields({ body: { missing_fields: names } }: WireResponse): readonly string[] {
  const isName = (name: unknown) => typeof name === "string" && name !== "" && name.length <= NAME_LIMIT;
  // Objects with a `name` have been described, too.
  return Array.isArray(names)
    ? names
        .map((named) => named?.name ?? named)
        .filter(isName)
        .slice(0, ANSWER_LIMIT)
    : [];
}

function toWireRefusal({ status, body, secrets }: WireResponse): WireRefusal {
  const { code, type, message, description } = body;
  const details = typeof description === "string" ? description : JSON.stringify(description);
  const text = (value: string, limit: number) => cut(maskSecrets(value, secrets), limit);
  return {
    status: text(status, NAME_LIMIT),
    ...(typeof code === "string" && { code: text(code, NAME_LIMIT) }),
    ...(typeof type === "string" && { type: text(type, NAME_LIMIT) }),
    ...(typeof message === "string" && { message: text(message, TEXT_LIMIT) }),
    ...(details !== undefined && { description: text(details, TEXT_LIMIT) }),
  };
}

/** Reads what an interaction asks for. */
export function readInteraction(response: WireResponse): PendingInteraction {
  // Each member has a fallback.
  const { context, field: fields } = v.parse(interactionBody, response.body);
  const [field, ...others] = fields;
  return {
    status: "interaction_required",
    ...(field !== undefined && { field }),
    ...(others.length > 0 && { fields }),
    context: toContext(context ?? "", response),
  };
}

/** Reads what a session still asks for; `undefined` for every other response. */
export function readAsked(response: WireResponse): PendingStep | undefined {
  if (response.status === "interaction_required") return readInteraction(response);
  return response.status === "select_client" ? { status: response.status } : undefined;
}

/** The text of an interaction. A cut picture can't be shown: it is kept complete or left out. */
function toContext(context: string, { secrets }: WireResponse): string {
  if (isPicture(context)) return context.length > PICTURE_TEXT_LIMIT ? NO_PICTURE : context;
  return cut(maskSecrets(context, secrets), CONTEXT_LIMIT);
}
