import type { PromiseActorLogic } from "xstate";
import type { Failure } from "../api/failures.ts";
import type { ClientEntry } from "../api/responses.ts";
import type { Secret } from "../api/secret.ts";
import type { LoginSettings } from "./settings.ts";

/** What a person types in; opened only where the request is written. */
export interface Credentials {
  /** The bank's code. */
  readonly provider: string;
  /** The form by the names of the provider's `auth_fields`; `username` and `password` are always there. */
  readonly fields: { readonly username: Secret; readonly password: Secret; readonly [field: string]: Secret };
}

/** What the bank asks for after a login (contract, section 2.3). */
export interface Interaction {
  /** The name of the field to answer. */
  readonly field: string;
  /** The bank's text for the person. It can be a picture, which `interactionKind` opens. */
  readonly context: string;
  /** 1 for the login's first interaction. */
  readonly number: number;
  /** Whether the bank asks for the same field again, right after an answer to it: the answer may not have been accepted. */
  readonly isRepeat: boolean;
  /** How many answers to this field were sent in a row before it was asked for again; 0 unless `isRepeat`. */
  readonly answersSent: number;
  /** When the time to answer runs out, in milliseconds since the epoch. */
  readonly expiresAt?: number | undefined;
}

/** What a login is made of: with `key`, `interaction` and `answer` the second one (contract, section 5). */
export interface LoginRequest {
  /** How the login behaves. */
  readonly settings: LoginSettings;
  /** What was typed in; forgotten as soon as nothing can need it again. */
  readonly credentials: Credentials | undefined;
  /** The session's key, as soon as there is one (contract, section 2.3). */
  readonly key: Secret | undefined;
  /** What the bank asked last. */
  readonly interaction: Interaction | undefined;
  /** What the person answered; forgotten with the bank's reply. */
  readonly answer: Secret | undefined;
}

/** What a request on a session is made of. */
export interface SessionRequest {
  /** How the login behaves. */
  readonly settings: LoginSettings;
  /** The session's key. */
  readonly key: Secret | undefined;
  /** The id of the chosen client. Beyond the contract. */
  readonly client: string | undefined;
}

/** The service says no. */
export interface Refused {
  readonly status: "refused";
  readonly failure: Failure;
  readonly key?: Secret;
}

/** What a login says, as far as the statechart goes. */
export type LoginReply =
  | { readonly status: "logged_in" | "select_client"; readonly key?: Secret }
  | ({ readonly status: "interaction_required"; readonly key?: Secret } & Omit<
      Interaction,
      "number" | "isRepeat" | "answersSent"
    >)
  | Refused;

export type ClientsReply =
  | {
      readonly status: "success";
      readonly clients: readonly ClientEntry[];
      readonly expiresAt?: number | undefined;
    }
  | Refused;

export type SelectClientReply = { readonly status: "success"; readonly key?: Secret } | Refused;

export type CloseSessionReply = { readonly status: "logged_out" } | Refused;

/** What any request of a login says. */
export type Reply = LoginReply | ClientsReply | SelectClientReply | CloseSessionReply;

/** A session that was reached. */
export interface LoginOutput {
  readonly provider: string;
  readonly key: Secret;
}

/** A login that waits, for an answer or a choice of client, as it is taken up elsewhere. */
export interface PausedLogin {
  readonly settings: LoginSettings;
  /** The bank's code. */
  readonly provider: string;
  /** Needed for an answer, and for nothing else. */
  readonly credentials: Credentials | undefined;
  readonly key: Secret;
  /** What was asked; `undefined` where a client is to be chosen. */
  readonly interaction: Interaction | undefined;
  /** The clients to choose from. Beyond the contract. */
  readonly clients: readonly ClientEntry[];
  /** When the wait ends, in milliseconds since the epoch. */
  readonly expiresAt: number | undefined;
  /** Whether another session was closed for this login. */
  readonly sessionReplaced: boolean;
}

/** The requests and waits of a login: the statechart's slots. */
export type LoginActors = {
  submitCredentials: PromiseActorLogic<LoginReply, LoginRequest>;
  listClients: PromiseActorLogic<ClientsReply, SessionRequest>;
  selectClient: PromiseActorLogic<SelectClientReply, SessionRequest>;
  closeSession: PromiseActorLogic<CloseSessionReply, SessionRequest>;
  /** Ends at a time, in milliseconds since the epoch; without one, never. */
  waitUntil: PromiseActorLogic<void, { readonly time: number | undefined }>;
};
