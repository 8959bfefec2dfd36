import type { PromiseActorLogic, SnapshotFrom } from "xstate";
import type { loginMachine } from "./login.ts";
import type { Failure, LoginEvent, LoginSettings, Refused, Secret, ShownStep } from "./login.types.ts";

/** A bank of the list (contract, section 2.1). */
interface ProviderEntry {
  code: string;
  country: string;
  name: string;
  [member: string]: unknown;
}

interface Labelled {
  name: string;
  label_en?: string | null | undefined;
  label_es?: string | null | undefined;
  [member: string]: unknown;
}

/** What a bank asks at the login (contract, section 2.2). */
interface ProviderDetail {
  name: string;
  country: string;
  auth_fields: (Labelled & {
    type: string;
    interactive: boolean;
    optional: boolean;
    choices?: Labelled[] | null | undefined;
    default?: string | null | undefined;
  })[];
  account_type: Labelled[];
  logo?: string | null | undefined;
  [member: string]: unknown;
}

/** An institution that a session can transfer to (contract, section 2.4). */
interface TransferDestination {
  id: number;
  name: string;
  [member: string]: unknown;
}

/** How a link behaves; the defaults keep to the contract. Plain data, fit for JSON. */
export interface LinkSettings extends LoginSettings {
  /** The code of the bank, where it is known already: the flow begins with its fields, and no other can be chosen. Default: the person chooses. */
  readonly provider?: string;
  /** List where the session can transfer to before the flow ends. Default true. */
  readonly destinations?: boolean;
  /**
   * Let `choices.narrow` ask the bank which choices a chosen value leaves in the fields that depend on it. Beyond the
   * contract (`GET /provider/{code}/?key=<field>&value=<chosen>`). Default false: every choice is offered.
   */
  readonly dependentChoices?: boolean;
}

/** What a request of the link flow is made of. */
export interface LinkRequest {
  /** How the flow and its login behave. */
  readonly settings: LinkSettings;
  /** The chosen bank's code. */
  readonly provider: string | undefined;
  /** The choice that narrows those that depend on it. */
  readonly choice: { readonly field: string; readonly value: string } | undefined;
  /** The session's key, once the login is through. */
  readonly key: Secret | undefined;
}

/** What the service says to the list of banks. */
export type ListProvidersOutput = { readonly status: "success"; readonly providers: readonly ProviderEntry[] } | Refused;

/** What it says to the fields of a bank. */
export type GetProviderOutput = { readonly status: "success"; readonly detail: ProviderDetail } | Refused;

/** What it says to the list of destinations. */
export type ListDestinationsOutput = { readonly status: "success"; readonly destinations: readonly TransferDestination[] } | Refused;

/** The requests of the link flow, and the login within it: the statechart's slots. */
export type LinkActors = {
  listProviders: PromiseActorLogic<ListProvidersOutput, LinkRequest>;
  getProvider: PromiseActorLogic<GetProviderOutput, LinkRequest>;
  listDestinations: PromiseActorLogic<ListDestinationsOutput, LinkRequest>;
  login: typeof loginMachine;
};

/** What the flow can be told; the login within takes its own events from here. Without effect where the state has no use for it. */
export type LinkEvent =
  | ((
      | { type: "provider.choose"; provider: string }
      | { type: "provider.change" }
      | { type: "choices.narrow"; field: string; value: string }
      | { type: "link.retry" }
      | { type: "link.cancel" }
    ) &
      ShownStep)
  | LoginEvent;

/** What the flow tells, for `actor.on()`. */
export type LinkEmitted = { type: "link.succeeded"; provider: string } | { type: "link.failed"; failure: Failure } | { type: "link.cancelled" };

/** What the flow knows; every secret in it is opaque. */
export interface LinkContext extends LinkRequest {
  /** The list of banks; empty where the settings name one. */
  readonly providers: readonly ProviderEntry[];
  /** What the chosen bank asks at the login. */
  readonly detail: ProviderDetail | undefined;
  /** The same with the choices that `choice` leaves. */
  readonly narrowed: ProviderDetail | undefined;
  /** How the login within stands. Plain data: a whole snapshot in here could not be persisted. */
  readonly login: Pick<SnapshotFrom<typeof loginMachine>, "value" | "context"> | undefined;
  /** The user name of the last login at this bank: who has to log in there again needs no other. */
  readonly username: Secret | undefined;
  /** Where the session can transfer to (contract, section 2.4). */
  readonly destinations: readonly TransferDestination[];
  /** What failed, until something else is tried. */
  readonly failure: Failure | undefined;
  /** Counts the steps, those of the logins within included. */
  readonly stepNumber: number;
}

/** How the flow ended: with a session, or left by the person. */
export type LinkOutput =
  | {
      readonly status: "linked";
      readonly provider: string;
      readonly key: Secret;
      readonly destinations: readonly TransferDestination[];
    }
  | { readonly status: "cancelled" };

/** The types of the statechart. */
export interface LinkTypes {
  context: LinkContext;
  events: LinkEvent;
  emitted: LinkEmitted;
  input: LinkSettings;
  output: LinkOutput;
  children: { login: "login" };
  tags: "busy";
}
