import type { LineFile } from "./line-file.ts";

/** What earlier runs of a batch left: for each login, how often it was begun, and how the last one ended. */
export class History {
  readonly #begun = new Map<string, number>();
  readonly #ended = new Map<string, { attempt: number; status: string }>();

  constructor(journal: LineFile["lines"], results: LineFile["lines"]) {
    for (const line of journal) {
      const { id, attempt } = placeOf(line);
      this.#begun.set(id, Math.max(attempt, this.#begun.get(id) ?? 0));
    }
    for (const line of results) {
      const { id, attempt } = placeOf(line);
      this.#ended.set(id, { attempt, status: String(line["status"]) });
    }
  }

  /** How often a login was begun. A result counts as well: a journal may have been lost. */
  attempts(id: string): number {
    return Math.max(this.#begun.get(id) ?? 0, this.#ended.get(id)?.attempt ?? 0);
  }

  /**
   * `new`: never begun. `inFlight`: begun, and nobody knows how it ended. `unknown`: an earlier run said so. `failed`: ended
   * without a session. `done`: logged in.
   */
  standing(id: string): "new" | "inFlight" | "unknown" | "failed" | "done" {
    const ended = this.#ended.get(id);
    if (this.attempts(id) > (ended?.attempt ?? 0)) return "inFlight";
    if (ended === undefined) return "new";
    if (ended.status === "logged_in") return "done";
    return ended.status === "outcome_unknown" ? "unknown" : "failed";
  }
}

function placeOf(line: Readonly<Record<string, unknown>>): { id: string; attempt: number } {
  const { id, attempt } = line;
  return { id: String(id), attempt: typeof attempt === "number" ? attempt : 1 };
}
