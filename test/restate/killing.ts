import { EventEmitter, once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { BankError, type LoginOutcome, reveal } from "ventanilla";
import type { DurableLoginClient } from "ventanilla/restate";
import { type SandboxAccount, sandboxAccounts } from "ventanilla/sandbox";
import type { CountingBank } from "./bank.ts";
import { seededRandom } from "./random.ts";
import { openStage } from "./stage.ts";

/** The steps of a login at which something is killed. */
export const MOMENTS = [
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
  /** Told after each kill. Default nobody. */
  readonly onProgress?: (line: string) => void;
}

interface Play {
  readonly account: SandboxAccount;
  /** What is typed in where it is not the account's own. */
  readonly password?: string;
  readonly answer?: string;
  readonly cancels?: boolean;
}

const account = (provider: string, username: string): SandboxAccount => {
  const found = sandboxAccounts.find((one) => one.provider === provider && one.username === username);
  if (!found) throw new Error(`no account ${provider} ${username}`);
  return found;
};
const showing = (text: string): SandboxAccount => {
  const found = sandboxAccounts.find(({ shows }) => shows.startsWith(text));
  if (!found) throw new Error(`no account that shows ${text}`);
  return found;
};

const PLAYS: readonly Play[] = [
  { account: account("test", "12345") },
  { account: account("test", "12345otp") },
  { account: account("test", "12345"), password: "not it" },
  { account: account("test", "12345otp"), answer: "not it" },
  { account: account("test", "12345otp"), cancels: true },
  { account: showing("a token, then a choice of clients") },
  { account: showing("two interactions in a row under one key") },
];

/**
 * Runs logins of every sort and kills, with -9, a worker, the server or both, each time at another step and a random
 * moment after it; then compares every login with what the bank saw. The same seed chooses the same steps and delays.
 */
export async function killAtEachStep({ kills, seed, onProgress = () => {} }: KillsOptions) {
  const random = seededRandom(seed);
  const moments = new EventEmitter();
  // A sequence of its own: how often the bank asks for it, time decides.
  const slowness = seededRandom(seed + 1);
  const stage = await openStage({
    workers: 2,
    delay: () => slowness() * 40,
    onMoment: (moment) => moments.emit(moment),
  });
  const counts = { worker: 0, server: 0, both: 0 };
  const ends: Record<string, number> = {};
  // What must never happen, in words.
  const violations: string[] = [];
  let unknownButReceived = 0;
  let logins = 0;
  try {
    for (let kill = 0; kill < kills; kill++) {
      const moment = MOMENTS[kill % MOMENTS.length] ?? "start called";
      const target = (["worker", "server", "worker", "both"] as const)[Math.floor(random() * 4)] ?? "worker";
      const delay = random() * 30;
      const reached = once(moments, moment);
      const running = PLAYS.map((play, index) =>
        runLogin(stage.logins, play, `k${kill}-${index}`, (reachedMoment) => moments.emit(reachedMoment)),
      );
      await reached;
      await pause(delay);
      counts[target]++;
      const victim = Math.floor(random() * 2);
      await Promise.all([
        target !== "server" && stage.replaceWorker(victim),
        target !== "worker" && stage.server.crash(),
      ]);
      for (const [index, end] of (await Promise.all(running)).entries()) {
        const name = `k${kill}-${index}`;
        logins++;
        ends[end.status] = (ends[end.status] ?? 0) + 1;
        const complaint = complaintOf(end, name, stage.bank);
        if (complaint) violations.push(`${name}, ${target} killed at "${moment}": ${complaint}`);
        if (end.status === "outcome_unknown" && stage.bank.of(name).at(-1)?.status) unknownButReceived++;
      }
      onProgress(
        `kill ${kill + 1} of ${kills}: ${target} at "${moment}" + ${delay.toFixed(0)} ms; ${violations.length} violations`,
      );
    }
  } finally {
    await stage.close();
  }
  return { kills: counts, logins, ends, unknownButReceived, violations };
}

interface End {
  readonly status: string;
  readonly httpStatus?: number | undefined;
  readonly key?: string;
}

/** One login from its start to its end, by the typed client, which goes on through every outage. */
async function runLogin(
  logins: DurableLoginClient,
  { account, password, answer, cancels }: Play,
  name: string,
  reach: (moment: (typeof MOMENTS)[number]) => void,
): Promise<End> {
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
    let outcome = await logins.resume(id);
    while ("pause" in outcome) {
      if (outcome.status === "interaction_required") {
        reach("question waits");
        const right = account.answers?.[outcome.interaction.number - 1]?.answer ?? "";
        const next: Promise<LoginOutcome> = cancels ? outcome.cancel() : outcome.answer(answer ?? right);
        if (!cancels) reach("answer called");
        outcome = await next;
      } else {
        const next: Promise<LoginOutcome> = outcome.choose(outcome.clients[0]?.id ?? "");
        reach("choice called");
        outcome = await next;
      }
    }
    const key = "key" in outcome && outcome.key ? { key: reveal(outcome.key) } : {};
    return { status: outcome.status, ...key };
  } catch (error) {
    if (!(error instanceof BankError)) return { status: `${error}` };
    return { status: error.code, httpStatus: error.httpStatus };
  }
}

const SAID: Readonly<Record<string, readonly string[]>> = {
  logged_in: ["logged_in", "success"],
  wrong_credentials: ["wrong_credentials"],
  cancelled: ["interaction_required"],
};

/** What is wrong with a login's end, given what the bank saw of it. */
function complaintOf({ status, httpStatus, key }: End, name: string, bank: CountingBank): string | undefined {
  const seen = bank.of(name);
  const texts = seen.map(({ text }) => text);
  if (new Set(texts).size !== texts.length) return `sent twice: ${seen.map(({ kind }) => kind).join(", ")}`;
  if (seen.filter(({ kind }) => kind === "first").length > 1) return "two first logins";
  // Whatever the bank saw, nobody here does: that is what the code says.
  if (status === "outcome_unknown") return undefined;
  const last = seen.at(-1);
  if (!SAID[status]?.includes(last?.status ?? ""))
    return `ended as ${status} (HTTP ${httpStatus ?? "none"}), where the bank last said ${last?.status}`;
  if (status === "logged_in" && last?.key !== key) return "ended with another key than the bank's";
  return undefined;
}
