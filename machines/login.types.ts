import type { PromiseActorLogic } from "xstate";

declare const brand: unique symbol;

/**
 * A value that must not be seen: a username, a password, a form value, an answer, a session key, the API key. It prints
 * and serialises as `[secret]`, and a clone of it is empty, so that it can travel through events, snapshots and logs.
 */
export interface Secret {
  /** Only `secret()` makes one. */
  readonly [brand]: "Secret";
  /** `[secret]`. */
  toString(): string;
  /** `[secret]`. */
  toJSON(): string;
}

/** A failure as the statecharts keep it: plain data, no secret, fit for JSON. */
export interface Failure {
  /** `outcome`: the bank, the service or the person decided it. `fault`: something broke. */
  readonly kind: "outcome" | "fault";
  /** Which failure: a `FailureCode`, unless it comes from a snapshot of another version or an actor of your own. */
  readonly code: string;
  /** The input, handler or response member that it is about, if there is one. */
  readonly field?: string | undefined;
  /** The request, as method and path template: `POST /login/`. */
  readonly request?: string | undefined;
  /** The response's HTTP code, if there was a response. */
  readonly httpStatus?: number | undefined;
  /** With `unexpected_status`: the service's status, if it is an identifier. */
  readonly wireStatus?: string | undefined;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** With `missing_credentials`: the fields to fill in, if the service names them. */
  readonly missingFields?: readonly string[] | undefined;
  /** With `known_wrong`: when the bank refused the same form, in milliseconds since the epoch. */
  readonly refusedAt?: number | undefined;
  /** The bank's own text, if it sends one: for the person, beside ours, and for no log. */
  readonly description?: string | undefined;
  /** More for the developer, in English. */
  readonly detail?: string | undefined;
}

/** A kind of interaction that can be set: pictures and choices are recognised. */
export type SettableKind = "code" | "confirmation" | "question";

/** How a login behaves; the defaults keep to the contract. Plain data, fit for JSON. */
export interface LoginSettings {
  /**
   * Read the provider's fields first and refuse a missing or unknown one, by name, before anything is sent (contract, section 4.1). A client
   * keeps what it reads, so this seldom costs a request. If the response is not the service's (a web page, a redirect, a 4xx without a status), nothing is
   * sent. If the read fails for the moment, the login continues unchecked and emits `fields.unchecked`. Default true.
   */
  readonly validate?: boolean;
  /** Choose a client through `/client/`. Beyond the contract. Default false: the login stays in `selectClient`. */
  readonly clientSelection?: boolean;
  /**
   * Close the sessions that are open after `max_sessions_reached` and log in again, once. It may throw out a colleague who uses the same user name:
   * the service's logout may end all sessions. `login()` does so automatically; a screen offers it with the event `session.replace`. Beyond the contract.
   * Default false: the outcome has the key for the logout.
   */
  readonly sessionReplacement?: boolean;
  /**
   * The most interactions of one login, which protects the account from a loop: `too_many_interactions`. One that the bank repeats after the person
   * has said that it is confirmed, and has not confirmed yet, is not counted. Default 10.
   */
  readonly interactionLimit?: number;
  /**
   * The most answers to one code or question that the bank asks for again and again: `too_many_interactions`. Confirmations, choices and pictures
   * are not counted. Default 5.
   */
  readonly repeatLimit?: number;
  /**
   * Milliseconds to answer an interaction or to choose a client, after which the login ends with `expired`. `Infinity` for no limit.
   * Default 300 000, five minutes.
   */
  readonly answerTimeout?: number;
  /**
   * When the login ends, in any state: a `Date`, or milliseconds since the epoch, which JSON keeps. An open interaction then ends with `expired`, a request with
   * `request_timed_out`. Default: never.
   */
  readonly deadline?: Date | number;
  /**
   * What banks ask for, if `interactionKind` would guess wrong: by the bank's code and the name of the field. `confirmation` has no field to
   * type in, `question` takes any text. Default: by what the bank sends.
   */
  readonly interactionKinds?: Readonly<Record<string, Readonly<Record<string, SettableKind>>>>;
}

/** One of the clients that a user acts for. Beyond the contract. */
export interface ClientEntry {
  /** As the service sends it; not always a number. */
  readonly id: string;
  /** The name to show. */
  readonly name: string;
}

/** What a person types in; revealed only where the request is written. */
export interface Credentials {
  /** The id of their login: random, and no secret. They are for one submit. */
  readonly id: string;
  /** Names the login to a relay: who has it can continue the login. Default: the client makes one. */
  readonly token?: Secret;
  /** The bank's code. */
  readonly provider: string;
  /** The form by the names of the provider's `auth_fields`; `username` and `password` are always there. */
  readonly fields: { readonly username: Secret; readonly password: Secret; readonly [field: string]: Secret };
}

/** What the bank asks for after a login (contract, section 2.3). */
export interface Interaction {
  /** The name of the field to answer; of several, the first one. */
  readonly field: string;
  /** The names of all fields to answer, in the bank's order: mostly one, `field`. */
  readonly fields: readonly string[];
  /** The bank's text for the person. It can be a picture, which `interactionKind` reads. */
  readonly context: string;
  /** 1 for the login's first interaction. */
  readonly number: number;
  /** Whether the bank asks for the same field again, right after an answer to it: the answer may not have been accepted. */
  readonly isRepeat: boolean;
  /** How many answers to this field were sent in a row before it was asked for again; 0 unless `isRepeat`. */
  readonly answersSent: number;
  /**
   * How often in this login the person confirmed and the bank asked again: it was too early. Those are not wrong answers, so neither
   * `answersSent` nor `interactionLimit` counts them, and the time to answer continues. Default 0.
   */
  readonly confirmationsSent?: number | undefined;
  /**
   * Whether the login has continued automatically after an approval in the bank's app, and the bank asks for the same field again. It does so once:
   * now the person confirms. Default false.
   */
  readonly approvalSent?: boolean | undefined;
  /** When the time to answer runs out, in milliseconds since the epoch. */
  readonly expiresAt?: number | undefined;
  /** Whether the client can find out that the person has approved the login in the bank's app: a confirmation then continues automatically. Default false. */
  readonly awaitsApproval?: boolean | undefined;
}

/** What a person answers: a text for each field that the bank asks for, by its name. Mostly it is one. */
export type Answer = Readonly<Record<string, Secret>>;

/** The service refuses. */
export interface Refused {
  readonly status: "refused";
  readonly failure: Failure;
  readonly key?: Secret;
}

/** The output of the check of the form: `refused` also for a form that has not the bank's fields. */
export type CheckFieldsOutput = { readonly status: "success" } | Refused;

/** The output of a login request, the first one or one with an answer. */
export type SubmitOutput =
  | { readonly status: "logged_in"; readonly key?: Secret; readonly loggedInAt?: number }
  | { readonly status: "select_client"; readonly key?: Secret }
  | ({
      readonly status: "interaction_required";
      readonly key?: Secret;
      /** If the bank asks for several at once, all of them. Default: the one in `field`. */
      readonly fields?: readonly string[];
      /** As a relay counts it, which knows all of the login. Default: as the statechart does. */
      readonly counted?: Pick<Interaction, "number" | "isRepeat" | "answersSent" | "confirmationsSent" | "approvalSent">;
    } & Pick<Interaction, "field" | "context" | "expiresAt" | "awaitsApproval">)
  | Refused;

/** The output of the list of clients. */
export type ListClientsOutput =
  | {
      readonly status: "success";
      readonly clients: readonly ClientEntry[];
      readonly expiresAt?: number | undefined;
    }
  | Refused;

/** The output of the choice of a client. A new key replaces the old one. */
export type SelectClientOutput = { readonly status: "success"; readonly key?: Secret; readonly loggedInAt?: number } | Refused;

/** The output of a logout. `token`: a relay's, which names the login from there on. */
export type CloseSessionOutput = { readonly status: "logged_out"; readonly token?: Secret } | Refused;

/** The output of the wait for an approval in the bank's app, with what to answer then. */
export type ApprovalOutput =
  | {
      readonly status: "approved";
      readonly answer: Answer;
    }
  | { readonly status: "denied" | "expired" };

/** The output of any request of a login. */
export type RequestOutput = CheckFieldsOutput | SubmitOutput | ListClientsOutput | SelectClientOutput | CloseSessionOutput;

/** A session that was reached. */
export interface LoginOutput {
  /** The login's id. */
  readonly id: string;
  readonly provider: string;
  readonly key: Secret;
  /** When the session began: the response came then, in milliseconds since the epoch. */
  readonly loggedInAt: number;
}

/** A login that waits, for an answer or a choice of client, as data to continue it elsewhere. */
export interface PausedLogin {
  /** The login's id, which stays the same. */
  readonly id: string;
  readonly settings: LoginSettings;
  /** The bank's code. */
  readonly provider: string;
  /** Needed for an answer, and for nothing else. */
  readonly credentials: Credentials | undefined;
  readonly key: Secret;
  /** The open interaction; `undefined` if a client must be chosen. */
  readonly interaction: Interaction | undefined;
  /** The clients to choose from. Beyond the contract. */
  readonly clients: readonly ClientEntry[];
  /** When the wait ends, in milliseconds since the epoch. */
  readonly expiresAt: number | undefined;
  /** Whether another session was closed for this login. */
  readonly sessionReplaced: boolean;
}

/** A login that a relay keeps, as data to ask the relay where it is: its page was left, such as by a reload. */
export interface KeptLogin {
  readonly id: string;
  readonly settings: LoginSettings;
  /** The bank's code. */
  readonly provider: string;
  /** Names the last submit to the relay. */
  readonly token: Secret;
}

/** The events of a login. An event that the state does not handle has no effect. */
export type LoginEvent =
  | { type: "credentials.submit"; credentials: Credentials }
  | {
      type: "interaction.answer";
      answer: Answer;
      /** Whether the person says that the login is confirmed elsewhere, and types nothing in. Default false. */
      isConfirmation?: boolean;
      /** Whether it answers a choice or a picture: the bank may ask for another one as often as it likes. Default false: a code, or words. */
      isListed?: boolean;
    }
  | { type: "client.choose"; client: string }
  | { type: "session.replace" }
  | { type: "login.resume"; paused: PausedLogin | KeptLogin }
  | { type: "login.cancel" };

/** What the login emits, for `actor.on()`. */
export type LoginEmitted =
  | { type: "interaction.required"; interaction: Interaction }
  /** The bank's fields could not be read: the login continues without a check of its form. */
  | { type: "fields.unchecked"; failure: Failure }
  /** The client could not find out whether the person approves in the bank's app: the person can still say so. */
  | { type: "approval.unknown"; failure: Failure }
  | { type: "client.required"; clients: PausedLogin["clients"] }
  | { type: "login.succeeded"; provider: string }
  | { type: "login.failed"; failure: Failure }
  | { type: "login.cancelled" };

/** The context of a login; every secret in it is opaque. */
export interface LoginContext extends Pick<PausedLogin, "id" | "clients" | "expiresAt" | "sessionReplaced"> {
  /** How the login behaves. */
  readonly settings: LoginSettings;
  /** The bank's code. */
  readonly provider: string;
  /** Names the login to a relay, before there is a key. */
  readonly token: Secret | undefined;
  /** What was typed in; dropped as soon as no later request can need it. */
  readonly credentials: Credentials | undefined;
  /** The session's key, as soon as there is one (contract, section 2.3). */
  readonly key: Secret | undefined;
  /** When the session began, in milliseconds since the epoch. */
  readonly loggedInAt: number | undefined;
  /** The last interaction. */
  readonly interaction: Interaction | undefined;
  /** What the person answered; dropped with the bank's response. */
  readonly answer: Answer | undefined;
  /** How the last question was answered: by a text, by a choice or what a picture shows, by a person who confirmed elsewhere, or by the bank's app itself. */
  readonly answerKind: "text" | "listed" | "confirmation" | "approval" | undefined;
  /** What the bank has not accepted for the field and the text that it asks for again: a screen refuses the same once more. */
  readonly answersInVain: readonly Answer[] | undefined;
  /** The id of the chosen client. Beyond the contract. */
  readonly client: string | undefined;
  /** Why the login failed. In `idle`: it was cancelled while its request was with the bank. In an open state: what was sent last has not reached the bank. */
  readonly failure: Failure | undefined;
  /** How often credentials were submitted. */
  readonly attempts: number;
}

/** What the check of the form is made of. */
export type FieldsRequest = Pick<LoginContext, "settings" | "credentials">;

/** What the first login is made of (contract, section 4.1). */
export type CredentialsRequest = Pick<LoginContext, "settings" | "id" | "token" | "credentials">;

/** What the second login is made of (contract, section 4.1). */
export type AnswerRequest = Pick<LoginContext, "settings" | "provider" | "credentials" | "key" | "interaction" | "answer" | "answerKind">;

/** What the wait for an approval is made of. */
export type ApprovalRequest = Pick<LoginContext, "settings" | "provider" | "key" | "interaction">;

/** What a relay is asked with for the state of a login. */
export type ResumeRequest = Pick<LoginContext, "settings" | "provider" | "id" | "token">;

/** What a request on a session is made of. */
export type SessionRequest = Pick<LoginContext, "settings" | "key" | "client">;

/** The requests and waits of a login: the statechart's slots. */
export type LoginActors = {
  checkFields: PromiseActorLogic<CheckFieldsOutput, FieldsRequest>;
  submitCredentials: PromiseActorLogic<SubmitOutput, CredentialsRequest>;
  submitAnswer: PromiseActorLogic<SubmitOutput, AnswerRequest>;
  /** Asks a relay for the state of a login, and waits while the bank works on it. It sends nothing to the bank. */
  resume: PromiseActorLogic<SubmitOutput, ResumeRequest>;
  listClients: PromiseActorLogic<ListClientsOutput, SessionRequest>;
  selectClient: PromiseActorLogic<SelectClientOutput, SessionRequest>;
  closeSession: PromiseActorLogic<CloseSessionOutput, SessionRequest>;
  /** Ends as soon as the bank's app knows; never, if it can't be asked. It sends nothing to the bank. */
  awaitApproval: PromiseActorLogic<ApprovalOutput, ApprovalRequest>;
  /** Ends at a time, in milliseconds since the epoch; without one, never. */
  waitUntil: PromiseActorLogic<void, { readonly time: number | undefined }>;
};

/** The types of the statechart. */
export interface LoginTypes {
  context?: LoginContext;
  events?: LoginEvent;
  emitted?: LoginEmitted;
  /** Default: no settings, so that each has its default. */
  input?: LoginSettings | undefined;
  output?: LoginOutput;
  tags?: LoginTag;
}

/** `busy`: a request runs. `open`: waits for an answer or a choice of client. `over`: waits for nothing. `idle` has none. */
export type LoginTag = "busy" | "open" | "over";
