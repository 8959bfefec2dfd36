import { ANSWER_TIMEOUT } from "../../../machines/next-interaction.ts";
import { toAbsoluteUrl } from "../../core/api/base-url.ts";
import { BankError, wrapThrown } from "../../core/api/errors.ts";
import { findFailure } from "../../core/api/failures.ts";
import { createHookError } from "../../core/api/hooks.ts";
import { type Refusal, readRefusalStatus } from "../../core/api/refusals.ts";
import type { LoginResponse } from "../../core/api/responses.ts";
import type { Secret } from "../../core/api/secret.ts";
import { KeyRing } from "../../core/tokens/sealed-token.ts";
import { reportError } from "../relay/relay-events.ts";
import { INTERACTION_LIFETIME } from "../relay/relay-options.ts";
import {
  notSignedIn,
  outcomeUnknown,
  type RelayResponse,
  respond,
  toFaultResponse,
  unknownAttempt,
} from "../relay/relay-responses.ts";
import { unsealKey } from "../relay/sealed-keys.ts";
import { limitTime, poll, startHeartbeat } from "../repetition.ts";
import type { HostedSettings } from "./hosted-options.ts";
import { readInteraction, toInteraction, toKeyName } from "./page-login.ts";
import { persist } from "./persist.ts";
import type { SessionEnds } from "./session-ends.ts";
import type { SessionProgress } from "./session-progress.ts";
import {
  type End,
  findLoginId,
  findLoginSubmits,
  type SessionRecords,
  type StoredSession,
  type StoredSubmit,
  type Submit,
  type SubmitResult,
} from "./session-records.ts";
import { sealResponse, sealText, unsealResponse } from "./session-seals.ts";

/** Milliseconds between two heartbeats of the instance that works on a submit, and for which it has the submit after one. */
const HEARTBEAT = 1_000;
const LEASE = 4_000;

const POLL_INTERVAL = 250;

/** Milliseconds after which a claim is too late: the session may have ended since it was looked at. */
const LONGEST_CLAIM = 5_000;

/** Milliseconds for which a request of a page waits for the result of a submit: less than its client does. The page asks again. */
const GIVE_UP_TIME = 80_000;

/** Not yet known. */
export const stillWorking: RelayResponse = toFaultResponse(new BankError("service_unavailable"), false);

// Whether the bank waits for the person after such a response to a login. Every other response is a refusal or a fault.
const waits: Record<string, boolean> = {
  logged_in: false,
  interaction_required: true,
  select_client: true,
} satisfies Record<Exclude<LoginResponse["status"], Refusal["status"]>, boolean>;

export type SessionSubmits = ReturnType<typeof createSessionSubmits>;

/** Whether an approval in the bank's app was sent in the last login. */
const isApprovalSent = (submits: readonly StoredSubmit[]): boolean =>
  findLoginSubmits(submits).some(({ isApproval }) => isApproval);

/** A question that the bank repeats after an approval: it is left to the person, since a page may not know of the approval. */
function withoutApproval({ body, ...response }: RelayResponse): RelayResponse {
  const { awaits_approval: _, ...others } = body ?? {};
  return { ...response, body: others };
}

/** Whether a request for a session is with the bank, or was when its instance died. */
export const isUnderWay = ({ last }: StoredSession): boolean => last !== undefined && last.result === undefined;

/**
 * The requests of the pages that are sent to the bank once. Each is a claim in the session's record, one after the other, and what came of it. So
 * of two tabs one sends, and both learn what came of it.
 */
export function createSessionSubmits(
  settings: HostedSettings,
  {
    records,
    ends,
    progress,
  }: { readonly records: SessionRecords; readonly ends: SessionEnds; readonly progress: SessionProgress },
) {
  const { environment } = settings;
  const questionLifetime = settings.interactionLifetime ?? INTERACTION_LIFETIME;
  const answerTime = Math.min(questionLifetime, ANSWER_TIMEOUT);
  const report = (id: string) => (error: unknown) => reportError(settings, wrapThrown(error), { id, session: id });

  /** Shows that this instance works on a submit, until it is stopped. @throws {BankError} if the store fails at the first time. */
  function startWork(id: string, number: number): Promise<() => void> {
    const token = environment.createToken();
    let count = 0;
    let last: string | undefined;
    // Without one the others say that the outcome is unknown.
    const send = async () => {
      const text = `${token} ${count++}`;
      await records.writeHeartbeat(id, number, text, last);
      last = text;
    };
    return startHeartbeat(send, { environment, interval: HEARTBEAT });
  }

  const write = (
    session: StoredSession,
    name: `${"response" | "result" | "key"}:${number}`,
    text: string,
    forgetAt?: number,
  ) =>
    persist(
      () => records.note(session, name, text, forgetAt),
      async () => (await records.read(session.id, name)) === text,
      { environment, report: report(session.id) },
    );

  const writeResult = (session: StoredSession, number: number, result: SubmitResult) =>
    write(session, `result:${number}`, JSON.stringify(result));

  /** Claims the next submit of a session. @returns its number; `undefined` if another one was faster. */
  async function claim(session: StoredSession, submit: Omit<Submit, "token">): Promise<number | undefined> {
    const number = session.submits.length;
    const text = JSON.stringify({ ...submit, token: environment.createToken() } satisfies Submit);
    const isOwn = async () => (await records.read(session.id, `submit:${number}`)) === text;
    const start = environment.elapsed();
    try {
      if (!(await records.note(session, `submit:${number}`, text))) return undefined;
      if (environment.elapsed() - start > LONGEST_CLAIM) throw createHookError("store", "took too long");
      return number;
    } catch (error) {
      // Nothing is sent. The store may have kept the claim all the same.
      const withdraw = async () => {
        if (await isOwn()) await writeResult(session, number, { kind: "unsent" });
        return true;
      };
      tracked(persist(withdraw, isOwn, { environment, report: () => undefined }));
      throw error;
    }
  }

  const running = new Set<Promise<unknown>>();
  function tracked<Result>(work: Promise<Result>): Promise<Result> {
    running.add(work);
    const forget = () => running.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Writes what came of a submit before the page gets it. */
  async function note(session: StoredSession, submit: StoredSubmit, response: RelayResponse): Promise<RelayResponse> {
    const { number, provider, kind } = submit;
    const { body = {} } = response;
    const { status } = body;
    const isLoggedIn = status === "logged_in" || (kind === "client" && status === "success");
    if (isLoggedIn) return noteSession(session, submit, response);
    const isQuestion = typeof status === "string" && Object.hasOwn(waits, status) && waits[status] === true;
    const failure = isQuestion || typeof status !== "string" ? undefined : findFailure(readRefusalStatus(body));
    // A person who may choose the bank can choose another one.
    const isLast =
      session.created.provider !== undefined &&
      (failure?.recovery === "contactBank" || failure?.recovery === "changeProvider");
    if (isLast && kind !== "logout") {
      await ends.end(session, { status: "failed", provider, failure: failure.code });
      return toPage(response, number);
    }
    const isUnknown = body["error"] === "outcome_unknown";
    const forgetAt = isQuestion ? environment.now() + questionLifetime : session.created.forgetAt;
    const sealed = await sealResponse(settings, session.id, number, response, new Date(forgetAt));
    if (!isQuestion) {
      const written = await writeResult(session, number, { kind: isUnknown ? "unknown" : "refused", response: sealed });
      if (written === "taken") return readResult(session.id, number);
      const { code } = failure ?? findFailure(String(body["error"]));
      if (kind !== "logout") progress.tell(session, { type: "refused", provider, number: number + 1, failure: code });
      return toPage(response, number);
    }
    const result: SubmitResult = { kind: "question", until: await findTime(session, submit, response) };
    const responseWritten = await write(session, `response:${number}`, sealed, forgetAt);
    const written = responseWritten === "written" ? await writeResult(session, number, result) : responseWritten;
    if (written === "taken") return readResult(session.id, number);
    if (written === "written") progress.tell(session, { type: "asking", provider, number: number + 1 });
    // Nobody could answer a question that is not in the store.
    if (written !== "written") return outcomeUnknown;
    return toPage(isApprovalSent([...session.submits, submit]) ? withoutApproval(response) : response, number);
  }

  /** Until when the pages show a question. After a confirmation that came too early it is the time of the question before. */
  async function findTime(session: StoredSession, submit: StoredSubmit, response: RelayResponse): Promise<number> {
    const until = environment.now() + answerTime;
    const asked = { ...submit, result: { kind: "question", until } as const };
    // If the store fails now, the question has all of its time: it is not lost for that.
    const before = submit.isConfirmation && (await readInteraction(session, read).catch(report(session.id)));
    return (before && toInteraction(asked, response, before.interaction)?.interaction.expiresAt) || until;
  }

  async function noteSession(
    session: StoredSession,
    submit: StoredSubmit,
    { body = {} }: RelayResponse,
  ): Promise<RelayResponse> {
    const { id, created } = session;
    // As its relay has sealed it.
    const seal = { keys: new KeyRing(settings.sealKey, "sealKey"), audience: toAbsoluteUrl(settings.client.baseUrl) };
    const { key } = await unsealKey(String(body["key"]), seal);
    const { number, provider } = submit;
    const sealed = await sealText(settings, id, "key", key, new Date(created.forgetAt));
    // Apart from the end, which stays for longer.
    const isKept = await write(session, `key:${number}`, sealed);
    const written =
      isKept === "written" ? await ends.end(session, { status: "logged_in", provider, submit: number }) : isKept;
    if (written === "written") return formatLoggedIn(submit);
    if (isKept === "written") await records.forgetKey(session, number).catch(report(id));
    await logOut(id, key);
    // It was cancelled, or its time is over: the page asks where it is.
    return written === "failed" ? outcomeUnknown : notSignedIn;
  }

  /** Nobody will ever have the key. */
  async function logOut(id: string, key: Secret): Promise<void> {
    if (settings.logout) await settings.client.logout(key).catch(report(id));
  }

  const formatLoggedIn = ({ kind, number }: StoredSubmit) =>
    respond(kind === "client" ? "success" : "logged_in", { key: toKeyName(number) });

  /** What the page gets of a response: no key, but its name. */
  const toPage = ({ body, ...response }: RelayResponse, number: number): RelayResponse => ({
    ...response,
    ...(body && { body: body["key"] === undefined ? body : { ...body, key: toKeyName(number) } }),
  });

  async function read({ id }: StoredSession, { number, result }: StoredSubmit): Promise<RelayResponse | undefined> {
    const sealed = result?.kind === "question" ? await records.read(id, `response:${number}`) : result?.response;
    return sealed === undefined ? undefined : unsealResponse(settings, id, number, sealed);
  }

  /** What a page gets of a submit, once it has come to its end. */
  async function format(session: StoredSession, submit: StoredSubmit, end: End | undefined): Promise<RelayResponse> {
    if (end) return end.status === "logged_in" ? formatLoggedIn(submit) : notSignedIn;
    if (submit.result?.kind === "unsent") return unknownAttempt;
    const response = await read(session, submit);
    if (!response) return outcomeUnknown;
    return toPage(isApprovalSent(session.submits) ? withoutApproval(response) : response, submit.number);
  }

  /** What a page gets of a submit whose result is in the store, or whose session has ended. */
  function formatKept(
    session: StoredSession | undefined,
    number: number,
  ): Promise<RelayResponse> | RelayResponse | undefined {
    const submit = session?.submits[number];
    if (!session || !submit) return notSignedIn;
    return session.end || submit.result ? format(session, submit, session.end) : undefined;
  }

  /** The same, after another one has written the result: the session was erased, or its instance was lost. */
  async function readResult(id: string, number: number): Promise<RelayResponse> {
    return (await formatKept(await records.find(id), number)) ?? outcomeUnknown;
  }

  return {
    answerTime,
    read,

    /** Sends a submit to the bank, unless another one was faster. @returns what the page gets. */
    async send(
      session: StoredSession,
      submit: Omit<Submit, "token">,
      send: () => Promise<RelayResponse>,
    ): Promise<RelayResponse | undefined> {
      const stop = await startWork(session.id, session.submits.length);
      const work = async () => {
        try {
          const number = await claim(session, submit);
          if (number === undefined) return undefined;
          const stored = { ...submit, token: "", number, result: undefined };
          const current = { ...session, login: findLoginId([...session.submits, stored]) };
          return await send()
            .then((response) => note(current, stored, response))
            .catch((error: unknown) => {
              report(session.id)(error);
              return outcomeUnknown;
            });
        } finally {
          stop();
        }
      };
      return limitTime(tracked(work()), { environment, time: GIVE_UP_TIME, late: stillWorking });
    },

    /** Refuses a submit that has not come, if it comes later. */
    async withdraw(session: StoredSession, submit: Omit<Submit, "token">): Promise<void> {
      const number = await claim(session, submit);
      if (number !== undefined) await writeResult(session, number, { kind: "unsent" });
    },

    /** The result of a submit, here or at another instance. It waits for one that is at the bank, for as long as an instance works on it. */
    async wait(id: string, number: number, signal: AbortSignal): Promise<RelayResponse> {
      let last: string | undefined;
      let silence = 0;
      let isReported = false;
      const ask = async () => {
        const session = await records.find(id);
        const kept = formatKept(session, number);
        if (kept || !session) return kept;
        const heartbeat = await records.read(id, `life:${number}`);
        silence = heartbeat === last ? silence + POLL_INTERVAL : 0;
        last = heartbeat;
        // Nobody can know the result any more. A key that comes all the same still ends the session.
        if (silence >= LEASE) await records.note(session, `result:${number}`, JSON.stringify({ kind: "unknown" }));
        return undefined;
      };
      const askSafely = () =>
        ask().catch((error: unknown) => {
          if (!isReported) report(id)(error);
          isReported = true;
          return undefined;
        });
      const repetition = { environment, giveUpTime: GIVE_UP_TIME, interval: POLL_INTERVAL, signal };
      return (await poll(askSafely, repetition)) ?? stillWorking;
    },

    /** Waits for what is on its way to the bank or into the store. */
    async finish(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
