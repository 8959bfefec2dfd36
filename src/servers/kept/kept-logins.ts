import { ANSWER_TIMEOUT } from "../../../machines/next-interaction.ts";
import { createCallbackError } from "../../core/api/callbacks.ts";
import { wrapThrown } from "../../core/api/errors.ts";
import { limitTime, poll, startHeartbeat } from "../../core/api/repetition.ts";
import { createRecords } from "../../core/tokens/store.ts";
import type { RelayResponse } from "../relay/relay-responses.ts";
import {
  type BankResponse,
  decide,
  type KeptRow,
  type KeptSubmit,
  type NewSubmit,
  type PageResult,
  toPageResult,
  withClaim,
  withoutClaim,
  withResult,
} from "./kept-row.ts";
import { createKeptRows, type Kept, type KeptRowsOptions } from "./kept-rows.ts";

/** Milliseconds between two heartbeats of the instance that works on a submit, and between two polls of an instance that waits for it. */
const HEARTBEAT = 1_000;
const POLL_INTERVAL = 250;

/** Milliseconds without a heartbeat, by the clock of the waiting instance, after which the working one is lost: more than an operation of the store may take. */
const HEARTBEAT_TIMEOUT = 12_000;

/** Milliseconds for which the store keeps a heartbeat. */
const HEARTBEAT_LIFETIME = 60_000;

/** Milliseconds after which a claim is too late: waiting instances may have treated this one as lost. */
const LONGEST_CLAIM = 5_000;

/** Milliseconds for which a page's request waits for the result of a submit: less than its client does. The page then asks again. */
const GIVE_UP_TIME = 80_000;

export interface KeptLoginsOptions<Door> extends KeptRowsOptions {
  /** Milliseconds for which an interaction is kept. */
  readonly stepLifetime: number;
  /** The times of a row after a claim, or a result. Default: unchanged. */
  readonly toTimes?: (row: KeptRow<Door>, now: number) => Pick<KeptRow<Door>, "expiresAt" | "forgetAt">;
  /** Called before a submit is claimed. */
  readonly beforeClaim?: (kept: Kept<Door>) => Promise<unknown>;
  readonly onError: (error: unknown, id: string) => void;
  /** Called when the result of a submit was written by this instance. Not awaited. */
  readonly onResult: (kept: Kept<Door>, response: BankResponse) => void;
  /** Called before an end or an interaction is written: a check must follow at that time, even if this instance is lost. */
  readonly schedule: (id: string, row: KeptRow<Door>, time: number) => Promise<unknown>;
  /** Called for a session key that can't be handed over. */
  readonly onLostKey: (id: string, key: string) => Promise<unknown>;
}

/** The response to a page's submit. `late`: the bank is still working on it. `gone`: there is no such login. */
export type SubmitOutcome<Door> =
  | (PageResult & { readonly kept: Kept<Door> })
  | { readonly kind: "response"; readonly response: RelayResponse; readonly kept: Kept<Door> }
  | { readonly kind: "late" | "gone" | "stepless" | "limited" };

/** A submit that is ready to be claimed. Only preparing it may wait for something. */
export interface Prepared {
  readonly answerKind?: KeptSubmit["answerKind"];
  /** Sends it. Called at most once, right after the claim. */
  readonly send: () => Promise<BankResponse>;
}

export type KeptLogins<Door> = ReturnType<typeof createKeptLogins<Door>>;

/**
 * The logins that a server keeps: each submit of a page is claimed, sent once, and its result is written before the page gets it. A repeat, a lost
 * response, a reload, a second tab and a retry of a load balancer are one case: they ask for a submit by its number.
 */
export function createKeptLogins<Door>(options: KeptLoginsOptions<Door>) {
  const { store, environment, stepLifetime, toTimes, onError, onResult, schedule, onLostKey } = options;
  const rows = createKeptRows<Door>(options);
  const records = createRecords(store);
  const renew = (row: KeptRow<Door>): KeptRow<Door> => (toTimes ? { ...row, ...toTimes(row, environment.now()) } : row);
  const answerTime = Math.min(stepLifetime, ANSWER_TIMEOUT);
  const toHeartbeat = (id: string) => `life:${id}`;
  const report = (id: string) => (error: unknown) => onError(wrapThrown(error), id);

  const isLocal = store.startedAt !== undefined;
  const running = isLocal ? findProcessWork() : new Running();
  const tasks = new Set<Promise<unknown>>();
  function track<Result>(work: Promise<Result>): Promise<Result> {
    tasks.add(work);
    const forget = () => tasks.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Sends heartbeats while this instance works on a submit, until it is stopped. With the store in memory there are no other instances. */
  function startWork(id: string): () => void {
    if (isLocal) return () => {};
    const token = environment.createToken();
    let count = 0;
    let last: string | undefined;
    const sendHeartbeat = async () => {
      const text = `${token} ${count++}`;
      await records.replace(toHeartbeat(id), text, new Date(environment.now() + HEARTBEAT_LIFETIME), last);
      last = text;
    };
    return startHeartbeat(sendHeartbeat, { clock: environment, interval: HEARTBEAT });
  }

  /** Claims a submit. @returns `undefined` if the row was changed before. */
  async function claim(before: Kept<Door>, row: KeptRow<Door>): Promise<Kept<Door> | undefined> {
    const start = environment.elapsed();
    try {
      const claimed = await rows.swap(before, row);
      if (claimed && environment.elapsed() - start > LONGEST_CLAIM) throw createCallbackError("store", "took too long");
      return claimed;
    } catch (error) {
      // Nothing is sent, but the store may have written the claim.
      const { last } = row;
      const withdraw = (found: KeptRow<Door>) => {
        if (!last || !isSame(found.last, last) || found.last?.result || (found.end && !before.row.end))
          return undefined;
        return withoutClaim(before.row, found);
      };
      void track(rows.persist(before.id, withdraw, { report: () => {} }));
      throw error;
    }
  }

  /** Writes the bank's response, before the page gets it. @returns `undefined` if the store keeps failing. */
  async function settle(claimed: Kept<Door>, response: BankResponse): Promise<Kept<Door> | "gone" | undefined> {
    const { id, row } = claimed;
    const { last } = row;
    const result = (found: KeptRow<Door>) =>
      renew(withResult(found, response, { now: environment.now(), answerTime, stepLifetime }));
    const { end, step } = result(row);
    const time = end?.at ?? step?.forgetAt;
    let isWritten = false;
    const kept = await rows.persist(
      claimed,
      (found) => {
        const known = found.last?.result?.kind;
        // After the end of a login, only the logout of its session is written.
        const isOpen = !found.end || (row.end !== undefined && found.end.number === row.end.number);
        isWritten = isOpen && isSame(found.last, last) && (known === undefined || known === "unknown");
        return isWritten ? result(found) : undefined;
      },
      { report: report(id), ...(time !== undefined && { prepare: () => schedule(id, row, time) }) },
    );
    if (typeof kept === "object" && isWritten) onResult(kept, response);
    // The login was cancelled, or has expired.
    else if (response.kind === "session" && !response.isHandedOver) await onLostKey(id, response.key).catch(report(id));
    return kept === "failed" ? undefined : kept;
  }

  async function send(claimed: Kept<Door>, { send: sendToBank }: Prepared): Promise<Kept<Door> | "gone" | undefined> {
    const stop = startWork(claimed.id);
    try {
      const response = await sendToBank().catch((error: unknown): BankResponse => {
        report(claimed.id)(error);
        return { kind: "unknown" };
      });
      return await settle(claimed, response);
    } finally {
      stop();
    }
  }

  function toOutcome(kept: Kept<Door> | "gone" | undefined, number: number): SubmitOutcome<Door> | undefined {
    if (kept === undefined || kept === "gone") return { kind: "gone" };
    const result = toPageResult(kept.row, number, environment.now());
    return result && { ...result, kept };
  }

  async function claimAndSend(
    before: Kept<Door>,
    row: KeptRow<Door>,
    prepared: Prepared,
  ): Promise<Kept<Door> | "gone" | "taken" | undefined> {
    const claimed = await claim(before, row);
    return claimed ? send(claimed, prepared) : "taken";
  }

  /** The result of a submit. It waits for a running one while an instance works on it. */
  async function wait(id: string, number: number, signal: AbortSignal): Promise<SubmitOutcome<Door>> {
    const end = environment.elapsed() + GIVE_UP_TIME;
    if (running.has(id)) await limitTime(running.wait(id), GIVE_UP_TIME, () => undefined, environment.wait);
    let lastSeen: string | undefined;
    let lastSeenAt = environment.elapsed();
    let isReported = false;
    const ask = async () => {
      const kept = await rows.read(id);
      const outcome = toOutcome(kept, number);
      if (outcome || !kept || running.has(id)) return outcome;
      const heartbeat = isLocal ? undefined : await records.read(toHeartbeat(id));
      const now = environment.elapsed();
      // Another claim restarts the wait.
      const found = `${kept.row.last?.mark} ${heartbeat}`;
      if (found !== lastSeen) lastSeenAt = now;
      lastSeen = found;
      if (!isLocal && now - lastSeenAt < HEARTBEAT_TIMEOUT) return undefined;
      // The result is unknown now. If a key is still received, it ends the login.
      const { last } = kept.row;
      const lost = (row: KeptRow<Door>) =>
        isSame(row.last, last) && !row.last?.result
          ? withResult(row, { kind: "unknown" }, { now: 0, answerTime, stepLifetime })
          : undefined;
      return toOutcome(await rows.change(kept, lost), number);
    };
    const askSafely = () =>
      ask().catch((error: unknown) => {
        if (!isReported) report(id)(error);
        isReported = true;
        return undefined;
      });
    const repetition = { clock: environment, giveUpTime: end - environment.elapsed(), interval: POLL_INTERVAL, signal };
    return (await poll(askSafely, repetition)) ?? { kind: "late" };
  }

  return {
    ...rows,
    answerTime,
    wait,

    /**
     * Sends a submit to the bank, unless it has come before, another one was faster, or the login has ended.
     *
     * @param kept the login, as it was just read; or a new one, which is not in the store.
     * @param prepare everything that has to be awaited before the claim. A response refuses the submit: nothing is claimed.
     * @param signal of the connection. A request that was sent is finished without it.
     * @throws {BankError} if the store fails: nothing was sent.
     */
    async submit(
      kept: Kept<Door>,
      submit: NewSubmit,
      {
        login,
        holder,
        signal,
        prepare,
      }: {
        readonly login: string;
        readonly holder: string;
        readonly signal: AbortSignal;
        readonly prepare: (kept: Kept<Door>) => Promise<Prepared | RelayResponse>;
      },
    ): Promise<SubmitOutcome<Door>> {
      let current = kept;
      for (;;) {
        const { id, row } = current;
        if (row.holder !== undefined && row.holder !== holder) return { kind: "gone" };
        const decision = decide(row, submit, environment.now());
        if (decision === "stepless" || decision === "limited") return { kind: decision };
        if (decision !== "claim") {
          const { last, number } = row;
          // The number of the submit that was faster.
          return wait(id, decision === "another" ? (last?.number ?? number) : submit.number, signal);
        }
        const prepared = await prepare(current);
        if ("httpStatus" in prepared) return { kind: "response", response: prepared, kept: current };
        await options.beforeClaim?.(current);
        const { answerKind } = prepared;
        const mark = environment.createToken();
        const at = environment.now();
        const claimedRow = renew(
          withClaim(row, submit, { login, holder, at, mark, ...(answerKind && { answerKind }) }),
        );
        // Before the claim, so that an instance that reads the claim also finds the heartbeat.
        const work = track(claimAndSend(current, claimedRow, prepared));
        running.add(id, work);
        const sent = work.then((settled) => {
          if (settled === "taken") return undefined;
          // An interaction that is not in the store could not be answered.
          return settled ? (toOutcome(settled, submit.number) ?? LATE) : ({ kind: "unknown", kept: current } as const);
        });
        const outcome = await limitTime(sent, GIVE_UP_TIME, () => LATE, environment.wait);
        if (outcome) return outcome;
        const next = await rows.read(id);
        if (!next) return { kind: "gone" };
        current = next;
      }
    },

    /**
     * The result of a submit whose response its page has lost. If the submit has not arrived, it is refused if it arrives later.
     *
     * @throws {BankError} if the store fails.
     */
    async ask(
      kept: Kept<Door>,
      { number, holder }: { readonly number: number; readonly holder: string },
      signal: AbortSignal,
    ): Promise<SubmitOutcome<Door>> {
      const isElsewhere = ({ holder: own }: KeptRow<Door>) => own !== undefined && own !== holder;
      const refuse = (row: KeptRow<Door>) =>
        row.end || isElsewhere(row) || number !== row.number + 1 ? undefined : { ...row, number };
      const known = await rows.change(kept, refuse);
      // It was erased meanwhile.
      if (!known) return { kind: "unknown", kept };
      // A higher number belongs to no page of this login, or the store has lost the earlier ones.
      const isStrange = !known.row.end && number > known.row.number;
      return isStrange || isElsewhere(known.row) ? { kind: "gone" } : wait(kept.id, number, signal);
    },

    track,

    /** Waits for running requests to the bank, pending writes to the store, and what was tracked. */
    async finish(): Promise<void> {
      while (tasks.size > 0) await Promise.allSettled(tasks);
    },
  };
}

const LATE = { kind: "late" } as const;

const isSame = (one: KeptSubmit | undefined, other: KeptSubmit | undefined): boolean =>
  one !== undefined && one.mark === other?.mark;

/** The running work, by the id of its login. */
class Running {
  readonly #works = new Map<string, Set<Promise<unknown>>>();

  has(id: string): boolean {
    return this.#works.has(id);
  }

  add(id: string, work: Promise<unknown>): void {
    const works = this.#works.get(id) ?? new Set();
    this.#works.set(id, works.add(work));
    const forget = () => {
      works.delete(work);
      if (works.size === 0) this.#works.delete(id);
    };
    work.then(forget, forget);
  }

  async wait(id: string): Promise<void> {
    await Promise.allSettled(this.#works.get(id) ?? []);
  }
}

const WORK: unique symbol = Symbol.for("ventanilla.work");

/** For the store in the memory of the process: two bundles of one program share it, as they share the store. */
function findProcessWork(): Running {
  const process: { [WORK]?: Running } = globalThis as typeof globalThis & { [WORK]?: Running };
  process[WORK] ??= new Running();
  return process[WORK];
}
