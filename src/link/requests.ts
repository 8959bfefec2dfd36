import type { PromiseActorLogic } from "xstate";
import type { loginMachine } from "../../machines/login.ts";
import type { ProviderDetail, ProviderEntry, TransferDestination } from "../api/schemas.ts";
import type { Secret } from "../api/secret.ts";
import type { Refused } from "../login/requests.ts";
import type { LinkSettings } from "./settings.ts";

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

export type ProvidersReply = { readonly status: "success"; readonly providers: readonly ProviderEntry[] } | Refused;

export type FieldsReply = { readonly status: "success"; readonly detail: ProviderDetail } | Refused;

export type DestinationsReply =
  | { readonly status: "success"; readonly destinations: readonly TransferDestination[] }
  | Refused;

/** The requests of the link flow, and the login within it: the statechart's slots. */
export type LinkActors = {
  listProviders: PromiseActorLogic<ProvidersReply, LinkRequest>;
  getProvider: PromiseActorLogic<FieldsReply, LinkRequest>;
  listDestinations: PromiseActorLogic<DestinationsReply, LinkRequest>;
  login: typeof loginMachine;
};
