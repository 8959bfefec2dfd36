import { createActor, type InspectionEvent, type SnapshotFrom } from "xstate";
import type { loginMachine } from "../../machines/login.ts";
import type { BankClientChoice } from "../api/answers.ts";
import type { BankClient } from "../api/client.ts";
import { BankError, errorOf, HandlerError, thrownBy } from "../api/errors.ts";
import { moment, type Text, wholeNumber } from "../api/options.ts";
import { type CredentialTexts, concealed, credentialsOf, hasText } from "./credentials.ts";
import { loginMachineOf } from "./machine.ts";
import { type LoginOutcome, refusal } from "./outcome.ts";
import type { Interaction } from "./requests.ts";
import type { LoginSettings } from "./settings.ts";
import { type LoginState, stateOf } from "./state.ts";
import { watching } from "./watching.ts";

/** What a handler is given beside its question. */
export interface HandlerContext {
  /** Aborted when the answer is no longer of use: cancelled, expired. */
  readonly signal: AbortSignal;
}

/** What `login()` takes. */
export interface LoginOptions extends CredentialTexts {
  /**
   * Answers the bank's question. Nothing or an empty text cancels the login. If it throws, the login is cancelled and
   * `login()` rejects with `handler_failed`, or with the `BankError` that it threw.
   */
  readonly onInteraction: (
    interaction: Interaction,
    context: HandlerContext,
  ) => Text | undefined | null | Promise<Text | undefined | null>;
  /**
   * Chooses one of the clients by its id. Beyond the contract (`/client/`), so opt-in: without it the login ends with
   * `select_client`. Nothing or an empty text cancels the login.
   */
  readonly onSelectClient?: (
    clients: readonly BankClientChoice[],
    context: HandlerContext,
  ) => string | undefined | null | Promise<string | undefined | null>;
  /**
   * What to do when the user has too many sessions. `fail` (default) returns `max_sessions_reached` with the key of the
   * other session. `replace` closes that session and logs in again, once; beyond the contract.
   */
  readonly onMaxSessions?: "fail" | "replace";
  /** Cancels the login and aborts the request under way: outcome `cancelled`. */
  readonly signal?: AbortSignal;
  /** When the login is given up. A question open by then ends with `expired`, a request under way with `request_timed_out`. Default: never. */
  readonly deadline?: Date;
  /** Milliseconds to answer a question, after which the login ends with `expired`. Default 300 000, five minutes. */
  readonly answerTimeout?: number;
  /** The most questions of one login, after which it ends with `too_many_interactions`. Default 10. */
  readonly interactionLimit?: number;
  /** Read the provider's fields first and refuse a missing or unknown field before anything is sent. One more request. Default false. */
  readonly validate?: boolean;
  /** Called with each state as it is reached. If it throws, the login is cancelled and `login()` rejects with `handler_failed`. */
  readonly onTransition?: (state: LoginState) => void;
  /**
   * Sees the statechart's events, as the option of XState's `createActor`. Secrets in them are opaque. If it throws, the
   * login is cancelled and `login()` rejects with `handler_failed`. Default none.
   */
  readonly inspect?: (event: InspectionEvent) => void;
}

type Snapshot = SnapshotFrom<typeof loginMachine>;

/**
 * Logs in without a screen (interface.md, sections 3 to 5). What the bank says is the outcome; what breaks rejects. The
 * credentials are sent once, and once more with each answer.
 *
 * @throws {InputError} `invalid_input`, `missing_field`, `unknown_field`, naming the field; nothing was sent.
 * @throws {HandlerError} `handler_failed`, naming the handler that threw.
 * @throws {BankError} any other fault of `docs/errors.md`.
 * @example
 * const outcome = await login(client, {
 *   provider: "test", username: "12345otp", password: "asdfg",
 *   onInteraction: ({ context }) => prompt(context),
 * });
 * if (outcome.status === "logged_in") await client.listTransferDestinations(outcome.key);
 */
export async function login(client: BankClient, options: LoginOptions): Promise<LoginOutcome> {
  const credentials = credentialsOf(options);
  if (options.signal?.aborted) return { status: "cancelled", provider: options.provider };
  let resolve!: (outcome: LoginOutcome) => void;
  let reject!: (error: BankError) => void;
  const outcome = new Promise<LoginOutcome>((...settle) => {
    [resolve, reject] = settle;
  });
  let isOver = false;
  // Of the question that is open: an abort costs a tenth of a login, so none is made that nobody waits for.
  let asked: AbortController | undefined;
  const end = () => {
    isOver = true;
    asked?.abort();
    asked = undefined;
  };
  const rejectFor = (field: string) => (error: unknown) => {
    end();
    reject(error instanceof BankError ? error : new HandlerError("handler_failed", { field, detail: thrownBy(error) }));
  };

  const inspect = options.inspect && watching(options.inspect, rejectFor("inspect"));
  const actor = createActor(loginMachineOf(client), { input: settingsOf(options), ...(inspect && { inspect }) });
  const cancel = () => actor.send({ type: "login.cancel" });

  // Asks the caller, and brings what comes back, unless the login is over by then. Nothing, or an empty text, cancels.
  const ask = async <Answer extends Text>(
    question: (context: HandlerContext) => Answer | null | undefined | Promise<Answer | null | undefined>,
    bring: (answer: Answer) => void,
  ) => {
    const controller = new AbortController();
    asked = controller;
    const answer = await question({ signal: controller.signal });
    if (isOver) return;
    asked = undefined;
    if (hasText(answer)) bring(answer);
    else cancel();
  };

  const reach = (state: LoginState, snapshot: Snapshot) => {
    const { provider, key, interaction, clients, failure } = snapshot.context;
    if (state === "awaitingInteraction" && interaction) {
      ask(
        (context) => options.onInteraction(interaction, context),
        (answer) => actor.send({ type: "interaction.answer", answer: concealed(interaction.field, answer) }),
      ).catch(rejectFor("onInteraction"));
    } else if (state === "selectClient.choosing") {
      ask(
        (context) => options.onSelectClient?.(clients, context),
        (client) => actor.send({ type: "client.choose", client }),
      ).catch(rejectFor("onSelectClient"));
    } else if (state === "selectClient.resting") resolve({ status: "select_client", provider, key });
    else if (state === "loggedIn" && key) resolve({ status: "logged_in", provider, key });
    else if (state !== "failed" || !failure) return;
    else if (snapshot.can({ type: "session.replace" })) actor.send({ type: "session.replace" });
    else if (failure.kind === "fault") reject(errorOf(failure));
    else resolve(refusal(failure, provider, key));
  };

  let known: LoginState | undefined;
  actor.subscribe({
    next: (snapshot) => {
      const state = stateOf(snapshot);
      // An event without effect shows the same state again.
      if (state === known || isOver) return;
      known = state;
      try {
        options.onTransition?.(state);
        reach(state, snapshot);
      } catch (error) {
        rejectFor("onTransition")(error);
      }
    },
    error: () => reject(new BankError("unexpected_fault")),
  });
  actor.on("login.cancelled", () => resolve({ status: "cancelled", provider: options.provider }));
  options.signal?.addEventListener("abort", cancel, { once: true });
  actor.start();
  // `onTransition` may have thrown or cancelled at the first state.
  if (options.signal?.aborted) resolve({ status: "cancelled", provider: options.provider });
  else if (!isOver) actor.send({ type: "credentials.submit", credentials });

  try {
    return await outcome;
  } finally {
    end();
    options.signal?.removeEventListener("abort", cancel);
    actor.stop();
  }
}

function settingsOf(options: LoginOptions): LoginSettings {
  const { deadline, interactionLimit, validate = false, answerTimeout = 300_000 } = options;
  return {
    validate,
    answerTimeout: wholeNumber("answerTimeout", answerTimeout),
    clientSelection: options.onSelectClient !== undefined,
    sessionReplacement: options.onMaxSessions === "replace",
    ...(interactionLimit !== undefined && { interactionLimit: wholeNumber("interactionLimit", interactionLimit) }),
    ...(deadline !== undefined && { deadline: moment("deadline", deadline.getTime()) }),
  };
}
