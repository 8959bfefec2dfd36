import { NetworkError } from "../api/errors.ts";
import { secret } from "../api/secret.ts";
import type { DestinationsReply, FieldsReply, ProvidersReply } from "../link/requests.ts";
import type { FormValues } from "../login/form.ts";
import type { ClientsReply, CloseSessionReply, LoginReply, SelectClientReply } from "../login/requests.ts";
import type { RequestName } from "./path.ts";
import { type Attempt, answersOf, type LoginWord, type Situation, valuesOf } from "./situation.ts";

/** How far a bank has come in a situation. Plain data. */
export interface BankProgress {
  /** First logins so far. */
  readonly attempts: number;
  /** Logins of the attempt under way that the bank has answered. */
  readonly said: number;
  readonly isLoggedOut: boolean;
  /** The requests so far, faults included. */
  readonly counts: Readonly<Partial<Record<RequestName, number>>>;
}

export const notBegun: BankProgress = { attempts: 0, said: 0, isLoggedOut: false, counts: {} };

/** What the statechart hears of a request: how it ends, or nothing. */
export type Heard = { readonly output: unknown } | { readonly error: unknown } | "nothing";

const key = secret("a-key-that-is-never-sent");

/** What the person fills in next. */
export function nextValues(
  { account, attempts }: Situation,
  { attempts: begun, isLoggedOut }: BankProgress,
): FormValues {
  const next = isLoggedOut ? undefined : attempts[Math.min(begun, attempts.length - 1)];
  return next?.values ?? valuesOf(account);
}

/** What the person answers next. */
export function nextAnswer(situation: Situation, { said, ...progress }: BankProgress): string {
  const answers = attemptOf(situation, { said, ...progress }).answers ?? answersOf(situation.account);
  // A login that came here by a fault may be asked more than its script has answers for.
  return answers[Math.max(said - 1, 0)] ?? "anything";
}

/** What the bank says to a request, and how far it has come then. */
export function ask(
  situation: Situation,
  before: BankProgress,
  request: RequestName,
  isFirstLogin: boolean,
): readonly [Heard, BankProgress] {
  const number = (before.counts[request] ?? 0) + 1;
  const asked = { ...before, counts: { ...before.counts, [request]: number } };
  const progress = isFirstLogin ? { ...asked, attempts: asked.attempts + 1, said: 0 } : asked;
  const fault = situation.faults.find((one) => one.request === request && [undefined, number].includes(one.number));
  if (fault?.what === "held") return ["nothing", progress];
  if (fault?.what === "broken") return [{ error: new NetworkError("network_failed", { request }) }, progress];
  if (fault?.heard) return [{ output: wordReply(fault.heard) }, progress];
  if (request === "POST /login/") {
    const { says } = attemptOf(situation, progress);
    const word = says[Math.min(progress.said, says.length - 1)] ?? "started";
    return [{ output: wordReply(word) }, { ...progress, said: progress.said + 1 }];
  }
  return [
    { output: readReply(situation, request) },
    { ...progress, isLoggedOut: progress.isLoggedOut || request === "GET /logout/" },
  ];
}

/** Whether the situation has shown all that it has to show: the last attempt to its end, and every fault. */
export function isShown({ attempts, afterLogout, faults }: Situation, progress: BankProgress): boolean {
  const last = progress.isLoggedOut && afterLogout ? afterLogout : attempts.at(-1);
  const hasAttempted = progress.isLoggedOut || progress.attempts >= attempts.length;
  const hasSaid = hasAttempted && progress.said >= (last?.says.length ?? 0);
  const isMet = faults.every(({ request, number = 1 }) => (progress.counts[request] ?? 0) >= number);
  return isMet && hasSaid;
}

/** What tells two moments of a bank apart: counts only as far as they matter. */
export function progressFacts({ attempts, faults }: Situation, progress: BankProgress): unknown {
  return [
    Math.min(progress.attempts, attempts.length + 1),
    progress.said,
    progress.isLoggedOut,
    faults.map(({ request, number = 1 }) => Math.min(progress.counts[request] ?? 0, number + 1)),
  ];
}

function attemptOf({ attempts, afterLogout }: Situation, { attempts: begun, isLoggedOut }: BankProgress): Attempt {
  const attempt =
    isLoggedOut && afterLogout ? afterLogout : attempts[Math.min(Math.max(begun, 1), attempts.length) - 1];
  return attempt ?? { says: ["started"] };
}

function wordReply(word: LoginWord | "logged out"): LoginReply | CloseSessionReply {
  if (word === "started") return { status: "logged_in", key };
  if (word === "started, no key") return { status: "logged_in" };
  if (word === "client") return { status: "select_client", key };
  if (word === "logged out") return { status: "logged_out" };
  if ("asks" in word) return { status: "interaction_required", field: word.asks, context: "", key };
  return { status: "refused", failure: { kind: "outcome", code: word.refuses }, key };
}

function readReply(
  { account }: Situation,
  request: Exclude<RequestName, "POST /login/">,
): ProvidersReply | FieldsReply | DestinationsReply | ClientsReply | SelectClientReply | CloseSessionReply {
  const { provider: code, country, clients = {} } = account;
  switch (request) {
    case "GET /provider/":
      return { status: "success", providers: [{ code, country, name: code }] };
    case "GET /provider/{code}/":
    case "GET /provider/{code}/?key={field}&value={chosen}":
      return { status: "success", detail: { name: code, country, auth_fields: [], account_type: [], logo: null } };
    case "GET /client/":
      return { status: "success", clients: Object.entries(clients).map(([id, name]) => ({ id, name })) };
    case "GET /client/{id}/":
      return { status: "success", key };
    case "GET /logout/":
      return { status: "logged_out" };
    case "GET /transfer/destinations":
      return { status: "success", destinations: [] };
  }
}
