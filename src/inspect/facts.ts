import { failures } from "../api/failures.ts";
import type { Fact, Facts } from "./moment.ts";

// A whitelist twice over: what is not named here stays out, and what does not look like its name says stays out as well.

/** Takes from a value what may be told, or nothing. */
type Reader = (value: unknown) => Fact | undefined;

const matching =
  (pattern: RegExp): Reader =>
  (value) =>
    typeof value === "string" && pattern.test(value) ? value : undefined;

const number: Reader = (value) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);
const flag: Reader = (value) => (typeof value === "boolean" ? value : undefined);
const name = matching(/^[\w.-]{1,64}$/);
const providerCode = matching(/^[a-z0-9_]{1,64}$/);
const failureCode: Reader = (value) =>
  typeof value === "string" && Object.hasOwn(failures, value) ? value : undefined;
const count: Reader = (value) => (Array.isArray(value) && value.length > 0 ? value.length : undefined);
// That there is one, not which.
const presence: Reader = (value) => (value === undefined || value === null ? undefined : true);

// A plain loop: it runs for every event of every login that could be watched.
const record = (readers: { readonly [name: string]: Reader }): Reader => {
  const members = Object.entries(readers);
  return (value) => {
    if (typeof value !== "object" || value === null) return undefined;
    let facts: Record<string, Fact> | undefined;
    for (const [member, read] of members) {
      const fact = read((value as Record<string, unknown>)[member]);
      if (fact === undefined) continue;
      facts ??= {};
      facts[member] = fact;
    }
    return facts;
  };
};

const fieldNames: Reader = (value) =>
  typeof value === "object" && value !== null
    ? Object.keys(value).filter((each) => name(each) !== undefined)
    : undefined;

const failure = record({
  kind: matching(/^(outcome|fault)$/),
  code: failureCode,
  field: name,
  request: matching(/^(GET|POST) [/a-z{}]{1,64}$/),
  httpStatus: number,
  retryAfter: number,
});

const settings = {
  validate: flag,
  clientSelection: flag,
  sessionReplacement: flag,
  interactionLimit: number,
  answerTimeout: number,
  deadline: number,
  provider: providerCode,
  destinations: flag,
  dependentChoices: flag,
};

// The bank's text is left out: nobody's secret, but it can name a person's telephone.
const interaction = record({ field: name, number, isRepeat: flag, answersSent: number, expiresAt: number });

const situation = {
  provider: providerCode,
  interaction,
  clients: count,
  expiresAt: number,
  sessionReplaced: flag,
  key: presence,
  failure,
};

const replyStatus = matching(
  /^(success|logged_in|logged_out|interaction_required|select_client|refused|linked|cancelled)$/,
);

/** What an actor came back with: a reply of the service, or an error of ours. */
const result = record({
  status: replyStatus,
  field: name,
  expiresAt: number,
  key: presence,
  provider: providerCode,
  providers: count,
  clients: count,
  destinations: count,
  failure,
});

const contexts: { readonly [machine: string]: Reader } = {
  login: record(situation),
  link: record({ ...situation, choice: record({ field: name }), providers: count, destinations: count }),
};

const ended = record({ output: result, error: failure });

const events = new Map<string, Reader>([
  ["credentials.submit", record({ credentials: record({ provider: providerCode, fields: fieldNames }) })],
  ["client.choose", record({ client: name })],
  ["login.resume", record({ paused: record(situation) })],
  ["provider.choose", record({ provider: providerCode })],
  ["choices.narrow", record({ field: name })],
  ["xstate.init", record({ input: record(settings) })],
  ["xstate.promise.resolve", record({ data: result })],
  ["xstate.promise.reject", record({ data: failure })],
]);

/** What may be told of an event, beside its type. */
export function eventFacts(event: { readonly type: string }): Facts {
  const isEnd = event.type.startsWith("xstate.done.") || event.type.startsWith("xstate.error.");
  return facts((isEnd ? ended : events.get(event.type))?.(event));
}

/** What may be told of the context of a statechart of ours: `login` or `link`. */
export function contextFacts(machine: string, context: unknown): Facts {
  return facts(contexts[machine]?.(context));
}

/** What may be told of how a request ended. */
export function resultFacts(snapshot: object): Facts {
  return facts(ended(snapshot));
}

function facts(found: Fact | undefined): Facts {
  return typeof found === "object" && !Array.isArray(found) ? (found as Facts) : {};
}
