/// <reference lib="esnext.disposable" preserve="true" />
import type { LoginEvent } from "../../../machines/login.ts";
import type { ProviderDetail } from "../../../machines/provider.types.ts";
import type { BankClient } from "../api/client.ts";
import { BankError, toBankError } from "../api/errors.ts";
import { type Failure, isOutcome, type KnownFailure, type OutcomeCode } from "../api/failures.ts";
import type { ClientEntry } from "../api/responses.ts";
import { type AnswerTexts, toCheckedAnswer, toClientId } from "./credentials.ts";
import { type InteractionPrompt, interactionKind } from "./interaction-kind.ts";
import { type LoginIdentity, type LoginStateOf, type OpenState, readStep } from "./login-state.ts";
import { type LoginActor, type PauseOptions, pause } from "./pause.ts";

/**
 * The result of a login as soon as no request runs, discriminated by `state`. Open outcomes have verbs, each of which
 * resolves to the next outcome.
 */
export type LoginOutcome = OpenOutcome | EndedOutcome;

/** The result of a login that can't ask to choose a client, which is the default. */
export type LoginOutcomeWithoutClients = AwaitingInteractionOutcome<LoginOutcomeWithoutClients> | EndedOutcome;

/** An outcome that waits for a person. */
export type OpenOutcome = AwaitingInteractionOutcome | SelectClientOutcome;

/** How a login ended. */
export type EndedOutcome =
  | LoginStateOf<"loggedIn">
  | (LoginStateOf<"failed"> & { readonly failure: KnownFailure<Exclude<OutcomeCode, "cancelled">> })
  | ({
      readonly state: "cancelled";
      /** `POST /login/`: the request was on its way, and the bank may have received it. `describeFailure({ code: "cancelled", request })` says so. */
      readonly request?: string | undefined;
    } & LoginIdentity);

/**
 * A login that waits for a person. Its verbs are plain functions, so they work taken out of it and in a copy. They belong to one step of the
 * statechart: after it was answered or paused they reject with `outcome_used`, and nothing is sent. Without an answer it ends after its time
 * (`answerTimeout`, `deadline`), and keeps no process alive. With a client that has `awaitApproval` it can continue without an answer. After that, and
 * after a cancel, its verbs send nothing and resolve to the outcome.
 */
interface WaitingOutcome<Next> {
  /** The login's actor, for `loginView` and listeners. */
  readonly actor: LoginActor;
  /**
   * Cancels the login.
   *
   * @throws {BankError} `outcome_used`.
   */
  readonly cancel: () => Promise<Next>;
  /**
   * Turns the login into one sealed token, and ends it here. `resume` continues it in any process.
   *
   * @throws {BankError} `outcome_used`; `login_not_waiting` if it has already ended.
   * @throws {BankError} `invalid_input` naming `key`, `sealTtl` or `baseUrl`; the outcome can still be used.
   */
  readonly pause: (options: PauseOptions) => Promise<string>;
  /** For `await using`: cancels a login that was neither answered nor paused. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** The bank asks for one more field, or several (contract, sections 2.3 and 3). */
export interface AwaitingInteractionOutcome<Next = LoginOutcome>
  extends LoginStateOf<"awaitingInteraction">,
    WaitingOutcome<Next> {
  /** The bank's interaction, and its kind: a picture, choices, a code, a confirmation, a question in words. */
  readonly interaction: InteractionPrompt;
  /**
   * Sends the answer with the same credentials, once: a text, or a text for each of `interaction.fields` by its name (contract, section
   * 4.1). After the time has run out it resolves to `expired`, and nothing is sent. If the bank asks for the same confirmation again, since the
   * person has not confirmed yet, it resolves after three seconds: a program that confirms again and again does not flood the bank.
   *
   * @throws {BankError} `invalid_input` for an empty text, or a code of digits with the message around it; `missing_field` for a field without a
   * text; `answer_repeated` for the code or the words that the bank has just not accepted. Each names the field; nothing is sent, and the outcome can still be used.
   * @throws {BankError} `outcome_used`; or a fault of `docs/errors.md`.
   */
  readonly answer: (answer: AnswerTexts) => Promise<Next>;
}

/** A client must be chosen, and `clientSelection` is on. Beyond the contract (`/client/`). */
export interface SelectClientOutcome extends LoginStateOf<"selectClient">, WaitingOutcome<LoginOutcome> {
  /**
   * Chooses a client. A client that is not listed ends the login with `wrong_client`, and nothing is sent.
   *
   * @param client one of `clients`, or its id.
   * @throws {BankError} `invalid_input` naming `client` for what is neither; the outcome can still be used.
   * @throws {BankError} `outcome_used`; or a fault of `docs/errors.md`.
   */
  readonly choose: (client: ClientEntry | string) => Promise<LoginOutcome>;
}

/** The run of a login, as its outcomes use it. */
export interface OutcomeRunner {
  /** Whose address a paused login is bound to. */
  readonly service: Pick<BankClient, "baseUrl">;
  readonly actor: LoginActor;
  /** Resolves to the outcome that follows; sends an event before, if there is one. */
  next(event?: LoginEvent): Promise<LoginOutcome>;
}

/** The outcome of a login that waits for a person. @param detail the provider: it has the choices of an interaction. */
export function createOpenOutcome(
  run: OutcomeRunner,
  state: LoginStateOf<OpenState>,
  detail: ProviderDetail | undefined,
): OpenOutcome {
  const snapshot = run.actor.getSnapshot();
  const { reply, ...verbs } = createVerbs(run, readStep(snapshot));
  const { interactionKinds } = snapshot.context.settings;
  if (state.state === "awaitingInteraction") {
    const kind = interactionKind(state.interaction, { detail, provider: state.provider, interactionKinds });
    const interaction = { ...state.interaction, ...kind };
    return {
      ...state,
      ...verbs,
      interaction,
      answer: async (answer) => reply(toCheckedAnswer(interaction, answer, run.actor.getSnapshot().context)),
      // A getter, so that a printed outcome does not show the actor.
      get actor() {
        return run.actor;
      },
    };
  }
  return {
    ...state,
    ...verbs,
    choose: async (client) => reply({ type: "client.choose", client: toClientId(client) }),
    get actor() {
      return run.actor;
    },
  };
}

/** The verbs that every open outcome has. */
function createVerbs(run: OutcomeRunner, step: string) {
  const { actor, service } = run;
  // A second answer is a mistake of the program, also after the login has ended.
  let isAnswered = false;
  const readPhase = (): "open" | "over" | "used" => {
    const snapshot = actor.getSnapshot();
    if (isAnswered) return "used";
    if (snapshot.status === "active" && readStep(snapshot) === step) return "open";
    // After an approval in the bank's app the login continues without an answer.
    const isOver = snapshot.matches("failed") || snapshot.matches("idle") || snapshot.context.answerKind === "approval";
    return isOver ? "over" : "used";
  };
  const send = async (event: LoginEvent): Promise<LoginOutcome> => {
    const phase = readPhase();
    if (phase === "used") throw new BankError("outcome_used");
    // A login that has ended or continued takes no event: the result is its outcome.
    return run.next(phase === "open" ? event : undefined);
  };
  const cancel = () => send({ type: "login.cancel" });
  return {
    cancel,
    reply(event: LoginEvent): Promise<LoginOutcome> {
      const outcome = send(event);
      isAnswered = true;
      return outcome;
    },
    async pause(options: PauseOptions): Promise<string> {
      if (readPhase() === "used") throw new BankError("outcome_used");
      return pause(service, actor, options);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      if (readPhase() === "open") await cancel();
    },
  };
}

/**
 * The outcome of a login that is over.
 *
 * @param thrown what the last request threw in this process: the original error, with its cause.
 * @param baseUrl the service's address, for the message of a fault that no request threw.
 * @throws {BankError} the fault that ended it.
 */
export function toOutcome(
  { id, provider }: LoginIdentity,
  ended: LoginStateOf<"idle" | "failed" | "loggedIn">,
  {
    failure,
    thrown,
    baseUrl,
  }: { readonly failure?: Failure | undefined; readonly thrown?: unknown; readonly baseUrl?: string },
): EndedOutcome {
  if (ended.state === "loggedIn") return ended;
  const reason = ended.state === "failed" ? ended.failure : failure;
  // A durable login can be cancelled elsewhere.
  if (ended.state === "idle" || reason?.code === "cancelled")
    return { state: "cancelled", id, provider, ...(reason?.request && { request: reason.request }) };
  if (!reason || !isOutcome(reason)) throw thrown instanceof BankError ? thrown : toBankError(ended.failure, baseUrl);
  return { ...ended, failure: { ...reason, code: reason.code } };
}
