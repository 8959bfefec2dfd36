import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isLogin, type WatchedBank, watchedBank } from "./bank.ts";
import { ownFolder, parseLines, type Running, runProcess, start } from "./program.ts";

// Two containers on one volume: each process is number 1 of its own namespace and sees no other.
const through = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];
const BATCH = ["batch", "logins.jsonl", "--out", "results.jsonl"];
const ids = Array.from({ length: 60 }, (_, index) => `user-${index}`);

async function volume(): Promise<string> {
  const cwd = await ownFolder();
  const lines = ids.map((id) => `${JSON.stringify({ id, provider: "test", username: id, password: "no" })}\n`);
  await writeFile(join(cwd, "logins.jsonl"), lines.join(""), { mode: 0o600 });
  return cwd;
}

const resultsIn = async (cwd: string) =>
  parseLines({ stdout: await readFile(join(cwd, "results.jsonl"), "utf8") }).map(({ id }) => id);

/** A bank that answers no login before it is told to. */
async function waitingBank(): Promise<{ readonly bank: WatchedBank; readonly answer: () => void }> {
  let answer = () => {};
  const released = new Promise<void>((resolve) => {
    answer = resolve;
  });
  return { bank: await watchedBank({ before: () => released }), answer };
}

/** The users that the bank was sent, in their order. */
const sentTo = (bank: WatchedBank) => bank.seen.filter(isLogin).map(({ form }) => form.get("username"));

/** The program itself, as this namespace numbers it. */
async function inner({ child: { pid } }: Running): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim());
}

test("two containers that begin at the same time log each user in once", async () => {
  const bank = await watchedBank();
  const options = { cwd: await volume(), environment: bank.environment, through };
  const results = await Promise.all([runProcess(BATCH, options), runProcess(BATCH, options)]);
  expect(sentTo(bank).sort()).toEqual([...ids].sort());
  expect((await resultsIn(options.cwd)).sort()).toEqual([...ids].sort());
  expect(results.map(({ code }) => code)).toContain(8);
});

test("a container is refused while another one has the results", async () => {
  const { bank, answer } = await waitingBank();
  const options = { cwd: await volume(), environment: bank.environment, through };
  const reached = bank.next(isLogin);
  const first = await start(BATCH, options);
  await reached;
  const second = await runProcess(BATCH, options);
  const said = "another batch may write to it: process 1 on ";
  expect([second.code, second.stderr]).toEqual([6, expect.stringContaining(said)]);
  answer();
  expect((await first.result).code).toBe(8);
  expect(sentTo(bank).sort()).toEqual([...ids].sort());
});

test("a container that was killed is followed by another one when told so, and no user is logged in twice", async () => {
  const { bank, answer } = await waitingBank();
  const options = { cwd: await volume(), environment: bank.environment, through };
  const reached = bank.next(isLogin);
  const first = await start(BATCH, options);
  await reached;
  first.child.kill("SIGKILL");
  await first.result;
  answer();
  const before = sentTo(bank).length;
  expect((await runProcess(BATCH, options)).code).toBe(6);
  expect(sentTo(bank)).toHaveLength(before);
  expect((await runProcess([...BATCH, "--force-lock"], options)).code).toBe(8);
  expect(new Set(sentTo(bank)).size).toBe(sentTo(bank).length);
  expect((await resultsIn(options.cwd)).sort()).toEqual([...ids].sort());
});

test("a container that was only paused sends nothing more once another one has taken its lock", async () => {
  const { bank, answer } = await waitingBank();
  const options = { cwd: await volume(), environment: bank.environment, through };
  const reached = bank.next(isLogin);
  const first = await start(BATCH, options);
  await reached;
  const paused = await inner(first);
  process.kill(paused, "SIGSTOP");
  answer();
  expect((await runProcess([...BATCH, "--force-lock"], options)).code).toBe(8);
  process.kill(paused, "SIGCONT");
  expect(await first.result).toMatchObject({ code: 6, stderr: expect.stringContaining("has taken its lock") });
  expect(new Set(sentTo(bank)).size).toBe(sentTo(bank).length);
  expect(new Set(await resultsIn(options.cwd))).toEqual(new Set(ids));
});
