import { waitFor } from "xstate";
import {
  type BankClientChoice,
  type Credentials,
  type Failure,
  type Interaction,
  type LoginActor,
  type LoginSnapshot,
  loginView,
  type ProviderDetail,
  type QuestionView,
  type Secret,
} from "../../index.ts";
import type { EndStatus } from "../exit-codes.ts";
import type { Output } from "../terminal/output.ts";
import type { Spinner } from "../terminal/spinner.ts";

/** How a login of the command line ended, or where it was left. */
export interface LoginEnd {
  readonly status: EndStatus;
  readonly provider: string;
  readonly key?: Secret | undefined;
  readonly failure?: Failure | undefined;
  /** With `interaction_required` and `paused`: what the bank asks. */
  readonly interaction?: Interaction | undefined;
  readonly clients?: readonly BankClientChoice[] | undefined;
}

/** What a question can come to: a value, nothing (which cancels), `leave` the login where it stands, or `pause` it. */
export type Reply<Value> = Value | undefined | "leave" | "pause";

/** Who answers what the bank asks. */
export interface Respondent {
  answer(interaction: Interaction, question: QuestionView, signal: AbortSignal): Promise<Reply<Secret>>;
  choose(clients: readonly BankClientChoice[], signal: AbortSignal): Promise<Reply<{ readonly id: string }>>;
  /** Asks for the credentials anew, where the bank did not take them; nothing ends the login. */
  tryAgain(text: string, signal: AbortSignal): Promise<Credentials | undefined>;
  /** Seals the login; called with an actor that waits. */
  pause(): Promise<void>;
}

export interface DriveOptions {
  readonly provider: string;
  readonly detail: ProviderDetail | undefined;
  readonly output: Output;
  readonly spinner: Spinner;
  /** Cancels the login and aborts what is under way. */
  readonly signal: AbortSignal;
  readonly respondent: Respondent;
}

/**
 * Takes a login from where it stands to its end. What may happen next is the statechart's to say: this is one more screen on
 * its view.
 */
export async function drive(actor: LoginActor, options: DriveOptions): Promise<LoginEnd> {
  const { provider, detail, output, spinner, signal, respondent } = options;
  const cancel = () => actor.send({ type: "login.cancel" });
  signal.addEventListener("abort", cancel, { once: true });
  const show = (snapshot: LoginSnapshot) => {
    const { step, busy } = loginView(snapshot, actor.send, { provider, detail, locale: output.locale });
    if (busy) spinner.show(output.text(step));
  };
  const shown = actor.subscribe(show);
  show(actor.getSnapshot());
  try {
    if (signal.aborted) return { status: "cancelled", provider };
    for (;;) {
      const snapshot = await waitFor(actor, (state) => !state.hasTag("busy"));
      spinner.clear();
      const view = loginView(snapshot, actor.send, { provider, detail, locale: output.locale });
      const { interaction, clients, failure, key } = snapshot.context;
      switch (view.step) {
        case "answering": {
          if (!interaction) return { status: "unexpected_fault", provider };
          const reply = await until(actor, (over) => respondent.answer(interaction, view.question, over));
          if (reply === OVER) break;
          if (reply === "leave") return { status: "interaction_required", provider, interaction };
          if (reply === "pause") {
            await respondent.pause();
            return { status: "paused", provider, interaction };
          }
          if (reply === undefined) view.cancel();
          else actor.send({ type: "interaction.answer", answer: reply });
          break;
        }
        case "choosingClient": {
          const reply = await until(actor, (over) => respondent.choose(clients, over));
          if (reply === OVER) break;
          if (reply === "leave") return { status: "select_client", provider, key, clients };
          if (reply === "pause") {
            await respondent.pause();
            return { status: "paused", provider, clients };
          }
          if (reply === undefined) view.cancel();
          else view.choose(reply.id);
          break;
        }
        case "failed": {
          if (view.replaceSession) {
            view.replaceSession();
            break;
          }
          const { code, text } = view.failure;
          const credentials = code === "wrong_credentials" ? await respondent.tryAgain(text, signal) : undefined;
          if (!credentials) return { status: code, provider, failure, key };
          actor.send({ type: "credentials.submit", credentials });
          break;
        }
        case "clientRequired":
          return { status: "select_client", provider, key };
        case "loggedIn":
          return { status: "logged_in", provider, key: view.key };
        default:
          // Back at the form: somebody cancelled.
          return { status: "cancelled", provider };
      }
    }
  } finally {
    spinner.clear();
    shown.unsubscribe();
    signal.removeEventListener("abort", cancel);
  }
}

const OVER = Symbol("over");

/** Asks while the login waits for it; when the login goes on by itself, expired or cancelled, the question is closed. */
async function until<Value>(
  actor: LoginActor,
  ask: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | typeof OVER> {
  const controller = new AbortController();
  const standing = actor.getSnapshot().value;
  const watched = actor.subscribe(({ value }) => {
    if (value !== standing) controller.abort(new DOMException("The login went on", "AbortError"));
  });
  try {
    if (actor.getSnapshot().value !== standing) return OVER;
    const value = await ask(controller.signal);
    return controller.signal.aborted ? OVER : value;
  } catch (error) {
    if (controller.signal.aborted) return OVER;
    throw error;
  } finally {
    watched.unsubscribe();
  }
}
