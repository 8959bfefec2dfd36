import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type LockHolder, lock, readOwnHolder } from "../../src/cli/batch/lock.ts";
import { builtPrograms } from "../programs.ts";
import { ownFolder } from "./program.ts";

const racer = builtPrograms(new URL("lock-racer.ts", import.meta.url));
// No system gives a process so high a number.
const GONE = { pid: 4194305 };
let own: LockHolder;
beforeAll(async () => {
  own = await readOwnHolder();
});

const newPath = async () => join(await ownFolder(), "results.jsonl.lock");

/** A lock that another process has left. */
async function leftLock(content?: Partial<LockHolder> | string): Promise<string> {
  const path = await newPath();
  await mkdir(path);
  if (content !== undefined)
    await writeFile(join(path, "left"), typeof content === "string" ? content : JSON.stringify({ ...own, ...content }));
  return path;
}

async function expectTaken(path: string, options?: { force: boolean }) {
  const held = await lock(path, options);
  await held.check();
  await held.release();
  expect(await readdir(dirname(path))).toEqual([]);
}

async function readStartTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[19]);
}

/** A process that has ended and whose parent never asks how, as in a container without an init. */
async function unreapedProcess(): Promise<number> {
  const script = "exec 3<&0; cat <&3 >/dev/null & echo $!; exec sleep 600";
  const parent = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const pid = Number((await readLines(parent).next()).value);
  // A shell would ask.
  await expect.poll(() => readFile(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
  parent.stdin.end();
  await expect.poll(() => readFile(`/proc/${pid}/stat`, "utf8")).toContain(") Z ");
  return pid;
}

const readLines = ({ stdout }: ChildProcess) =>
  createInterface({ input: stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();

test("a lock names its process, and leaves nothing behind", async () => {
  const path = await newPath();
  const held = await lock(path);
  const [id = ""] = await readdir(path);
  expect(JSON.parse(await readFile(join(path, id), "utf8"))).toEqual({
    host: expect.any(String),
    boot: expect.stringMatching(/^[\da-f-]{36}$/),
    namespace: expect.stringMatching(/^pid:\[\d+\]$/),
    pid: process.pid,
    startTime: await readStartTime(process.pid),
  });
  await held.release();
  expect(await readdir(dirname(path))).toEqual([]);
});

test.each<[string, () => Partial<LockHolder> | undefined | Promise<Partial<LockHolder>>]>([
  ["nobody, empty, after a takeover that was cut short", () => undefined],
  ["a process that is gone", () => GONE],
  ["a process whose PID another one has now", () => ({ pid: process.ppid, startTime: 1 })],
  // In a container every run can have the same PID.
  ["a process that had the PID of this one", () => ({ startTime: 1 })],
  [
    "a zombie: a process that has ended and whose parent has not asked how",
    async () => {
      const pid = await unreapedProcess();
      return { pid, startTime: await readStartTime(pid) };
    },
  ],
])("the lock of %s is taken over", async (_, left) => {
  await expectTaken(await leftLock(await left()));
});

test("a running process keeps its lock, against force too", async () => {
  const path = await leftLock({ pid: process.ppid, startTime: await readStartTime(process.ppid) });
  const detail = `another batch writes to it: process ${process.ppid} on ${own.host}`;
  for (const force of [false, true]) {
    await expect(lock(path, { force })).rejects.toMatchObject({ code: "file_unusable", field: "--out", detail });
  }
  expect(await readdir(dirname(path), { recursive: true })).toEqual(["results.jsonl.lock", "results.jsonl.lock/left"]);
});

describe("a lock whose holder can't be seen is taken by force only:", () => {
  const unnamed = "a process that its lock does not name";
  test.each<[string, Partial<LockHolder> | string, string]>([
    ["of another host", { host: "other", ...GONE }, "process 4194305 on other"],
    ["of another boot", { boot: "b46", pid: 7 }, "process 7 on "],
    ["of another PID namespace", { namespace: "pid:[1]", pid: 1, startTime: 1 }, "process 1 on "],
    ["without the start time of its process", { startTime: null }, `process ${process.pid} on `],
    ["of another version", '{"pid":1}', unnamed],
    ["damaged", "", unnamed],
    ["with a PID that is none", { pid: -1 }, unnamed],
  ])("%s", async (_, left, who) => {
    const path = await leftLock(left);
    const before = await readdir(dirname(path), { recursive: true });
    const detail = new RegExp(`^another batch may write to it: ${who}.*--force-lock takes the lock$`);
    const fault = { code: "file_unusable", field: "--out", detail: expect.stringMatching(detail) };
    await expect(lock(path)).rejects.toMatchObject(fault);
    expect(await readdir(dirname(path), { recursive: true })).toEqual(before);
    await expectTaken(path, { force: true });
  });
});

test("of three processes that race for a stale lock, exactly one wins", async () => {
  const racers = [1, 2, 3].map(() => {
    const child = spawn(process.execPath, [racer("lock-racer")], { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    return { child, lines: readLines(child) };
  });
  const replies = () => Promise.all(racers.map(async ({ lines }) => (await lines.next()).value));
  expect(await replies()).toEqual(["ready", "ready", "ready"]);
  for (let round = 0; round < 100; round += 1) {
    const path = await leftLock({ startTime: 1 });
    for (const { child } of racers) child.stdin?.write(`${path}\n`);
    const results = await replies();
    const winner = racers[results.indexOf("won")]?.child.pid;
    const refusal = `another batch writes to it: process ${winner} on ${own.host}`;
    expect(results.toSorted()).toEqual([refusal, refusal, "won"]);
    expect(await readdir(dirname(path))).toEqual(["results.jsonl.lock"]);
  }
});
