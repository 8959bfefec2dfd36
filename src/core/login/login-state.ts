import type { AnyStateNode, SnapshotFrom } from "xstate";
import { loginMachine } from "../../../machines/login.ts";
import type {
  Failure,
  Interaction,
  LoginActors,
  LoginContext,
  LoginTag,
  Secret,
} from "../../../machines/login.types.ts";
import type { ClientEntry } from "../api/responses.ts";

/** A snapshot of a login. */
export type LoginSnapshot = SnapshotFrom<typeof loginMachine>;

/** A request of a login, by its slot of the statechart. */
export type LoginRequest = Exclude<keyof LoginActors, "awaitApproval" | "waitUntil">;

/** Which login it is. */
export interface LoginIdentity {
  /** The login's id: lifecycle events, spans and a relay's events have the same. No secret. */
  readonly id: string;
  /** The bank's code. */
  readonly provider: string;
}

/** Where a login is: plain data, in the words of the statechart (contract, section 3). A stored login has its key as a text. */
export type LoginState<Key = Secret> =
  /** Nothing was sent, or the login was cancelled. */
  | { readonly state: "idle" }
  /** A request runs, also one that chooses a client or ends another session. */
  | ({ readonly state: "submitting"; readonly request: LoginRequest } & LoginIdentity)
  /** The bank asks for one more field, or several (contract, section 2.3). */
  | ({ readonly state: "awaitingInteraction"; readonly interaction: Interaction } & LoginIdentity)
  /** A client is to be chosen. Beyond the contract. */
  | ({
      readonly state: "selectClient";
      /** The session's key, which is of no use to others before a client is chosen. */
      readonly key: Key | undefined;
      /** The clients to choose from. */
      readonly clients: readonly ClientEntry[];
      /** When the time to choose runs out, in milliseconds since the epoch. */
      readonly expiresAt?: number | undefined;
    } & LoginIdentity)
  | ({
      readonly state: "failed";
      /** Why. `describeFailure(failure, locale)` tells a person. */
      readonly failure: Failure;
      /** With `max_sessions_reached`: for `client.logout(key)`, which may end all sessions of the user. With `client_selection_off`: the session that needs a client. */
      readonly key?: Key | undefined;
    } & LoginIdentity)
  | ({
      readonly state: "loggedIn";
      /** For `client.listTransferDestinations(key)`; `reveal(key)` gives the text. */
      readonly key: Key;
      /** When the session began, in milliseconds since the epoch: a key may be good for minutes only. */
      readonly loggedInAt: number;
    } & LoginIdentity);

/** One of the states, with its data. */
export type LoginStateOf<Name extends LoginState["state"]> = Extract<LoginState, { readonly state: Name }>;

/** The states in which a login waits for a person: the tag `open` of the statechart. */
export const openStates = ["awaitingInteraction", "selectClient"] as const satisfies readonly LoginState["state"][];
export type OpenState = (typeof openStates)[number];

export const isOpen = (state: string | undefined): state is OpenState => openStates.some((open) => open === state);

/** What is read of a snapshot. */
interface StateSource<Key> {
  readonly value: LoginSnapshot["value"];
  readonly context: Pick<
    LoginContext,
    "id" | "provider" | "interaction" | "clients" | "expiresAt" | "failure" | "loggedInAt"
  > & { readonly key: Key | undefined };
}

/** The states as JSON has them. */
export const stateNames = {
  idle: "idle",
  submitting: "submitting",
  awaitingInteraction: "awaiting_interaction",
  selectClient: "select_client",
  failed: "failed",
  loggedIn: "logged_in",
  cancelled: "cancelled",
} as const satisfies Readonly<Record<LoginState["state"] | "cancelled", string>>;

/** What a person waits for at each request: the name of its text. */
export const requestTexts = {
  checkFields: "submitting",
  submitCredentials: "submitting",
  submitAnswer: "submitting",
  resume: "submitting",
  listClients: "listingClients",
  selectClient: "selectingClient",
  closeSession: "replacingSession",
} as const satisfies Readonly<Record<LoginRequest, string>>;

/** Why a login is over in `selectClient.resting`: the contract ends there, so the statechart has no failure of its own. */
export const clientSelectionOff: Failure = { kind: "outcome", code: "client_selection_off" };

const unexpected: Failure = { kind: "fault", code: "unexpected_fault" };

type Child<Parent extends string> = Extract<LoginSnapshot["value"], { readonly [Name in Parent]: unknown }>[Parent];

/** The request of each state within `submitting`. It decides before the first one, and after the last one. */
const requests = {
  routing: "checkFields",
  checkingFields: "checkFields",
  sendingCredentials: "submitCredentials",
  sendingAnswer: "submitAnswer",
  resuming: "resume",
  responded: "submitCredentials",
} satisfies Record<Child<"submitting">, LoginRequest>;

/** Where a login is. A stored snapshot is read like one of an actor. */
export function readState<Key>({ value, context }: StateSource<Key>): LoginState<Key> {
  const { id, provider, key, interaction, clients, expiresAt, failure, loggedInAt } = context;
  const name = { id, provider };
  const failed = (reason: Failure = unexpected) =>
    ({ state: "failed", ...name, failure: reason, ...(key !== undefined && { key }) }) as const;
  if (typeof value === "object" && "submitting" in value)
    return { state: "submitting", ...name, request: requests[value.submitting] };
  switch (typeof value === "object" ? value.selectClient : value) {
    case "idle":
      return { state: "idle" };
    case "awaitingInteraction":
      // Entered with one only: see the statechart.
      return interaction ? { state: "awaitingInteraction", ...name, interaction } : failed();
    case "listing":
      return { state: "submitting", ...name, request: "listClients" };
    case "choosing":
      return { state: "selectClient", ...name, key, clients, expiresAt };
    case "selecting":
      return { state: "submitting", ...name, request: "selectClient" };
    case "resting":
      return failed(clientSelectionOff);
    case "replacingSession":
      return { state: "submitting", ...name, request: "closeSession" };
    case "failed":
      return failed(failure);
    case "loggedIn":
      return key && loggedInAt !== undefined ? { state: "loggedIn", ...name, key, loggedInAt } : failed();
  }
}

/** Whether the state of a stored login has a tag. A state that only another version of the statechart has, has none. */
export function hasTag({ value }: Pick<LoginSnapshot, "value">, tag: LoginTag): boolean {
  const path = typeof value === "string" ? [value] : Object.entries(value).flat();
  const node = path.reduce<AnyStateNode | undefined>((parent, name) => parent?.states[name], loginMachine.root);
  return node?.tags.includes(tag) ?? false;
}

/** Names the step that a login is at: of this attempt, in this state, at this interaction. A screen's verbs belong to one step. */
export function readStep(snapshot: Pick<LoginSnapshot, "value" | "context">): string {
  const { attempts, interaction } = snapshot.context;
  return `${JSON.stringify(snapshot.value)} ${attempts} ${interaction?.number ?? 0}`;
}
