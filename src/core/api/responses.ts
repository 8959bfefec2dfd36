import type { ClientEntry, Interaction } from "../../../machines/login.types.ts";
import type { ProviderDetail, ProviderEntry, TransferDestination } from "../../../machines/provider.types.ts";
import type { PendingInteraction, Refusal } from "./refusals.ts";
import type { Secret } from "./secret.ts";

/** The session has started (contract, section 3). `key` may be absent in the response to a second login, because the first key stays valid. The statechart accepts no other absence. */
export interface LoggedIn {
  readonly status: "logged_in";
  readonly key?: Secret;
}

/** The bank asks for one more field, or several at once (contract, sections 2.3 and 3). */
export interface InteractionRequired extends PendingInteraction {
  /** Pass it with the second login. Absent only if the previous key stays valid. */
  readonly key?: Secret;
  /** From a relay: the interaction as its record of the login counts it. */
  readonly counted?: CountedInteraction;
  /** From a relay: its client has `awaitApproval`, so this one's can be called. */
  readonly awaitsApproval?: boolean | undefined;
}

/** A client must be chosen (contract, section 3). Choosing one is beyond the contract: `listClients`, `selectClient`. */
export interface SelectClient {
  readonly status: "select_client";
  readonly key?: Secret;
}

/** The response to `POST /login/`. */
export type LoginResponse = LoggedIn | InteractionRequired | SelectClient | Refusal;

/** An interaction as the record of a relay counts it: the members of `Interaction` of the same names. */
export interface CountedInteraction
  extends Pick<Interaction, "number" | "isRepeat" | "answersSent" | "confirmationsSent" | "approvalSent"> {
  /** Milliseconds until the time to answer runs out. */
  readonly timeLeft: number;
}

/** The response of a relay that did not get a submit. It is refused if it comes later. */
export interface UnknownSubmit {
  readonly status: "unknown_submit";
}

/** A success whose lists were read element by element. */
interface Listed {
  readonly status: "success";
  /** How many elements could not be read and were left out. */
  readonly skipped: number;
}

/** The response to `GET /provider/`. */
export type ProvidersResponse = (Listed & { readonly providers: readonly ProviderEntry[] }) | Refusal;

/** The response to `GET /provider/{code}/`. */
export type ProviderResponse = (Listed & { readonly provider: ProviderDetail }) | Refusal;

/** The response to `GET /transfer/destinations`. */
export type DestinationsResponse = (Listed & { readonly destinations: readonly TransferDestination[] }) | Refusal;

export type { ClientEntry };

/** The response to `GET /client/`. */
export type ClientsResponse = (Listed & { readonly clients: readonly ClientEntry[] }) | Refusal;

/** The response to `GET /client/{id}/`. A new `key` replaces the old one. */
export type SelectClientResponse = { readonly status: "success"; readonly key?: Secret } | Refusal;

/** The response to `GET /logout/`. */
export type LogoutResponse =
  | {
      readonly status: "logged_out";
      /** From a relay: with it the same login is sent again under its id. */
      readonly token?: Secret;
    }
  | Refusal;
