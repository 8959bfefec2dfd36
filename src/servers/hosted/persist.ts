import type { Environment } from "../environment.ts";
import { retry } from "../repetition.ts";

/** How a write that failed is repeated, in milliseconds. */
const REPETITION = { giveUpTime: 120_000, pause: 250, longestPause: 5_000 };

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
  { environment, report }: { readonly environment: Environment; readonly report: (error: unknown) => void },
): Promise<"written" | "taken" | "failed"> {
  const attempt = async () => ((await write()) || (await isOwn()) ? "written" : "taken");
  return (await retry(attempt, { ...REPETITION, environment, report })) ?? "failed";
}
