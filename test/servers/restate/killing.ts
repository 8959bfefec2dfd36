import { EventEmitter, once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { BankError, reveal } from "ventanilla";
import type { DurableLoginClient } from "ventanilla/restate";
import type { SandboxAccount } from "ventanilla/sandbox";
import { createRandom } from "../../faults/soak-plan.ts";
import { findAccount, type Posted } from "./counting-bank.ts";
import { openStage } from "./stage.ts";

/** The steps of a login at which something is killed. */
export const STEPS = [
  "start called",
  "first received",
  "first answered",
  "question waits",
  "answer called",
  "second received",
  "second answered",
  "choice called",
  "choice received",
  "choice answered",
] as const;

export interface KillsOptions {
  readonly kills: number;
  readonly seed: number;
  /** Called after each kill. Default none. */
  readonly onProgress?: (line: string) => void;
}

interface Scenario {
  readonly account: SandboxAccount;
  /** Default the account's own, as the answer. */
  readonly password?: string;
  readonly answer?: string;
  /** Whether the question is cancelled in place of an answer. */
  readonly cancels?: boolean;
}

const plain = findAccount("test", "12345");
const otp = findAccount("test", "12345otp");

const scenarios: readonly Scenario[] = [
  { account: plain },
  { account: otp },
  { account: plain, password: "not it" },
  { account: otp, answer: "0000" },
  { account: otp, cancels: true },
  // A question, then a choice of clients.
  { account: findAccount("ceibo_ar", "group") },
  // Two questions in a row.
  { account: findAccount("vicuna_pe", "chainsame") },
];

/**
 * Runs logins of each scenario and kills, with -9, a worker, the server or both, each time at another step and after a random
 * delay. Then compares every login with the bank's records. The same seed chooses the same steps and delays.
 */
export async function killAtEachStep({ kills, seed, onProgress = () => {} }: KillsOptions) {
  const random = createRandom(seed);
  const steps = new EventEmitter();
  // A sequence of its own, since the number of delays depends on time.
  const slowness = createRandom(seed + 1);
  const stage = await openStage({ delay: () => slowness() * 40, onStep: (step) => steps.emit(step) });
  const report = {
    kills: { worker: 0, server: 0, both: 0 },
    logins: 0,
    results: {} as Record<string, number>,
    unknownButReceived: 0,
    violations: [] as string[],
  };
  try {
    for (let kill = 0; kill < kills; kill++) {
      const step = STEPS[kill % STEPS.length] ?? "start called";
      const target = (["worker", "server", "worker", "both"] as const)[Math.floor(random() * 4)] ?? "worker";
      const delay = random() * 30;
      const reached = once(steps, step);
      const running = scenarios.map((scenario, index) =>
        runLogin(stage.logins, scenario, `k${kill}-${index}`, (name) => steps.emit(name)),
      );
      await reached;
      await pause(delay);
      report.kills[target]++;
      const victim = Math.floor(random() * 2);
      await Promise.all([
        target !== "server" && stage.replaceWorker(victim),
        target !== "worker" && stage.server.crash(),
      ]);
      for (const [index, result] of (await Promise.all(running)).entries()) {
        const name = `k${kill}-${index}`;
        report.logins++;
        report.results[result.status] = (report.results[result.status] ?? 0) + 1;
        const violation = findViolation(result, stage.bank.of(name));
        if (violation) report.violations.push(`${name}, ${target} killed at "${step}": ${violation}`);
        if (result.status === "outcome_unknown" && stage.bank.of(name).at(-1)?.status) report.unknownButReceived++;
      }
      const where = `${target} at "${step}" + ${delay.toFixed(0)} ms`;
      onProgress(`kill ${kill + 1} of ${kills}: ${where}; ${report.violations.length} violations`);
    }
  } finally {
    await stage.close();
  }
  return report;
}

interface Result {
  readonly status: string;
  readonly httpStatus?: number | undefined;
  readonly key?: string;
}

/** Runs one login by the typed client, which retries through every outage. */
async function runLogin(
  logins: DurableLoginClient,
  { account, password, answer, cancels }: Scenario,
  name: string,
  reach: (step: (typeof STEPS)[number]) => void,
): Promise<Result> {
  try {
    const { provider, fields } = account;
    const started = logins.start({
      name,
      provider,
      username: `${account.username}~${name}`,
      password: password ?? account.password,
      ...(fields && { fields }),
      settings: { clientSelection: true },
    });
    reach("start called");
    const id = await started;
    let state = await logins.settled(id);
    while (!state.over) {
      const { interaction, clients = [] } = state;
      if (interaction) {
        reach("question waits");
        const right = account.answers?.[interaction.number - 1]?.answer ?? "";
        const next = cancels ? logins.cancel(id) : logins.answer(id, interaction, answer ?? right);
        if (!cancels) reach("answer called");
        state = await next;
      } else {
        const next = logins.choose(id, clients[0]?.id ?? "");
        reach("choice called");
        state = await next;
      }
    }
    const outcome = await logins.wait(id);
    const key = "key" in outcome && outcome.key ? { key: reveal(outcome.key) } : {};
    return { status: outcome.state === "failed" ? outcome.failure.code : outcome.state, ...key };
  } catch (error) {
    if (!(error instanceof BankError)) return { status: `${error}` };
    return { status: error.code, httpStatus: error.httpStatus };
  }
}

/** The bank's last status, by the result of the login. */
const lastStatuses: Readonly<Record<string, readonly string[]>> = {
  loggedIn: ["logged_in", "success"],
  wrong_credentials: ["wrong_credentials"],
  cancelled: ["interaction_required"],
};

/** What is wrong with the result of a login, by what the bank has received. */
function findViolation({ status, httpStatus, key }: Result, received: readonly Posted[]): string | undefined {
  const kinds = received.map(({ kind }) => kind);
  if (new Set(received.map(({ text }) => text)).size !== received.length) return `sent twice: ${kinds.join(", ")}`;
  if (kinds.filter((kind) => kind === "first").length > 1) return "two first logins";
  // The code says that it is unknown what the bank received.
  if (status === "outcome_unknown") return undefined;
  const last = received.at(-1);
  if (!lastStatuses[status]?.includes(last?.status ?? ""))
    return `ended as ${status} (HTTP ${httpStatus ?? "none"}), but the bank's last status was ${last?.status}`;
  if (status === "loggedIn" && last?.key !== key) return "ended with another key than the bank's";
  return undefined;
}
