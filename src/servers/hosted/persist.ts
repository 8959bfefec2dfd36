import { setTimeout as wait } from "node:timers/promises";

/** Milliseconds for which a write that failed is repeated. */
const PATIENCE = 120_000;

/** Milliseconds until a write is repeated, at first and at most. */
const FIRST_DELAY = 250;
const LONGEST_DELAY = 5_000;

/**
 * Writes what must not be lost, again and again while the store fails.
 *
 * @param write resolves to whether the text was written, and to `false` if another one was there before.
 * @param isOwn whether that one is ours: the store may have kept it although it failed.
 * @param report gets the first error.
 * @returns `failed` after two minutes.
 */
export async function persist(
  write: () => Promise<boolean>,
  isOwn: () => Promise<boolean>,
  report: (error: unknown) => void,
): Promise<"written" | "taken" | "failed"> {
  const until = performance.now() + PATIENCE;
  let isReported = false;
  for (let delay = FIRST_DELAY; ; delay = Math.min(2 * delay, LONGEST_DELAY)) {
    try {
      return (await write()) || (await isOwn()) ? "written" : "taken";
    } catch (error) {
      if (!isReported) report(error);
      isReported = true;
    }
    if (performance.now() + delay > until) return "failed";
    await wait(delay);
  }
}
