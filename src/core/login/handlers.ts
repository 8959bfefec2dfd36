import type { InspectionEvent } from "xstate";
import type { LoginContext, LoginEvent } from "../../../machines/login.ts";
import type { ProviderDetail } from "../../../machines/provider.types.ts";
import { BankError } from "../api/errors.ts";
import { type OptionParsers, optional, parseFunction, unchecked } from "../api/input-checks.ts";
import type { ClientEntry } from "../api/responses.ts";
import { type AnswerTexts, isEmptySecret, toCheckedAnswer, toClientId } from "./credentials.ts";
import type { InteractionPrompt } from "./interaction-kind.ts";
import type { LoginState, OpenState } from "./login-state.ts";
import type { AwaitingInteractionOutcome, OpenOutcome, SelectClientOutcome } from "./outcome.ts";

/** The second argument of a handler, beside the interaction or the clients. */
export interface HandlerContext<Outcome extends OpenOutcome = OpenOutcome> {
  /** Aborted when the answer is no longer of use: cancelled, expired, approved or denied in the bank's app. */
  readonly signal: AbortSignal;
  /** Return it to leave the login open, or after a pause: the login resolves to it, as without a handler. */
  readonly outcome: Outcome;
}

/** What a handler returns; `null` cancels the login. */
export type HandlerAnswer<Value, Outcome = never> = Value | Outcome | null | Promise<Value | Outcome | null>;

/** Handlers of which none returns an outcome: no login is left open. */
export interface AnsweringHandlers {
  readonly onInteraction: (
    interaction: InteractionPrompt,
    context: HandlerContext<AwaitingInteractionOutcome>,
  ) => HandlerAnswer<AnswerTexts>;
  readonly onSelectClient: (
    clients: readonly ClientEntry[],
    context: HandlerContext<SelectClientOutcome>,
  ) => HandlerAnswer<ClientEntry | string>;
}

/** The functions that answer a login and observe it. */
export interface LoginHandlers {
  /**
   * Answers an interaction of one `kind`: a picture, choices, a code, a confirmation, a question in words. If the bank asks for
   * several `fields` at once, the answer has a text for each. `null` cancels the login. If it returns nothing or an empty text, or throws, the login is cancelled and rejects
   * with `handler_failed`, or with the `BankError` that was thrown. If it returns the code or the words again that the bank has just not accepted, nothing is sent, and the
   * login rejects with `answer_repeated`. If the bank asks for the same confirmation again, since the person has not
   * confirmed yet, it is called three seconds later. With a client that has `awaitApproval`, it may wait for a confirmation without end: `signal`
   * is aborted as soon as the bank's app knows, and the login continues. Default none: the login resolves to `awaitingInteraction`, whose verbs continue it.
   */
  readonly onInteraction?: (
    interaction: InteractionPrompt,
    context: HandlerContext<AwaitingInteractionOutcome>,
  ) => HandlerAnswer<AnswerTexts, AwaitingInteractionOutcome>;
  /** Chooses one of the clients: returns it, or its id. Beyond the contract (`/client/`). Otherwise like `onInteraction`. */
  readonly onSelectClient?: (
    clients: readonly ClientEntry[],
    context: HandlerContext<SelectClientOutcome>,
  ) => HandlerAnswer<ClientEntry | string, SelectClientOutcome>;
  /** The provider that `client.getProvider` returns: it has the choices of an interaction. Default none. */
  readonly detail?: ProviderDetail | undefined;
  /** Cancels the login and aborts its request: outcome `cancelled`. */
  readonly signal?: AbortSignal;
  /** Called with each state as it is reached. If it throws, the login is cancelled and rejects with `handler_failed`. */
  readonly onTransition?: (state: LoginState) => void;
  /**
   * Receives the statechart's events, as the option of XState's `createActor`. Secrets in them are opaque. If it throws, the
   * login is cancelled and rejects with `handler_failed`. Default none.
   */
  readonly inspect?: (event: InspectionEvent) => void;
}

/** Checks the handlers. */
export const handlerParsers = {
  onInteraction: optional(parseFunction),
  onSelectClient: optional(parseFunction),
  detail: unchecked,
  signal: unchecked,
  onTransition: optional(parseFunction),
  inspect: optional(parseFunction),
} satisfies OptionParsers<LoginHandlers>;

/** The handlers by the outcomes that they answer. */
export const handlerNames = {
  awaitingInteraction: "onInteraction",
  selectClient: "onSelectClient",
} as const satisfies Readonly<Record<OpenState, keyof LoginHandlers>>;

/** The handler that answers an open outcome, if there is one. */
export function findHandler(
  { onInteraction, onSelectClient }: LoginHandlers,
  outcome: OpenOutcome,
): ((signal: AbortSignal) => unknown) | undefined {
  if (outcome.state === "selectClient") {
    return onSelectClient && ((signal) => onSelectClient(outcome.clients, { outcome, signal }));
  }
  return onInteraction && ((signal) => onInteraction(outcome.interaction, { outcome, signal }));
}

/**
 * The event for what a handler returned; `null` cancels.
 *
 * @throws {BankError} `handler_failed` for nothing: a forgotten `return` must not cost the person the code that the bank has sent.
 * @throws {BankError} `answer_repeated` for a code that the bank has not accepted: a handler that returns the same each time ends the login.
 */
export function toEvent(
  outcome: OpenOutcome,
  answer: unknown,
  context: Pick<LoginContext, "answersInVain">,
): LoginEvent {
  if (answer === null) return { type: "login.cancel" };
  if (answer === undefined || answer === "" || isEmptySecret(answer)) {
    const field = handlerNames[outcome.state];
    throw new BankError("handler_failed", { field, detail: "returned no answer: return null to cancel" });
  }
  if (outcome.state === "selectClient") return { type: "client.choose", client: toClientId(answer as string) };
  return toCheckedAnswer(outcome.interaction, answer as AnswerTexts, context);
}
