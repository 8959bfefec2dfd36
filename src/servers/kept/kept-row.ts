import type { Interaction } from "../../../machines/login.types.ts";
import { nextInteraction } from "../../../machines/next-interaction.ts";
import type { FailureCode } from "../../core/api/failures.ts";
import type { RelayResponse } from "../relay/relay-responses.ts";

// One login that a server keeps is one row of the store, and each change of it is one swap. What may follow what is decided here, by pure functions:
// nothing else changes a row.

/** What a page sends to the bank once. `credentials` begins a login, the others go on with it. */
export type SubmitKind = "credentials" | "answer" | "client" | "logout";

/** A submit, as it was claimed. */
export interface KeptSubmit {
  /** The number that its page has given it. No other submit of the login has it. */
  readonly number: number;
  readonly kind: SubmitKind;
  readonly provider: string;
  /** The keyed digest of what it sends: a repeat has the same. */
  readonly digest: string;
  /** Random: the name of this claim. */
  readonly mark: string;
  /** When it was claimed, by the clock of its instance. */
  readonly at: number;
  /** Of an answer: whether the person says that the login is confirmed elsewhere, or whether the bank's app has said so before. */
  readonly answerKind?: "confirmation" | "approval";
  /** What came of it. Absent while it is under way. */
  readonly result?: SubmitResult;
}

/** What came of a submit. `asked`: the bank waits for the person. `responded`: the person can try again. `unknown`: the bank may have got it. */
export type SubmitResult =
  | { readonly kind: "asked" | "unknown" }
  | { readonly kind: "responded"; readonly response: RelayResponse };

/** What a login waits for. The bank's question, the choice of a client, or the closing of the session that stands in the way. */
export interface KeptStep {
  readonly kind: "question" | "clients" | "blocked";
  /** The number of the submit that has led to it: its name for the page. */
  readonly number: number;
  /** The bank's key. */
  readonly key: string;
  /** Until when the pages show it, and when it is forgotten. In milliseconds since the epoch, as the other times. */
  readonly until: number;
  readonly forgetAt: number;
  /** Of a question. */
  readonly interaction?: Interaction;
  /** Of a question: what was typed first. The answer needs it. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** Whether a page was told that the bank's app has approved. It answers by itself, mostly. */
  readonly isApproved?: true;
}

/** How a login ended. */
export interface KeptEnd {
  readonly status: "logged_in" | "failed" | "cancelled" | "expired";
  readonly provider?: string;
  readonly failure?: FailureCode;
  readonly at: number;
  /** The number of the submit that has brought it. A later one brought nothing. */
  readonly number?: number;
}

/** One login that a server keeps. It is sealed as a whole. */
export interface KeptRow<Door> {
  /** What its door knows of it, and this does not read. */
  readonly door: Door;
  /** Until when something can be sent, and when nothing is left of it. */
  readonly expiresAt: number;
  readonly forgetAt: number;
  /** The highest number that was claimed or refused. 0 before the first. */
  readonly number: number;
  /** How many submits were claimed. */
  readonly sent: number;
  /** The digest of who may go on: whoever has sent the first submit. */
  readonly holder?: string;
  /** The login's id in logs: that of its last credentials. */
  readonly login?: string;
  readonly last?: KeptSubmit;
  readonly step?: KeptStep;
  /** The session key, for who may take it. */
  readonly key?: string;
  readonly end?: KeptEnd;
}

/** What is left of a login that was erased, for as long as a repeat of one of its requests can come: it is not sent. */
export interface Tombstone {
  readonly isErased: true;
  readonly holder?: string;
  /** Whether the bank may have got something of it. */
  readonly mayHaveArrived: boolean;
}

/** A submit that wants to be sent. */
export interface NewSubmit extends Pick<KeptSubmit, "number" | "kind" | "provider"> {
  /** The number of the step that it goes on from. Credentials have none. */
  readonly step: number | undefined;
  /** Under each seal key: the first one is written. */
  readonly digests: readonly string[];
}

/** Submits of one login. A person needs some; a program that has a link does not fill the store. */
const SUBMIT_LIMIT = 100;

/** Milliseconds for which a submit can be at the bank, and what came of it on its way into the store. */
export const SUBMIT_TIME = 300_000;

/** Which step each kind of submit goes on from. */
const steps = {
  credentials: undefined,
  answer: ["question"],
  client: ["clients"],
  logout: ["clients", "blocked"],
} satisfies Record<SubmitKind, readonly KeptStep["kind"][] | undefined>;

/**
 * Whether a submit may be claimed.
 *
 * `known`: it has come before, or another one was faster; what came of that is told. `another`: the same, and this one sends something else. `unsent`:
 * its page was told that it had not come. `stepless`: what it goes on from is not there.
 */
export type Decision = "claim" | "known" | "another" | "unsent" | "stepless" | "over" | "limited";

export function decide(row: KeptRow<unknown>, submit: NewSubmit, now: number): Decision {
  const { end, last, step, number } = row;
  // A session that was reached can be closed, as long as its key is there.
  const isClosing = submit.kind === "logout" && end?.status === "logged_in" && end.number === submit.step;
  if (end && !isClosing) return "over";
  if (submit.number <= number) {
    if (last === undefined || submit.number > last.number) return "unsent";
    return submit.number === last.number && submit.digests.includes(last.digest) ? "known" : "another";
  }
  if (last && !last.result) return "another";
  if (isClosing && row.key === undefined) return "stepless";
  const kinds = steps[submit.kind];
  if (kinds !== undefined && !isClosing) {
    const isThere = step !== undefined && step.number === submit.step && now < step.forgetAt;
    if (!isThere)
      return last !== undefined && submit.step !== undefined && last.number > submit.step ? "another" : "stepless";
    if (!(kinds as readonly string[]).includes(step.kind)) return "stepless";
  }
  return row.sent < SUBMIT_LIMIT ? "claim" : "limited";
}

/** The step that the pages show. */
export const findStep = ({ step }: KeptRow<unknown>, now: number): KeptStep | undefined =>
  step && step.kind !== "blocked" && now < step.until ? step : undefined;

/** Whether a submit is with the bank, or was when its instance died. A time in the future is not believed. */
export const isUnderWay = ({ last }: KeptRow<unknown>, now: number): boolean =>
  last !== undefined && last.result === undefined && Math.abs(now - last.at) < SUBMIT_TIME;

/** The row with a claim. Credentials begin a login: what the last one has asked is forgotten. */
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
    // One that is sent again, after it has closed another session, has the same id.
    ...(isFirst && { login }),
    ...(step && !isFirst && { step }),
    last: { ...submit, digest, ...claim },
  };
}

/** The row before a claim of which nothing was sent. Its number stays taken, and the login belongs to who has claimed. */
export const withoutClaim = <Door>(before: KeptRow<Door>, { number, holder, door }: KeptRow<Door>): KeptRow<Door> => ({
  ...before,
  number,
  door,
  ...(holder !== undefined && { holder }),
});

/** What the bank has said to a submit. */
export type BankResponse =
  /** `isHandedOver`: the app has the key already. */
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
  /** `blocking`: the key of the session that stands in the way. `failure`: after which nothing can be tried. */
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

/** Milliseconds in which a question is shown, and for which it is kept. */
export interface StepTimes {
  readonly answerTime: number;
  readonly stepLifetime: number;
}

/** The row with what came of its last submit. */
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
      // A choice that was refused leaves the choice.
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

/** The row without a question that nobody has answered in time. */
export function withoutOldStep<Door>(row: KeptRow<Door>, now: number): KeptRow<Door> {
  const { step, ...others } = row;
  return step && now >= step.forgetAt && !isUnderWay(row, now) ? others : row;
}

/** What is known of a submit of a page, or of the one that was faster. `undefined` while that is under way. */
export type Told =
  | { readonly kind: "ended"; readonly end: KeptEnd }
  | { readonly kind: "step"; readonly step: KeptStep }
  | { readonly kind: "responded"; readonly response: RelayResponse; readonly step?: KeptStep }
  | { readonly kind: "unknown" }
  | { readonly kind: "unsent" };

export function tell({ end, last, step, number }: KeptRow<unknown>, asked: number, now: number): Told | undefined {
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
