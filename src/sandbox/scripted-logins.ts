import { type Account, type Bank, findAccount, findMissingField, type InteractionStep } from "./bank-model.ts";
import type { Holder, OpenInteraction, OpenSession, Sessions } from "./bank-sessions.ts";
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

  async first(form: Form, pause: Pause): Promise<SandboxResponse> {
    const code = form.get("provider");
    if (!code) return missingCredentials;
    const bank = this.#banks.get(code);
    if (!bank) return providerDoesntExist;
    if (findMissingField(bank, form)) return missingCredentials;
    const account = findAccount(bank, form);
    if (!("script" in account)) return account;
    const holder = { bank, account };
    const otherSession = this.#findSessionInTheWay(holder);
    if (otherSession) return { http: 403, body: { status: "max_sessions_reached", key: otherSession } };
    return this.#advance(holder, 0, [], pause);
  }

  async second(key: string, form: Form, pause: Pause): Promise<SandboxResponse> {
    const interaction = this.#sessions.find(key);
    if (interaction?.stage !== "interaction") return this.#refuseLateAnswer(key);
    const { bank, account, step } = interaction;
    if (["provider", "username", "password"].some((name) => !form.get(name))) return missingCredentials;
    const sameLogin =
      form.get("provider") === bank.code &&
      form.get("username") === account.username &&
      form.get("password") === account.password;
    if (!sameLogin) return bank.wrongCredentials ?? wrongCredentials;
    const answer = form.get(step.field);
    if (!answer) return envelope(step.asks === "code" ? "B1003" : "B1005");
    if (answer !== step.answer) return this.#refuseWrongAnswer(key, interaction);
    // Ended before the script goes on, so that a double submit finds no open interaction.
    const held = this.#sessions.end(key);
    return this.#advance(interaction, interaction.next, held, pause);
  }

  chooseClient(key: string, session: OpenSession, id: string): SandboxResponse {
    const { selection } = session;
    if (!selection?.clients.has(id)) return wrongClient;
    const chosen: OpenSession = { ...session, stage: "open" };
    if (selection.chosen === "same") {
      this.#sessions.replace(key, chosen);
      return success();
    }
    this.#sessions.end(key);
    return success({ key: this.#sessions.start(chosen) });
  }

  async #advance(
    { bank, account }: Holder,
    from: number,
    held: readonly string[],
    pause: Pause,
  ): Promise<SandboxResponse> {
    for (const [index, step] of account.script.entries()) {
      if (index < from) continue;
      switch (step.step) {
        case "pause":
          await pause();
          continue;
        case "interaction": {
          const waiting = { stage: "interaction", bank, account, step, next: index + 1, wrongAnswers: 0 } as const;
          return interactionRequired(this.#sessions.start(waiting, held, step.key), step);
        }
        case "clients": {
          const key = this.#sessions.start({ stage: "selecting", bank, account, selection: step }, held);
          return ok({ status: "select_client", key });
        }
        case "refused":
          return step.response;
      }
    }
    const { loggedInKey = "same" } = account;
    const isAbsent = loggedInKey === "absent";
    const key = this.#sessions.start({ stage: "open", bank, account }, held, isAbsent ? "same" : loggedInKey);
    return ok({ status: "logged_in", ...(isAbsent ? {} : { key }) });
  }

  #refuseWrongAnswer(key: string, interaction: OpenInteraction): SandboxResponse {
    const { bank, step } = interaction;
    const wrongAnswers = interaction.wrongAnswers + 1;
    if (step.wrong === "ask_again" && wrongAnswers < ANSWER_LIMIT) {
      this.#sessions.replace(key, { ...interaction, wrongAnswers });
      return interactionRequired(key, step);
    }
    this.#sessions.end(key);
    switch (step.wrong) {
      case "ask_again":
        return userBlocked;
      case "wrong_credentials":
        return bank.wrongCredentials ?? wrongCredentials;
      default:
        return envelope(step.wrong);
    }
  }

  #refuseLateAnswer(key: string): SandboxResponse {
    const expired = this.#sessions.findExpired(key);
    return expired?.stage === "interaction" && expired.step.late === "B1006" ? envelope("B1006") : invalidKey;
  }

  #findSessionInTheWay({ bank, account }: Holder): string | undefined {
    if (account.sessionLimit === undefined) return undefined;
    if (!this.#openedElsewhere.has(account)) {
      this.#openedElsewhere.add(account);
      this.#sessions.start({ stage: "open", bank, account });
    }
    const open = this.#sessions.findKeys(account);
    return open.length < account.sessionLimit ? undefined : open[0];
  }
}

const interactionRequired = (key: string, { context, field }: InteractionStep): SandboxResponse =>
  ok({ status: "interaction_required", key, context, field });
