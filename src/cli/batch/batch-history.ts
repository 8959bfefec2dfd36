import * as v from "valibot";

const attempt = { id: v.string(), attempt: v.number() };

/** A line of the journal: a login is about to be sent. */
export const journalLine = v.strictObject(attempt);
/** A line of the results: a login has ended. */
export const resultLine = v.looseObject({ ...attempt, status: v.string() });
/** A line of the session keys. */
export const keyLine = v.strictObject({ ...attempt, key: v.string() });

export type JournalLine = v.InferOutput<typeof journalLine>;
export type ResultLine = v.InferOutput<typeof resultLine>;

/** The earlier runs of a batch: for each login the number of attempts that were begun, and the status of the last one. */
export class BatchHistory {
  readonly #begun = new Map<string, number>();
  readonly #ended: ReadonlyMap<string, ResultLine>;

  constructor(journal: readonly JournalLine[], results: readonly ResultLine[]) {
    for (const { id, attempt } of journal) this.#begun.set(id, Math.max(attempt, this.#begun.get(id) ?? 0));
    this.#ended = new Map(results.map((result) => [result.id, result]));
  }

  /** How many attempts of a login were begun. A result counts as well: the journal may have been lost. */
  attempts(id: string): number {
    return Math.max(this.#begun.get(id) ?? 0, this.#ended.get(id)?.attempt ?? 0);
  }

  /** What is left to do of a batch. With `resends` the logins whose outcome is unknown are sent again. */
  plan<Login extends { readonly id: string }>(logins: readonly Login[], { resends }: { resends: boolean }) {
    const select = (...states: readonly string[]) => logins.filter(({ id }) => states.includes(this.#findState(id)));
    return {
      /** To be sent. */
      open: resends ? select("new", "inFlight", "unknown") : select("new"),
      /** To be reported as `outcome_unknown`. */
      interrupted: resends ? [] : select("inFlight"),
      /** Ended without a session before, and not sent again. */
      lost: resends ? select("failed") : select("failed", "unknown"),
    };
  }

  #findState(id: string): "new" | "inFlight" | "unknown" | "failed" | "done" {
    const ended = this.#ended.get(id);
    if (this.attempts(id) > (ended?.attempt ?? 0)) return "inFlight";
    if (ended === undefined) return "new";
    if (ended.status === "logged_in") return "done";
    return ended.status === "outcome_unknown" ? "unknown" : "failed";
  }
}
