import { type Happening, STRANGER } from "./history.ts";
import type { Run } from "./simulate.ts";

// What the checkers look up in a history.

export type Of<Type extends Happening["type"]> = Extract<Happening, { readonly type: Type }>;

export function all<Type extends Happening["type"]>({ history }: Run, type: Type): readonly Of<Type>[] {
  return history.filter((happening): happening is Of<Type> => happening.type === type);
}

/** What makes a result unknown. */
export const TROUBLES = ["kill", "pause", "bank lost", "heartbeat late", "answer lost", "store fails"] as const;

/** Whether something was disturbed in a span. @param instance whose; default any. */
export const isDisturbed = (
  run: Run,
  by: readonly Of<"disturbed">["by"][],
  from: number,
  to: number,
  instance?: string,
): boolean =>
  all(run, "disturbed").some(
    (one) =>
      by.includes(one.by) && (instance === undefined || one.instance === instance) && one.at <= to && one.until >= from,
  );

/** The instance that has sent a submit; `undefined` if none has. */
export function findSender(run: Run, submit: string): string | undefined {
  const marks = new Set(all(run, "submitted").flatMap((one) => (one.submit === submit ? [one.mark] : [])));
  return all(run, "sent").find(({ mark }) => marks.has(mark))?.instance;
}

/** When the app or the session's own page was first told that it has ended. */
export function findEndTold(run: Run): number {
  const told = run.history.find(
    (one) =>
      (one.type === "confirmed" && isFound(run, one)) ||
      (one.type === "told" && one.told.kind === "over" && one.person !== STRANGER),
  );
  return told?.at ?? Number.POSITIVE_INFINITY;
}

/** Whether an erasure had a login to end when it began: a relay's page makes one by what it sends first. */
export const isFound = ({ history }: Run, { session, since, verb }: Of<"confirmed">): boolean =>
  verb !== "erase" ||
  history.some(
    (one) => one.type === "stored" && one.at < since && one.row.startsWith("user:") && one.row.endsWith(session),
  );

/** Whether something is the result of a submit. */
export const isResultOf = (one: Happening, number: number): boolean =>
  (one.type === "result" && one.number === number) ||
  (one.type === "ended" && !one.isErasure && one.status !== "cancelled");
