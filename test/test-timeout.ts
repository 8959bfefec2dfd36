/**
 * Milliseconds that a test may take. A stuck one is red much earlier, by `test/stalled.ts`: this is for those that work, on a busy machine. A long run
 * on demand takes as long as it takes.
 */
export const TEST_TIMEOUT = process.env["VENTANILLA_RUNS"] ? 3_600_000 : 300_000;
