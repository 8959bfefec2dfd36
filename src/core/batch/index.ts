/**
 * Many logins, each sent once, with a journal of what was sent.
 *
 * @packageDocumentation
 */

export { type BatchOptions, batch } from "./batch.ts";
export type { BatchJournal, BatchResult, BatchRow } from "./batch-login.ts";
