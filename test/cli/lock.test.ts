import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { lock } from "../../src/cli/batch/lock.ts";
import { type LockHolder, readOwnHolder } from "../../src/cli/batch/lock-holder.ts";
import { builtPrograms } from "../programs.ts";
import { ownFolder } from "./program.ts";

const racer = builtPrograms(new URL("lock-racer.ts", import.meta.url));
let own: LockHolder;
beforeAll(async () => {
  own = await readOwnHolder();
});

/** A lock that somebody left. */
async function leftLock(content: Partial<LockHolder> | string, id = "left"): Promise<string> {
  const path = join(await ownFolder(), "results.jsonl.lock");
  await mkdir(path);
  await writeFile(join(path, id), typeof content === "string" ? content : JSON.stringify({ ...own, ...content }));
  return path;
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

test("a lock says which process has it, and leaves nothing behind", async () => {
  const path = join(await ownFolder(), "results.jsonl.lock");
  const held = await lock(path);
  const [id = ""] = await readdir(path);
  expect(JSON.parse(await readFile(join(path, id), "utf8"))).toEqual({
    host: expect.any(String),
    boot: expect.stringMatching(/^[\da-f-]{36}$/),
    namespace: expect.stringMatching(/^pid:\[\d+\]$/),
    pid: process.pid,
    startTime: await readStartTime(process.pid),
  });
  await expect(lock(path)).rejects.toMatchObject({ code: "file_unusable", field: "--out" });
  await held.check();
  await held.release();
  expect(await readdir(dirname(path))).toEqual([]);
});

test.each<[string, () => Partial<LockHolder> | Promise<Partial<LockHolder>>]>([
  ["a process that is gone", () => ({ pid: 4194305 })],
  ["a process whose number another one has now", async () => ({ pid: process.ppid, startTime: 1 })],
  // In a container every run can have the same number.
  ["a process that had this one's number", () => ({ startTime: 1 })],
  [
    "a process that has ended, which its parent does not care for",
    async () => {
      const pid = await unreapedProcess();
      return { pid, startTime: await readStartTime(pid) };
    },
  ],
])("the lock of %s is taken over", async (_, left) => {
  const path = await leftLock(await left());
  const held = await lock(path);
  await held.check();
  await held.release();
  expect(await readdir(dirname(path))).toEqual([]);
});

test("the lock of a takeover that was cut short is free", async () => {
  const path = join(await ownFolder(), "results.jsonl.lock");
  await mkdir(path);
  await (await lock(path)).check();
});

test("the lock of a process that runs is left to it, by force too", async () => {
  const path = await leftLock({ pid: process.ppid, startTime: await readStartTime(process.ppid) });
  const detail = `another batch writes to it: process ${process.ppid} on ${own.host}`;
  for (const force of [false, true]) {
    await expect(lock(path, { force })).rejects.toMatchObject({ code: "file_unusable", field: "--out", detail });
  }
  expect(await readdir(dirname(path))).toEqual(["results.jsonl.lock"]);
  expect(await readdir(path)).toEqual(["left"]);
});

describe("a lock whose holder can't be seen is taken by force alone:", () => {
  test.each<[string, Partial<LockHolder> | string, string]>([
    ["of another host", { host: "other", pid: 4194305 }, "process 4194305 on other"],
    ["of another boot", { boot: "b46", pid: 7 }, "process 7 on "],
    ["of another PID namespace", { namespace: "pid:[1]", pid: 1, startTime: 1 }, "process 1 on "],
    ["of a process that could not tell its start", { startTime: null }, `process ${process.pid} on `],
    ["of another version", '{"pid":1}', "a process that its lock does not name"],
    ["damaged", "", "a process that its lock does not name"],
    ["with a number that is none", { pid: -1 }, "a process that its lock does not name"],
  ])("%s", async (_, left, who) => {
    const path = await leftLock(left);
    await expectForced(path, who);
  });

  test("a file, as the version before this one wrote", async () => {
    const path = join(await ownFolder(), "results.jsonl.lock");
    await writeFile(path, "4194305\n");
    await expectForced(path, "a process that its lock does not name");
  });

  async function expectForced(path: string, who: string) {
    const before = await readdir(dirname(path), { recursive: true });
    await expect(lock(path)).rejects.toMatchObject({
      code: "file_unusable",
      field: "--out",
      detail: expect.stringMatching(new RegExp(`^another batch may write to it: ${who}.*--force-lock takes the lock$`)),
    });
    expect(await readdir(dirname(path), { recursive: true })).toEqual(before);
    const held = await lock(path, { force: true });
    await held.check();
    await held.release();
    expect(await readdir(dirname(path))).toEqual([]);
  }
});

describe("where the platform has neither boot ids nor start times", () => {
  test.each<[string, Partial<LockHolder>, string]>([
    ["a process that is gone loses its lock", { pid: 4194305 }, "taken"],
    ["a number that is in use is not taken for the same process", {}, "refused"],
    ["a clock that was set a little does not matter", { boot: Number.NaN, pid: 4194305 }, "taken"],
    ["another boot can't be seen", { boot: 1, pid: 4194305 }, "refused"],
  ])("%s", async (_, left, expected) => {
    const { value } = Object.getOwnPropertyDescriptor(process, "platform") ?? {};
    Object.defineProperty(process, "platform", { value: "darwin" });
    onTestFinished(() => void Object.defineProperty(process, "platform", { value }));
    const there = await readOwnHolder();
    expect(there).toMatchObject({ namespace: "", startTime: null, boot: expect.any(Number) });
    const boot = Number.isNaN(left.boot) ? Number(there.boot) + 30 : (left.boot ?? there.boot);
    const path = await leftLock({ ...there, ...left, boot });
    const outcome = await lock(path).then(
      () => "taken",
      ({ detail }) => (detail.endsWith("--force-lock takes the lock") ? "refused" : detail),
    );
    expect(outcome).toBe(expected);
  });
});

test("a lock that was taken by force is noticed", async () => {
  const path = join(await ownFolder(), "results.jsonl.lock");
  const held = await lock(path);
  const [id = ""] = await readdir(path);
  await writeFile(join(path, id), JSON.stringify({ ...own, host: "other" }));
  const other = await lock(path, { force: true });
  await expect(held.check()).rejects.toMatchObject({ field: "--out", detail: "another batch has taken its lock" });
  // What it no longer has it can't give back.
  await held.release();
  await other.check();
});

test("of three processes that race for a stale lock, exactly one wins", async () => {
  const racers = [1, 2, 3].map(() => {
    const child = spawn(process.execPath, [racer("lock-racer")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
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
