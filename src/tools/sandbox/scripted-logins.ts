import {
  type Account,
  type Bank,
  type ClientsStep,
  findAccount,
  findMissingField,
  type InteractionStep,
} from "./bank-model.ts";
import { createSession, type Session, type Sessions } from "./bank-sessions.ts";
import { findFirstMistake, findSecondMistake } from "./mistakes.ts";
import type { Form } from "./posted-form.ts";
import {
  envelope,
  invalidKey,
  missingCredentials,
  ok,
  providerDoesntExist,
  type SandboxResponse,
  success,
  userBlocked,
  wrongClient,
  wrongCredentials,
} from "./sandbox-responses.ts";

/** The delay of the slow bank. */
export type Pause = () => Promise<void>;

const ANSWER_LIMIT = 3;

/** The logins of one sandbox (contract, section 3). */
export class Logins {
  readonly #banks: ReadonlyMap<string, Bank>;
  readonly #sessions: Sessions;
  readonly #openedElsewhere = new Set<Account>();

  constructor(banks: ReadonlyMap<string, Bank>, sessions: Sessions) {
    this.#banks = banks;
    this.#sessions = sessions;
  }

  /** What to change in a form. It does not change the login. */
  findMistake(key: string | undefined, form: Form): string | undefined {
    if (key === undefined) return findFirstMistake(form, this.#banks.get(form.get("provider") ?? ""));
    const session = this.#sessions.find(key);
    const step = session && readInteraction(session);
    return step && findSecondMistake(form, step);
  }

  async first(form: Form, pause: Pause): Promise<SandboxResponse> {
    const code = form.get("provider");
    if (!code) return missingCredentials;
    const bank = this.#banks.get(code);
    if (!bank) return providerDoesntExist;
    if (findMissingField(bank, form)) return missingCredentials;
    const account = findAccount(bank, form);
    if (!("script" in account)) return account;
    const otherSession = this.#findSessionInTheWay(bank, account);
    if (otherSession) return { http: 403, body: { status: "max_sessions_reached", key: otherSession } };
    return this.#advance(createSession(bank, account), pause);
  }

  async second(key: string, form: Form, pause: Pause): Promise<SandboxResponse> {
    const session = this.#sessions.find(key);
    const step = session && readInteraction(session);
    if (!session || !step) return this.#refuseLateAnswer(key);
    const { bank, account } = session;
    if (["provider", "username", "password"].some((name) => !form.get(name))) return missingCredentials;
    const sameLogin =
      form.get("provider") === bank.code &&
      form.get("username") === account.username &&
      form.get("password") === account.password;
    if (!sameLogin) return bank.wrongCredentials ?? wrongCredentials;
    const right = { [step.field]: step.answer, ...step.together };
    if (Object.keys(right).some((name) => !form.get(name))) return envelope(step.asks === "code" ? "B1003" : "B1005");
    const isRight = ([name, value]: [string, string]) =>
      form.get(name) === value || (name === step.field && form.get(name) === step.otherAnswer);
    if (!step.takesAny && !Object.entries(right).every(isRight)) return this.#refuseWrongAnswer(key, session, step);
    // Ended before the script continues, so that a double submit finds no interaction.
    Object.assign(session, { stage: "running", keys: [key, ...session.keys], step: session.step + 1, wrongAnswers: 0 });
    return this.#advance(session, pause);
  }

  chooseClient(session: Session, id: string): SandboxResponse {
    const selection = readSelection(session);
    if (!selection?.clients.has(id)) return wrongClient;
    session.stage = "open";
    if (selection.chosen === "same") return success();
    this.#sessions.end(session);
    return success({ key: this.#sessions.wait(session, "open") });
  }

  async #advance(session: Session, pause: Pause): Promise<SandboxResponse> {
    const { script, loggedInKey = "same" } = session.account;
    for (const step of script.slice(session.step)) {
      switch (step.step) {
        case "pause":
          await pause();
          break;
        case "interaction":
          return interactionRequired(this.#sessions.wait(session, "interaction", step.key), step);
        case "clients":
          return ok({ status: "select_client", key: this.#sessions.wait(session, "selecting") });
        case "refused":
          return step.response;
      }
      session.step += 1;
    }
    const isAbsent = loggedInKey === "absent";
    const key = this.#sessions.wait(session, "open", isAbsent ? "same" : loggedInKey);
    return ok({ status: "logged_in", ...(isAbsent ? {} : { key }) });
  }

  #refuseWrongAnswer(key: string, session: Session, step: InteractionStep): SandboxResponse {
    session.wrongAnswers += 1;
    if (step.wrong === "ask_again" && session.wrongAnswers < ANSWER_LIMIT) return interactionRequired(key, step);
    this.#sessions.end(session);
    switch (step.wrong) {
      case "ask_again":
        return userBlocked;
      case "wrong_credentials":
        return session.bank.wrongCredentials ?? wrongCredentials;
      default:
        return envelope(step.wrong);
    }
  }

  #refuseLateAnswer(key: string): SandboxResponse {
    const expired = this.#sessions.findExpired(key);
    return expired && readInteraction(expired)?.late === "B1006" ? envelope("B1006") : invalidKey;
  }

  #findSessionInTheWay(bank: Bank, account: Account): string | undefined {
    if (account.sessionLimit === undefined) return undefined;
    if (!this.#openedElsewhere.has(account)) {
      this.#openedElsewhere.add(account);
      this.#sessions.wait(createSession(bank, account), "open");
    }
    const open = this.#sessions.findOpen(account);
    return open.length < account.sessionLimit ? undefined : open[0]?.keys[0];
  }
}

/** The interaction that a session waits for. */
function readInteraction({ stage, account, step }: Session): InteractionStep | undefined {
  const current = stage === "interaction" ? account.script[step] : undefined;
  return current?.step === "interaction" ? current : undefined;
}

/** The clients of a session that has to choose one, or has chosen. */
export function readSelection({ account, step }: Session): ClientsStep | undefined {
  const current = account.script[step];
  return current?.step === "clients" ? current : undefined;
}

function interactionRequired(key: string, { context, field, together, irregular }: InteractionStep): SandboxResponse {
  const asked = together ? [field, ...Object.keys(together)] : field;
  return ok({ status: "interaction_required", key, context, field: asked, ...irregular });
}
