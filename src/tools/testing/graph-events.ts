import type { AnyMachineSnapshot } from "xstate";
import type { LinkActors, LinkEvent } from "../../../machines/link.types.ts";
import type { LoginActors, LoginEvent, PausedLogin } from "../../../machines/login.types.ts";
import { BankError } from "../../core/api/errors.ts";
import type { Failure, OutcomeCode } from "../../core/api/failures.ts";
import { secret } from "../../core/api/secret.ts";
import { createCredentials } from "../../core/login/credentials.ts";

type Slots = Readonly<Record<string, { readonly transition: (snapshot: never, ...rest: never[]) => unknown }>>;
type OutputOf<Logic> = Logic extends { transition: (...args: never[]) => infer Reached }
  ? Reached extends { output: infer Output | undefined }
    ? Output
    : never
  : never;

/** The possible outputs of each invoked actor, by its id in the statechart. */
type Outputs<Actors extends Slots, Id extends string = never> = {
  readonly [Slot in Exclude<keyof Actors, "waitUntil" | "login"> | Id]: readonly (Slot extends keyof Actors
    ? OutputOf<Actors[Slot]>
    : unknown)[];
};

const key = secret("a-key-that-is-never-sent");

// A walk without `serializeState` counts tries and never ends. It then writes failures of contexts and events as JSON, which is counted here; the
// largest walk that ends writes some thousands.
const MAX_FAILURES = 8000;
let failuresWritten = 0;

const failure = (code: OutcomeCode): Failure => {
  const toJSON = function toJSON(this: Failure): Failure {
    failuresWritten += 1;
    if (failuresWritten > MAX_FAILURES) {
      failuresWritten = 0;
      throw new Error(
        "This walk does not end: each try is another state. Give it `serializeState` of ventanilla/testing beside `loginEvents` or `linkEvents`.",
      );
    }
    return { ...this };
  };
  return Object.defineProperty({ kind: "outcome", code }, "toJSON", { value: toJSON });
};
const refused = (code: OutcomeCode) => ({ status: "refused", failure: failure(code) }) as const;
const loggedInAt = 1;
const provider = "test";
const clients = [{ id: "1", name: "First client" }];

const interaction = { field: "otp", fields: ["otp"], context: "A code", number: 1, isRepeat: false, answersSent: 0 };
const paused: PausedLogin = {
  id: "a-login",
  settings: {},
  provider,
  credentials: undefined,
  key,
  interaction,
  clients,
  expiresAt: undefined,
  sessionReplaced: false,
};

const responses = [
  { status: "logged_in", key, loggedInAt },
  { status: "logged_in", loggedInAt },
  { status: "interaction_required", field: "otp", context: "A code", key },
  { status: "select_client", key },
  refused("wrong_credentials"),
  { ...refused("max_sessions_reached"), key },
] as const;

const loginOutputs: Outputs<LoginActors, "interactionDeadline" | "choiceDeadline"> = {
  checkFields: [{ status: "success" }, refused("missing_credentials")],
  submitCredentials: responses,
  submitAnswer: responses,
  resume: responses,
  listClients: [{ status: "success", clients }, { status: "success", clients: [] }, refused("invalid_key")],
  selectClient: [{ status: "success", key, loggedInAt }, refused("wrong_client")],
  closeSession: [{ status: "logged_out" }, refused("logout_failed")],
  awaitApproval: [{ status: "approved", answer: { otp: secret("true") } }, { status: "denied" }, { status: "expired" }],
  interactionDeadline: [undefined],
  choiceDeadline: [undefined],
};

const detail = { name: "A bank", country: "UY", auth_fields: [], account_type: [], methods: { transfers: true } };

const linkOutputs: Outputs<LinkActors, "narrowChoices" | "login"> = {
  listProviders: [
    { status: "success", providers: [{ code: provider, country: "UY", name: "A bank" }] },
    refused("api_key_refused"),
  ],
  getProvider: [{ status: "success", detail }, refused("unauthorized_provider")],
  narrowChoices: [{ status: "success", detail }, refused("unauthorized_provider")],
  listDestinations: [{ status: "success", destinations: [] }, refused("invalid_key"), refused("unauthorized_provider")],
  login: [{ id: "a-login", provider, key, loggedInAt }],
};

/** How each invoked actor ends: with each of its outputs, or with a fault. */
function listEnds(outputs: Readonly<Record<string, readonly unknown[]>>) {
  const error = new BankError("network_failed");
  return Object.entries(outputs).flatMap(([id, each]) => [
    ...each.map((output) => ({ type: `xstate.done.actor.${id}`, output })),
    { type: `xstate.error.actor.${id}`, error },
  ]);
}

const personsEvents: readonly LoginEvent[] = [
  { type: "credentials.submit", credentials: createCredentials({ provider, username: "ana", password: "1234" }) },
  { type: "interaction.answer", answer: { otp: secret("8888") } },
  { type: "client.choose", client: "1" },
  { type: "client.choose", client: "a client that is not listed" },
  { type: "session.replace" },
  { type: "login.resume", paused },
  { type: "login.resume", paused: { ...paused, interaction: undefined } },
  { type: "login.resume", paused: { id: "a-login", settings: {}, provider, token: key } },
  { type: "login.cancel" },
];

// XState's types don't know the events of invoked actors.
const withEnds = <Event>(events: readonly Event[], outputs: Readonly<Record<string, readonly unknown[]>>) =>
  [...events, ...listEnds(outputs)] as readonly Event[];

/**
 * All events of a login, for `@xstate/graph`: what a person does, and how each request and wait of the statechart ends, since
 * a walk through a statechart starts none of them.
 *
 * @example
 * getShortestPaths(loginMachine, { events: loginEvents, serializeState, input: { clientSelection: true } });
 */
export const loginEvents: readonly LoginEvent[] = withEnds(personsEvents, loginOutputs);

/** All events of a link. Of the login within it, only the end. */
export const linkEvents: readonly LinkEvent[] = withEnds<LinkEvent>(
  [
    { type: "provider.choose", provider },
    { type: "provider.change" },
    { type: "choices.narrow", field: "type", value: "ci" },
    { type: "choices.narrow", field: "type", value: "" },
    { type: "link.retry" },
    { type: "link.cancel" },
    ...personsEvents,
  ],
  linkOutputs,
);

// What the statecharts count, name after the time, or remember of an answer: with the first two a walk would never end.
const leftOut = ["attempts", "id", "interaction", "answer", "answerKind", "answersInVain", "isSent", "loggedInAt"];

/**
 * A text that distinguishes the states of a statechart, for `@xstate/graph`: its state, and its context without counters. A second
 * interaction is the same state as the first one, otherwise the walk would have more than a hundred paths.
 */
export function serializeState({ value, context }: Pick<AnyMachineSnapshot, "value" | "context">): string {
  failuresWritten = 0;
  return JSON.stringify([value, context], (name, member: unknown) => (leftOut.includes(name) ? undefined : member));
}
