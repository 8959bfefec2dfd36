import * as v from "valibot";

const attempt = { id: v.string(), attempt: v.number() };

/** The status of a login that another run of the batch has sent. The member `end` of its line says how it ended there. */
export const CLAIMED_ELSEWHERE = "claimed_elsewhere";

/** A line of the results: a login has ended. With `sent: false` it can't have reached the bank. */
export const resultLine = v.looseObject({
  ...attempt,
  status: v.string(),
  sent: v.exactOptional(v.literal(false)),
  end: v.exactOptional(v.string()),
});
/** A line of the session keys. */
export const keyLine = v.strictObject({ ...attempt, key: v.string() });

export type ResultLine = v.InferOutput<typeof resultLine>;

/** What the results say. */
export class BatchHistory {
  readonly #last = new Map<string, ResultLine>();

  constructor(results: readonly ResultLine[]) {
    for (const line of results) {
      const before = this.#last.get(line.id);
      // Of two runs at the same time, one may say how an attempt ended, the other that it does not know.
      const isUnknown = before?.attempt === line.attempt && before.status === "outcome_unknown";
      if (!before || line.attempt > before.attempt || isUnknown) this.#last.set(line.id, line);
    }
  }

  /** How the last attempt of a login ended. */
  last(id: string): ResultLine | undefined {
    return this.#last.get(id);
  }

  /** Whether a login has a session, in this run or in another one. */
  hasSession(id: string): boolean {
    const last = this.last(id);
    return last?.status === "logged_in" || last?.end === "logged_in";
  }

  /** Whether a login is to be sent: it never was, or it ended with a status of `resend`. */
  isOpen(id: string, resend: readonly string[]): boolean {
    const last = this.last(id);
    return last === undefined || last.sent === false || resend.includes(last.status);
  }
}
