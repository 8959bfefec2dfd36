import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Interference, watchedBank } from "../../bank/watched-bank.ts";
import { ownFolder, parseLines } from "./program.ts";

/** A line of a file of a batch. */
export type Line = Record<string, unknown>;

export const BATCH = ["batch", "logins.jsonl", "--out", "results.jsonl"];

/** A folder with the logins of a batch, and a bank. */
export async function openBatch(logins: readonly Line[], respond?: Interference) {
  const [bank, cwd] = await Promise.all([watchedBank(respond), ownFolder()]);
  const write = (name: string, text: string) => writeFile(join(cwd, name), text, { mode: 0o600 });
  await write("logins.jsonl", logins.map((login) => `${JSON.stringify(login)}\n`).join(""));
  const results = async (name = "results.jsonl") => parseLines(await readFile(join(cwd, name), "utf8"));
  return {
    bank,
    cwd,
    write,
    results,
    options: { cwd, environment: bank.environment },
    /** Each result as its id and how it ended: the code of a failure, or a state. */
    statuses: async () => (await results()).map(({ id, state, code = state }) => [id, code]),
    sent: () => bank.sent("username"),
  };
}
