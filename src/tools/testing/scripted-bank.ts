import type { AnyActorRef, PromiseActorLogic } from "xstate";
import type { LinkActors } from "../../../machines/link.types.ts";
import type { LoginActors, SubmitOutput } from "../../../machines/login.types.ts";
import { BankError } from "../../core/api/errors.ts";
import { secret } from "../../core/api/secret.ts";
import type { FormValues } from "../../core/login/form-fields.ts";
import type { SandboxAccount } from "../sandbox/account-table.ts";
import type { RequestName } from "./path-types.ts";
import {
  type Attempt,
  findQuestion,
  listAnswers,
  type Scenario,
  type ScriptedFault,
  type ScriptedResponse,
  toFormValues,
  toProviderDetail,
} from "./scenario.ts";

/** The progress of a scenario. Plain data. */
export interface BankProgress {
  /** First logins so far. */
  readonly attempts: number;
  /** Responses to the logins of the current attempt. */
  readonly said: number;
  readonly isLoggedOut: boolean;
  /** The requests so far, faults included. */
  readonly counts: Readonly<Partial<Record<RequestName, number>>>;
}

const notBegun: BankProgress = { attempts: 0, said: 0, isLoggedOut: false, counts: {} };

const key = secret("a-key-that-is-never-sent");

/** The result of a request: at once, or never. */
type Settlement<Reply> =
  | { readonly status: "active" }
  | { readonly status: "done"; readonly output: Reply }
  | { readonly status: "error"; readonly error: unknown };

/** The bank of a scenario, as actors for the slots of the statecharts. */
export class ScriptedBank {
  #scenario: Scenario | undefined;
  #progress: BankProgress = notBegun;
  #wait: AnyActorRef | undefined;

  /** Starts a scenario, or continues it. */
  begin(scenario: Scenario, progress: BankProgress = notBegun): void {
    this.#scenario = scenario;
    this.#progress = progress;
  }

  get progress(): BankProgress {
    return this.#progress;
  }

  /** Ends the time to answer, or to choose. */
  runOutOfTime(): void {
    this.#wait?.send({ type: "time.over" });
  }

  readonly loginActors: LoginActors = {
    // The screen's form has the bank's fields.
    checkFields: createSettledActor(() => ({ status: "done", output: { status: "success" } })),
    submitCredentials: createSettledActor(() => {
      this.#progress = { ...this.#progress, attempts: this.#progress.attempts + 1, said: 0 };
      return this.#settle("POST /login/", (scenario) => this.#nextReply(scenario));
    }),
    submitAnswer: createSettledActor(() => this.#settle("POST /login/", (scenario) => this.#nextReply(scenario))),
    // No path begins with a login that its page has lost.
    resume: createSettledActor(() => ({ status: "active" })),
    listClients: createSettledActor(() =>
      this.#settle("GET /client/", (scenario) => ({
        status: "success",
        clients: Object.entries(
          scenario.ownTexts?.clients ?? currentAccount(scenario, this.#progress).clients ?? {},
        ).map(([id, name]) => ({ id, name })),
      })),
    ),
    selectClient: createSettledActor(() => this.#settle("GET /client/{id}/", () => ({ status: "success", key }))),
    closeSession: createSettledActor(() =>
      this.#settle("GET /logout/", () => {
        this.#progress = { ...this.#progress, isLoggedOut: true };
        return { status: "logged_out" };
      }),
    ),
    // The person confirms.
    awaitApproval: createSettledActor(() => ({ status: "active" })),
    waitUntil: {
      ...createSettledActor(() => ({ status: "active" })),
      start: (_, { self }) => {
        this.#wait = self;
      },
    },
  };

  readonly linkActors: Omit<LinkActors, "login"> = {
    listProviders: createSettledActor(() =>
      this.#settle("GET /provider/", ({ account, attempts }) => ({
        status: "success",
        providers: attempts.map(({ account: { provider: code, country } = account }) => ({
          code,
          country,
          name: code,
        })),
      })),
    ),
    getProvider: createSettledActor(({ provider, choice }) =>
      this.#settle(
        choice ? "GET /provider/{code}/?key={field}&value={chosen}" : "GET /provider/{code}/",
        (scenario) => ({
          status: "success",
          detail: toProviderDetail(scenario, provider ?? scenario.account.provider, choice),
        }),
      ),
    ),
    listDestinations: createSettledActor(() =>
      this.#settle("GET /transfer/destinations", () => ({ status: "success", destinations: [] })),
    ),
  };

  #settle<Reply>(request: RequestName, reply: (scenario: Scenario) => Reply): Settlement<Reply> {
    const scenario = this.#scenario;
    if (!scenario) throw new Error("The bank has no scenario.");
    const { counts } = this.#progress;
    const number = (counts[request] ?? 0) + 1;
    this.#progress = { ...this.#progress, counts: { ...counts, [request]: number } };
    const fault = scenario.faults.find((one) => one.request === request && [undefined, number].includes(one.number));
    if (fault?.what === "held") return { status: "active" };
    if (fault?.what === "broken") return { status: "error", error: new BankError("network_failed", { request }) };
    const account = currentAccount(scenario, this.#progress);
    const output = fault?.meaning ? (toReply(account, fault.meaning) as Reply) : reply(scenario);
    return { status: "done", output };
  }

  #nextReply(scenario: Scenario): SubmitOutput {
    const { said } = this.#progress;
    const { says } = attemptAt(scenario, this.#progress);
    this.#progress = { ...this.#progress, said: said + 1 };
    const account = currentAccount(scenario, this.#progress);
    return toReply(account, says[Math.min(said, says.length - 1)] ?? "started");
  }
}

function toReply(account: SandboxAccount, response: ScriptedResponse): SubmitOutput {
  if (response === "started") return { status: "logged_in", key };
  if (response === "started, no key") return { status: "logged_in" };
  if (response === "client") return { status: "select_client", key };
  if ("refuses" in response) return { status: "refused", failure: { kind: "outcome", code: response.refuses }, key };
  const { asks, ...text } = response;
  return { status: "interaction_required", ...findQuestion(account, asks), ...text, key };
}

/**
 * An actor that is settled when it starts, or stays active until its first event. The search over the graph is synchronous, and
 * XState's own promise actors settle in a later microtask.
 */
function createSettledActor<Reply, Input>(
  settle: (input: Input) => Settlement<NoInfer<Reply>>,
): PromiseActorLogic<Reply, Input> {
  type Snapshot = ReturnType<PromiseActorLogic<Reply, Input>["transition"]>;
  return {
    getInitialSnapshot: (_, input) => ({ output: undefined, error: undefined, input, ...settle(input) }) as Snapshot,
    transition: (snapshot, { type }) =>
      ({ ...snapshot, status: type === "xstate.stop" ? "stopped" : "done" }) as Snapshot,
    getPersistedSnapshot: (snapshot) => snapshot,
  };
}

function nextAttempt({ attempts }: Scenario, { attempts: begun, isLoggedOut }: BankProgress): Attempt | undefined {
  return isLoggedOut ? undefined : attempts[Math.min(begun, attempts.length - 1)];
}

/** The user of the next login, or of the bank that the person has chosen and leaves. */
export function nextAccount(scenario: Scenario, progress: BankProgress, chosen?: string): SandboxAccount {
  if (scenario.leaves && scenario.leaves.provider === chosen) return scenario.leaves;
  return nextAttempt(scenario, progress)?.account ?? scenario.account;
}

/** The user of the current login. */
export function currentAccount(scenario: Scenario, progress: BankProgress): SandboxAccount {
  return attemptAt(scenario, progress).account ?? scenario.account;
}

export function nextFormValues(scenario: Scenario, progress: BankProgress): FormValues {
  return nextAttempt(scenario, progress)?.values ?? toFormValues(nextAccount(scenario, progress));
}

export function nextAnswer(scenario: Scenario, progress: BankProgress): string | FormValues {
  const answers = attemptAt(scenario, progress).answers ?? listAnswers(currentAccount(scenario, progress));
  // After a fault the bank may ask more often than the script has answers.
  return answers[Math.max(progress.said - 1, 0)] ?? "anything";
}

/** Whether the last attempt and every fault have happened. */
export function isFullyShown({ attempts, afterLogout, faults, passes }: Scenario, progress: BankProgress): boolean {
  const last = progress.isLoggedOut && afterLogout ? afterLogout : attempts.at(-1);
  const hasAttempted = progress.isLoggedOut || progress.attempts >= attempts.length;
  const hasSaid = hasAttempted && progress.said >= (last?.says.length ?? 0);
  // A bank's permanent fault need not be shown.
  const isExpected = ({ what, number, meaning }: ScriptedFault) => typeof what === "string" || number || meaning;
  const isMet = faults.filter(isExpected).every(({ request, number = 1 }) => (progress.counts[request] ?? 0) >= number);
  return isMet && hasSaid && (!passes || progress.counts[passes] !== undefined);
}

/** A key of the progress, equal for counts that make no difference. */
export function toProgressKey({ attempts, faults, leaves }: Scenario, progress: BankProgress): unknown {
  return [
    leaves && progress.counts["GET /provider/{code}/"] !== undefined,
    Math.min(progress.attempts, attempts.length + 1),
    progress.said,
    progress.isLoggedOut,
    faults.map(({ request, number = 1 }) => Math.min(progress.counts[request] ?? 0, number + 1)),
  ];
}

function attemptAt({ attempts, afterLogout }: Scenario, { attempts: begun, isLoggedOut }: BankProgress): Attempt {
  const attempt =
    isLoggedOut && afterLogout ? afterLogout : attempts[Math.min(Math.max(begun, 1), attempts.length) - 1];
  return attempt ?? { says: ["started"] };
}
