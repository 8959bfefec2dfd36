import type { Interaction } from "../../../machines/login.types.ts";
import { nextInteraction } from "../../../machines/next-interaction.ts";
import type { FailureCode } from "../../core/api/failures.ts";
import type { RelayResponse } from "../relay/relay-responses.ts";

// A login that a server keeps is one row of the store, and each change of it is one swap. Pure functions decide here which changes are allowed:
// nothing else changes a row.

/** What a page sends to the bank once. `credentials` begins a login, the others continue it. */
export type SubmitKind = "credentials" | "answer" | "client" | "logout";

export interface KeptSubmit {
  /** The number that its page has given it. No other submit of the login has it. */
  readonly number: number;
  readonly kind: SubmitKind;
  readonly provider: string;
  /** The keyed digest of its content: a repeat has the same. */
  readonly digest: string;
  /** Random: identifies this claim. */
  readonly mark: string;
  /** When it was claimed, by the clock of its instance. */
  readonly at: number;
  /** Of an answer: whether the person says that the login is confirmed elsewhere, or whether the bank's app has confirmed it before. */
  readonly answerKind?: "confirmation" | "approval";
  /** The result. Absent while the request is running. */
  readonly result?: SubmitResult;
}

/** The result of a submit. `asked`: the bank waits for the person. `responded`: the person can try again. `unknown`: the bank may have got it. */
export type SubmitResult =
  | { readonly kind: "asked" | "unknown" }
  | { readonly kind: "responded"; readonly response: RelayResponse };

/** What a login waits for: the answer to an interaction, the choice of a client, or the logout of the session in its way. */
export interface KeptStep {
  readonly kind: "question" | "clients" | "blocked";
  /** The number of the submit that has led to it: its name for the page. */
  readonly number: number;
  readonly key: string;
  /** Until when the pages show it, and when it is dropped. In milliseconds since the epoch, as the other times. */
  readonly until: number;
  readonly forgetAt: number;
  /** Of an interaction. */
  readonly interaction?: Interaction;
  /** Of an interaction: the credentials that the answer has to repeat. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** Whether a page was told that the bank's app has approved. It then usually sends the answer automatically. */
  readonly isApproved?: true;
}

export interface KeptEnd {
  readonly status: "logged_in" | "failed" | "cancelled" | "expired";
  readonly provider?: string;
  readonly failure?: FailureCode;
  readonly at: number;
  /** The number of the submit that has led to it. Later ones led to nothing. */
  readonly number?: number;
}

/** One login that a server keeps. It is sealed as one text. */
export interface KeptRow<Door> {
  /** Data of the handler in front of it, which is not read here. */
  readonly door: Door;
  /** Until when something can be sent, and when the row is deleted. */
  readonly expiresAt: number;
  readonly forgetAt: number;
  /** The highest number that was claimed or refused. 0 before the first. */
  readonly number: number;
  /** How many submits were claimed. */
  readonly sent: number;
  /** The digest of the page that may continue: the one that has sent the first submit. */
  readonly holder?: string;
  /** The login's id in logs: that of its last credentials. */
  readonly login?: string;
  readonly last?: KeptSubmit;
  readonly step?: KeptStep;
  /** The session key, for its recipient. */
  readonly key?: string;
  readonly end?: KeptEnd;
}

/** The rest of an erased login, kept while a repeat of one of its requests may arrive: the repeat is not sent. */
export interface Tombstone {
  readonly isErased: true;
  readonly holder?: string;
  /** Whether the bank may have received something of it. */
  readonly mayHaveArrived: boolean;
}

export interface NewSubmit extends Pick<KeptSubmit, "number" | "kind" | "provider"> {
  /** The number of the step that it continues. Credentials have none. */
  readonly step: number | undefined;
  /** For each seal key: the first one is written. */
  readonly digests: readonly string[];
}

/** Submits of one login: more than a person needs, but a program with the address can't fill the store. */
const SUBMIT_LIMIT = 100;

/** Milliseconds for which a request to the bank and the write of its result may take. */
export const SUBMIT_TIME = 300_000;

/** The submits that continue each step. */
const continuing: Readonly<Record<KeptStep["kind"], readonly SubmitKind[]>> = {
  question: ["answer"],
  clients: ["client", "logout"],
  blocked: ["logout"],
};

/**
 * Whether a submit may be claimed.
 *
 * `known`: it has arrived before, or another one was faster; the page gets that result. `another`: as `known`, but this one has other content. `unsent`:
 * its page was told that it had not arrived. `stepless`: the step that it continues is gone.
 */
export type Decision = "claim" | "known" | "another" | "unsent" | "stepless" | "over" | "limited";

export function decide(row: KeptRow<unknown>, submit: NewSubmit, now: number): Decision {
  const { end, last, step, number } = row;
  // The session that was reached can be closed while its key is kept.
  const isClosing = submit.kind === "logout" && end?.status === "logged_in" && end.number === submit.step;
  if (end && !isClosing) return "over";
  if (submit.number <= number) {
    if (last === undefined || submit.number > last.number) return "unsent";
    return submit.number === last.number && submit.digests.includes(last.digest) ? "known" : "another";
  }
  if (last && !last.result) return "another";
  if (isClosing && row.key === undefined) return "stepless";
  if (submit.kind !== "credentials" && !isClosing) {
    const isThere = step !== undefined && step.number === submit.step && now < step.forgetAt;
    if (!isThere)
      return last !== undefined && submit.step !== undefined && last.number > submit.step ? "another" : "stepless";
    if (!continuing[step.kind].includes(submit.kind)) return "stepless";
  }
  return row.sent < SUBMIT_LIMIT ? "claim" : "limited";
}

/** The step that the pages show. */
export const findStep = ({ step }: KeptRow<unknown>, now: number): KeptStep | undefined =>
  step && step.kind !== "blocked" && now < step.until ? step : undefined;

/** Whether the bank works on a submit, or did when its instance was lost. A time in the future is not trusted. */
export const isUnderWay = ({ last }: KeptRow<unknown>, now: number): boolean =>
  last !== undefined && last.result === undefined && Math.abs(now - last.at) < SUBMIT_TIME;

/** The row with a claim. Credentials begin a login, so the interaction of the previous one is dropped. */
export function withClaim<Door>(
  row: KeptRow<Door>,
  { step: _, digests: [digest = ""], ...submit }: NewSubmit,
  {
    login,
    holder,
    ...claim
  }: Pick<KeptSubmit, "at" | "mark" | "answerKind"> & { readonly login: string; readonly holder: string },
): KeptRow<Door> {
  const { step, ...others } = row;
  const isFirst = submit.kind === "credentials";
  return {
    ...others,
    number: submit.number,
    sent: row.sent + 1,
    holder,
    // A login that is sent again after it has closed another session keeps its id.
    ...(isFirst && { login }),
    ...(step && !isFirst && { step }),
    last: { ...submit, digest, ...claim },
  };
}

/** The row before a claim of which nothing was sent. Its number stays used, and the login belongs to the page that has claimed. */
export const withoutClaim = <Door>(before: KeptRow<Door>, { number, holder, door }: KeptRow<Door>): KeptRow<Door> => ({
  ...before,
  number,
  door,
  ...(holder !== undefined && { holder }),
});

/** The meaning of the bank's response to a submit. */
export type BankResponse =
  /** `isHandedOver`: the app has received the key. */
  | { readonly kind: "session"; readonly key: string; readonly isHandedOver?: true }
  | { readonly kind: "clients"; readonly key: string }
  | {
      readonly kind: "question";
      readonly key: string;
      readonly asked: Pick<Interaction, "field" | "context" | "awaitsApproval"> & {
        readonly fields?: readonly string[];
      };
      readonly credentials: NonNullable<KeptStep["credentials"]>;
    }
  /** `blocking`: the key of the session in the way. `failure`: a final one, after which nothing can be tried. */
  | {
      readonly kind: "responded";
      readonly response: RelayResponse;
      readonly blocking?: string;
      readonly failure?: FailureCode;
      readonly isStepKept?: boolean;
      /** The session of its key is closed. */
      readonly isClosed?: true;
    }
  | { readonly kind: "unknown" };

/** Milliseconds for which an interaction is shown, and for which it is kept. */
export interface StepTimes {
  readonly answerTime: number;
  readonly stepLifetime: number;
}

/** The row with the result of its last submit. */
export function withResult<Door>(
  row: KeptRow<Door>,
  response: BankResponse,
  { now, answerTime, stepLifetime }: StepTimes & { readonly now: number },
): KeptRow<Door> {
  const { last, step: before, ...others } = row;
  if (!last) return row;
  const { number, provider } = last;
  const ended = (end: Omit<KeptEnd, "at" | "number">, result: SubmitResult) => ({
    ...others,
    last: { ...last, result },
    end: { ...end, at: now, number },
  });
  const goingOn = (result: SubmitResult, step?: KeptStep) => ({
    ...others,
    last: { ...last, result },
    ...(step && { step }),
  });
  const times = { number, until: now + answerTime, forgetAt: now + stepLifetime };
  switch (response.kind) {
    case "session":
      return { ...ended({ status: "logged_in", provider }, { kind: "asked" }), key: response.key };
    case "clients":
      return goingOn({ kind: "asked" }, { kind: "clients", key: response.key, ...times });
    case "question": {
      const { key, asked, credentials } = response;
      const answerKind = last.answerKind ?? "text";
      const question = { ...asked, expiresAt: times.until };
      const interaction = nextInteraction(
        last.kind === "answer" ? before?.interaction : undefined,
        answerKind,
        question,
      );
      const { expiresAt: until = times.until } = interaction;
      return goingOn({ kind: "asked" }, { kind: "question", key, ...times, until, interaction, credentials });
    }
    case "responded": {
      const { response: said, blocking, failure, isStepKept, isClosed } = response;
      if (failure) return ended({ status: "failed", provider, failure }, { kind: "responded", response: said });
      if (isClosed) return withoutKey(goingOn({ kind: "responded", response: said }));
      // After a refused choice the person can choose again.
      const step = isStepKept && before ? { ...before, number } : undefined;
      return goingOn(
        { kind: "responded", response: said },
        blocking === undefined ? step : { kind: "blocked", key: blocking, ...times },
      );
    }
    case "unknown":
      return goingOn({ kind: "unknown" });
  }
}

/** The row of a login whose session can't be used any more. */
export function withoutKey<Door>({ key: _, ...row }: KeptRow<Door>): KeptRow<Door> {
  return row;
}

/** The row of a login that has ended without a session: no credentials, no question, no key. */
export function withEnd<Door>({ step: _, last, ...row }: KeptRow<Door>, end: KeptEnd): KeptRow<Door> {
  return { ...row, ...(last && { last: { ...last, result: { kind: "unknown" } } }), end };
}

/** The row without an interaction that was not answered in time. */
export function withoutOldStep<Door>(row: KeptRow<Door>, now: number): KeptRow<Door> {
  const { step, ...others } = row;
  return step && now >= step.forgetAt && !isUnderWay(row, now) ? others : row;
}

/** The result of a page's submit, or of the one that was faster. `undefined` while that is running. */
export type PageResult =
  | { readonly kind: "ended"; readonly end: KeptEnd }
  | { readonly kind: "step"; readonly step: KeptStep }
  | { readonly kind: "responded"; readonly response: RelayResponse; readonly step?: KeptStep }
  | { readonly kind: "unknown" }
  | { readonly kind: "unsent" };

export function toPageResult(
  { end, last, step, number }: KeptRow<unknown>,
  asked: number,
  now: number,
): PageResult | undefined {
  const isFailed = end?.status === "failed" && last?.number === asked && last.result?.kind === "responded";
  const isClosing = end?.number !== undefined && last !== undefined && asked === last.number && asked > end.number;
  if (end && !isFailed && !isClosing) return { kind: "ended", end };
  if (last === undefined || asked > last.number) return asked <= number ? { kind: "unsent" } : undefined;
  const { result } = last;
  if (!result) return undefined;
  if (result.kind === "responded") return { kind: "responded", response: result.response, ...(step && { step }) };
  if (result.kind === "asked" && step && now < step.forgetAt) return { kind: "step", step };
  return { kind: "unknown" };
}
