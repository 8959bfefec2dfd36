import type { LinkSettings } from "../../../machines/link.types.ts";
import type { LoginSettings } from "../../../machines/login.types.ts";
import type { ProviderDetail } from "../../../machines/provider.types.ts";
import type { Endpoint } from "../../core/api/bank-request.ts";
import type { FailureCode } from "../../core/api/failures.ts";
import type { FormChoice, FormValues } from "../../core/login/form-fields.ts";
import type { Locale } from "../../core/texts/languages.ts";
import type { LinkView } from "../../core/view/link-view.ts";
import type { LoginView } from "../../core/view/login-view.ts";
import type { SandboxAccount } from "../sandbox/account-table.ts";

/** A state that a screen shows, of a login or of a link. */
export type ShownState = LoginView["state"] | LinkView["state"];

/** What a person does at a screen. */
export type Action =
  /** Chooses a bank by its code at `choosingProvider`, a client by its id at `selectClient`. */
  | { readonly type: "choose"; readonly value: string }
  /** Fills in the form, field by field in the given order; other fields stay as they are. */
  | { readonly type: "fill"; readonly values: FormValues }
  | { readonly type: "submit" }
  /** Answers the bank's question: with a text, or with one for each field by name, if the bank asks for several. */
  | { readonly type: "answer"; readonly answer: string | FormValues }
  | { readonly type: "cancel" }
  | { readonly type: "replaceSession" }
  | { readonly type: "retry" }
  | { readonly type: "changeProvider" }
  | { readonly type: "cancelLink" }
  /** Switches to another language or theme, if the driver can: nothing else changes. */
  | { readonly type: "changeAppearance" }
  /** Does nothing until the time to answer is over. */
  | { readonly type: "wait" };

/** A request as method and path template; the third one, beyond the contract, narrows dependent choices. */
export type RequestName = Endpoint | "GET /provider/{code}/?key={field}&value={chosen}";

/** A request that the sandbox does not respond to as usual. */
export interface Fault {
  readonly request: RequestName;
  /** Which of these requests, 1 for the first. Default: all of them. */
  readonly number?: number;
  /** The connection breaks; the response never arrives; or a response replaces the sandbox's, with HTTP 200 by default. */
  readonly what: "broken" | "held" | { readonly http?: number; readonly body: object };
}

/** A request that the bank of a path received: test data of the sandbox. */
export interface Received {
  readonly request: RequestName;
  /** The fields of its form, or the `code` or `id` in its path. */
  readonly values: Readonly<Record<string, string>>;
}

/** A failure that a screen shows. */
export interface PathFailure {
  readonly code: FailureCode;
  /** Its text for people in this library, in English, Spanish and Portuguese. */
  readonly texts: readonly string[];
}

/** What labels a field, and the choices that it offers. */
export interface FieldLabel {
  readonly label: string;
  readonly choices?: readonly FormChoice[];
}

/** The labels of the fields of a screen, by their names. */
export type FieldLabels = Readonly<Record<string, FieldLabel>>;

/** One action of a person, and what the screen shows once it stays in a state. */
export interface PathStep<State extends string = LinkView["state"]> {
  readonly action: Action;
  /** The action as part of a sentence: `the form is sent`. */
  readonly sentence: string;
  /** The state of the screen: a busy one only if a request is held. */
  readonly expected: State;
  /** The request that is held there, at a busy state. */
  readonly held?: RequestName;
  /**
   * How many requests the bank has received by then, if the action sends one: those that only the bank of this path can have answered. A run
   * continues once they have arrived.
   */
  readonly requests?: Readonly<Partial<Record<RequestName, number>>>;
  /** The failure whose text the screen shows there, if it shows one. */
  readonly failure?: PathFailure;
  /** The bank's question that the screen shows there, if there is one (contract, section 2.3, `context`). */
  readonly question?: string;
  /** The names of the clients to choose from there. */
  readonly clients?: readonly string[];
  /** The names of the fields that the form or the question has there, without hidden ones. */
  readonly fields?: readonly string[];
  /** Their labels and choices from the bank, as this library shows them in English, Spanish and Portuguese. */
  readonly labels?: Readonly<Record<Locale, FieldLabels>>;
  /** The fields that must be empty: a password, the answer to a question that was not asked before, and each field of another bank's form. */
  readonly emptyFields?: readonly string[];
  /** The fields that must not be empty: those that the person has filled in, and those that the bank has. */
  readonly filledFields?: readonly string[];
}

/** What a screen shows in a state. */
export type ScreenContent = Omit<PathStep, "action" | "sentence" | "expected" | "held" | "requests">;

/** What the paths through both kinds of screen have in common. */
interface BasePath<State extends string> {
  /** A unique sentence, fit for the name of a test. */
  readonly name: string;
  /** Its place among the paths that were generated with it, from 1. */
  readonly number: number;
  /** How many these are. */
  readonly count: number;
  /** The bank's code. */
  readonly provider: string;
  /** The user who logs in; test data of the sandbox. */
  readonly account: SandboxAccount;
  /** The requests that fail on this path; usually none. */
  readonly faults: readonly Fault[];
  /** The state that the screen shows before the first action. */
  readonly start: State;
  /** What the screen shows then: a form, or a failure. */
  readonly startScreen: ScreenContent;
  /** The actions of a person, in their order. */
  readonly steps: readonly PathStep<State>[];
}

/** A path through a login screen. Plain data, fit for JSON. */
export interface LoginPath extends BasePath<LoginView["state"]> {
  readonly flow: "login";
  /** The bank's fields, for the screen's form. */
  readonly detail: ProviderDetail;
  /** The settings that the path is for. */
  readonly settings: LoginSettings;
}

/** A path through a link screen. Plain data, fit for JSON. */
export interface LinkPath extends BasePath<LinkView["state"]> {
  readonly flow: "link";
  /** The settings that the path is for. */
  readonly settings: LinkSettings;
}

/** A path through a screen of either kind, distinguished by `flow`. */
export type Path = LoginPath | LinkPath;
