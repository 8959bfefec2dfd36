import type { PromiseActorLogic } from "xstate";
import type { loginMachine } from "./login.ts";
import type { Failure, LoginEvent, LoginSettings, Refused, Secret } from "./login.types.ts";
import type { ProviderDetail, ProviderEntry, TransferDestination } from "./provider.types.ts";

export type * from "./provider.types.ts";

/** How a link behaves; the defaults keep to the contract. Plain data, fit for JSON. */
export interface LinkSettings extends LoginSettings {
  /** The code of a known bank: the flow begins with its fields, and no other bank can be chosen. Default: the person chooses. */
  readonly provider?: string;
  /** List the transfer destinations before the flow ends, if the bank has transfers (contract, section 4.4). Default false. */
  readonly destinations?: boolean;
  /**
   * Let `choices.narrow` read which choices remain in the fields that depend on a chosen value. Beyond the
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
  /** The session's key, after the login. */
  readonly key: Secret | undefined;
}

/** The output of the list of banks. */
export type ListProvidersOutput = { readonly status: "success"; readonly providers: readonly ProviderEntry[] } | Refused;

/** The output of the fields of a bank. */
export type GetProviderOutput = { readonly status: "success"; readonly detail: ProviderDetail } | Refused;

/** The output of the list of destinations. */
export type ListDestinationsOutput = { readonly status: "success"; readonly destinations: readonly TransferDestination[] } | Refused;

/** The requests of the link flow, and the login within it: the statechart's slots. */
export type LinkActors = {
  listProviders: PromiseActorLogic<ListProvidersOutput, LinkRequest>;
  getProvider: PromiseActorLogic<GetProviderOutput, LinkRequest>;
  listDestinations: PromiseActorLogic<ListDestinationsOutput, LinkRequest>;
  login: typeof loginMachine;
};

/** The events of the flow, those of the login within included. An event that the state does not handle has no effect. */
export type LinkEvent =
  | { type: "provider.choose"; provider: string }
  | { type: "provider.change" }
  | { type: "choices.narrow"; field: string; value: string }
  | { type: "link.retry" }
  | { type: "link.cancel" }
  | LoginEvent;

/** What the flow emits, for `actor.on()`. */
export type LinkEmitted = { type: "link.succeeded"; provider: string } | { type: "link.failed"; failure: Failure } | { type: "link.cancelled" };

/** What `login.resume` takes. */
export type ResumableLogin = Extract<LoginEvent, { type: "login.resume" }>["paused"];

/** The context of the flow; every secret in it is opaque. */
export interface LinkContext extends LinkRequest {
  /** The id of the login that reached the session; empty before. */
  readonly id: string;
  /** The list of banks; empty if the settings name one. */
  readonly providers: readonly ProviderEntry[];
  /** What the chosen bank asks at the login. */
  readonly detail: ProviderDetail | undefined;
  /** The fields with the choices that remain after `choice`. */
  readonly narrowed: ProviderDetail | undefined;
  /** A login that continues after its page was left, until the login within has it. */
  readonly resumed: ResumableLogin | undefined;
  /** The user name of the last login at this bank, to log in there again. */
  readonly username: Secret | undefined;
  /** The transfer destinations of the session (contract, section 2.4). */
  readonly destinations: readonly TransferDestination[];
  /** What failed, until the next request. */
  readonly failure: Failure | undefined;
}

/** How the flow ended: with a session, or cancelled by the person. */
export type LinkOutput =
  | {
      readonly state: "linked";
      /** The login's id, as in the relay's log. */
      readonly id: string;
      readonly provider: string;
      readonly key: Secret;
      readonly destinations: readonly TransferDestination[];
    }
  | { readonly state: "cancelled" };

/** The types of the statechart. */
export interface LinkTypes {
  context?: LinkContext;
  events?: LinkEvent;
  emitted?: LinkEmitted;
  /** Default: no settings, so that each has its default. */
  input?: LinkSettings | undefined;
  output?: LinkOutput;
  children?: { login: "login" };
  tags?: "busy";
}
