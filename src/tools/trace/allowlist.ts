import type { LinkEvent, LinkOutput, ListProvidersOutput } from "../../../machines/link.types.ts";
import type { RequestOutput } from "../../../machines/login.types.ts";
import { type FailureCode, failures, type KnownFailure } from "../../core/api/failures.ts";
import type { TraceDetails, TraceValue } from "./trace-event.ts";

// A double allowlist: a member that is not listed here is left out, and so is a value that does not have the form of its member.

/** Reads what may be shown of a value; `undefined` for nothing. */
type Reader<Value extends TraceValue = TraceValue> = (value: unknown) => Value | undefined;

const matching =
  (pattern: RegExp): Reader<string> =>
  (value) =>
    typeof value === "string" && pattern.test(value) ? value : undefined;

/** A UUID, or the id of a durable login: its version, a dot and its name. */
export const loginId = matching(/^[\w.-]{1,81}$/);
const number: Reader<number> = (value) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);
const flag: Reader<boolean> = (value) => (typeof value === "boolean" ? value : undefined);
export const providerCode = matching(/^[a-z0-9_]{1,64}$/);
const count: Reader<number> = (value) => (Array.isArray(value) && value.length > 0 ? value.length : undefined);
// Only whether there is one.
const presence: Reader<true> = (value) => (value === undefined || value === null ? undefined : true);

/** The name of a field, or any other one-word name. */
export const redactName = matching(/^[\w.-]{1,64}$/);

const statuses = {
  success: true,
  logged_in: true,
  logged_out: true,
  interaction_required: true,
  select_client: true,
  refused: true,
} as const satisfies Record<(RequestOutput | ListProvidersOutput)["status"], true>;

/** How a flow ended. */
const linkStates = { linked: true, cancelled: true } as const satisfies Record<LinkOutput["state"], true>;
const redactLinkState: Reader<string> = (value) =>
  typeof value === "string" && Object.hasOwn(linkStates, value) ? value : undefined;

/** The status of a response. */
export const redactStatus: Reader<string> = (value) =>
  typeof value === "string" && Object.hasOwn(statuses, value) ? value : undefined;

// A plain loop, because it runs for each event of each inspected login.
const record = (readers: { readonly [name: string]: Reader }): Reader<TraceDetails> => {
  const members = Object.entries(readers);
  return (value) => {
    if (typeof value !== "object" || value === null) return undefined;
    let details: Record<string, TraceValue> | undefined;
    for (const [member, read] of members) {
      const detail = read((value as Record<string, unknown>)[member]);
      if (detail === undefined) continue;
      details ??= {};
      details[member] = detail;
    }
    return details;
  };
};

const fieldNames: Reader = (value) =>
  typeof value === "object" && value !== null
    ? Object.keys(value).filter((each) => redactName(each) !== undefined)
    : undefined;

const failureDetails = record({
  field: redactName,
  httpStatus: number,
  request: matching(/^(GET|POST) [/a-z{}]{1,64}$/),
  wireStatus: matching(/^[\w.:-]{1,64}$/),
  retryAfter: number,
  refusedAt: number,
});

/**
 * A failure as it may be shown. It can come from a user's actor or from a stored snapshot, and contain anything. Only codes of the
 * table, and texts in ventanilla's own form, are kept.
 */
export function redactFailure(failure: unknown): KnownFailure {
  const code = typeof failure === "object" && failure !== null && "code" in failure ? failure.code : undefined;
  if (typeof code !== "string" || !Object.hasOwn(failures, code)) return { kind: "fault", code: "unexpected_fault" };
  const known = code as FailureCode;
  return { kind: failures[known].kind, code: known, ...failureDetails(failure) };
}

// Undefined members are left out.
const failure: Reader<TraceDetails> = (value) =>
  value === undefined || value === null ? undefined : ({ ...redactFailure(value) } as TraceDetails);

const settings = {
  validate: flag,
  clientSelection: flag,
  sessionReplacement: flag,
  interactionLimit: number,
  repeatLimit: number,
  answerTimeout: number,
  deadline: number,
  provider: providerCode,
  destinations: flag,
  dependentChoices: flag,
};

// The bank's text is left out, because it can contain a telephone number.
const interaction = record({
  field: redactName,
  number,
  isRepeat: flag,
  answersSent: number,
  confirmationsSent: number,
  awaitsApproval: flag,
  approvalSent: flag,
  expiresAt: number,
});

const loginContext = {
  id: loginId,
  loggedInAt: number,
  provider: providerCode,
  interaction,
  clients: count,
  expiresAt: number,
  sessionReplaced: flag,
  key: presence,
  failure,
};

/** The output of an actor: the response of the service. */
const result = record({
  status: redactStatus,
  state: redactLinkState,
  field: redactName,
  expiresAt: number,
  key: presence,
  provider: providerCode,
  providers: count,
  clients: count,
  destinations: count,
  failure,
});

const contexts = {
  login: record(loginContext),
  link: record({ ...loginContext, choice: record({ field: redactName }), providers: count, destinations: count }),
};

const ended = record({ output: result, error: failure });

const nothing: Reader<TraceDetails> = () => undefined;

const events = {
  "credentials.submit": record({ credentials: record({ id: loginId, provider: providerCode, fields: fieldNames }) }),
  "interaction.answer": nothing,
  "client.choose": record({ client: redactName }),
  "session.replace": nothing,
  "login.resume": record({ paused: record(loginContext) }),
  "login.cancel": nothing,
  "provider.choose": record({ provider: providerCode }),
  "provider.change": nothing,
  "choices.narrow": record({ field: redactName }),
  "link.retry": nothing,
  "link.cancel": nothing,
  "xstate.init": record({ input: record(settings) }),
  "xstate.promise.resolve": record({ data: result }),
  "xstate.promise.reject": record({ data: failure }),
} as const satisfies Record<LinkEvent["type"] | `xstate.${string}`, Reader<TraceDetails>>;

/** What may be shown of an event, beside its type. */
export function redactEvent(event: { readonly type: string }): TraceDetails {
  const isEnd = event.type.startsWith("xstate.done.") || event.type.startsWith("xstate.error.");
  const known = Object.hasOwn(events, event.type) ? events[event.type as keyof typeof events] : nothing;
  return (isEnd ? ended : known)(event) ?? {};
}

/** What may be shown of the context of a statechart of the library. */
export function redactContext(flow: "login" | "link", context: unknown): TraceDetails {
  return contexts[flow](context) ?? {};
}

/** What may be shown of how a request ended. */
export function redactResult(snapshot: object): TraceDetails {
  return ended(snapshot) ?? {};
}
