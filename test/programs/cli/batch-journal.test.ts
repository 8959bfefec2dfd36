import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hold, type Interference, isLogin } from "../../bank/watched-bank.ts";
import { BATCH, openBatch } from "./open-batch.ts";
import { plainUser, run, start } from "./program.ts";

const ONE_AT_A_TIME = [...BATCH, "--concurrency", "1", "--seal-keys", "--keys-to", "keys.jsonl"];
const ids = ["a", "b", "c"];

/** A batch of three logins, whose command has a disk that fails at a line. */
async function openFailing(respond?: Interference, rows: readonly string[] = ids) {
  const batch = await openBatch(
    rows.map((id) => ({ id, provider: "test", ...plainUser, username: id })),
    // Each is logged in.
    async (request) => {
      const response = await respond?.(request);
      if (response !== undefined || !isLogin(request)) return response;
      return { json: { status: "logged_in", key: `key-of-${request.form["username"]}` } };
    },
  );
  const environment = batch.bank.sealingEnvironment;
  const path = (name: string) => join(batch.cwd, name);
  const startFailing = (disk: { line: string; action: string }, words = ONE_AT_A_TIME) =>
    start(words, {
      cwd: batch.cwd,
      environment: {
        ...environment,
        NODE_OPTIONS: `--import ${new URL("failing-disk.mjs", import.meta.url).pathname}`,
        TEST_DISK: JSON.stringify({ ...disk, until: path("room") }),
      },
    });
  return {
    ...batch,
    path,
    startFailing,
    runAgain: (...more: readonly string[]) => run([...ONE_AT_A_TIME, ...more], { cwd: batch.cwd, environment }),
    /** Room on the disk, or the end of its wait. */
    makeRoom: () => writeFile(path("room"), ""),
    readKeys: async () => (await batch.results("keys.jsonl")).map(({ id, key }) => [id, key]),
    journal: () => readFile(path("results.jsonl.journal"), "utf8"),
  };
}

const loggedIn = ids.map((id) => [id, "logged_in"]);
const keys = ids.map((id) => [id, `key-of-${id}`]);
const unknownB = [
  ["a", "logged_in"],
  ["b", "outcome_unknown"],
  ["c", "logged_in"],
];

describe("a batch that is killed", () => {
  // Which logins the bank has then, and how they end after the same command.
  test.each<[step: string, line: string, action: string, sent: readonly string[], ended: unknown, keys: unknown]>([
    ["before it notes a row", '"begun":"b"', "kill before", ["a"], loggedIn, keys],
    ["when it has noted a row, and has not sent it", '"begun":"b"', "kill after", ["a"], unknownB, [keys[0], keys[2]]],
    ["when the bank has answered", '"id":"b".*"key":', "kill before", ["a", "b"], unknownB, [keys[0], keys[2]]],
    ["when the key is written, and the end is not", '"id":"b".*"key":', "kill after", ["a", "b"], unknownB, keys],
    ["when the end is written, and the result is not", '"id":"b".*"state"', "kill after", ["a", "b"], loggedIn, keys],
  ])("%s, loses no key, and sends nothing twice", async (_, ...expected) => {
    const [line, action, sentBefore, ended, keysAtEnd] = expected;
    const { startFailing, runAgain, sent, statuses, readKeys, results } = await openFailing();
    const { result } = await startFailing({ line, action });
    expect((await result).code).toBe(137);
    expect(sent()).toEqual(sentBefore);
    await runAgain();
    expect([(await statuses()).sort(), await readKeys()]).toEqual([ended, keysAtEnd]);
    expect(new Set(sent()).size).toBe(sent().length);
    for (const { state, sealedKey } of await results()) expect(sealedKey !== undefined).toBe(state === "logged_in");
    // Only this option sends again what may have been sent.
    const before = sent();
    await runAgain();
    expect(sent()).toEqual(before);
    await runAgain("--resend", "outcome_unknown");
    expect(sent()).toEqual([...before, ...(ended === unknownB ? ["b"] : [])]);
  });

  test("while a login is at the bank, does not know how it ended, and sends the others", async () => {
    let isHeld = true;
    const { bank, startFailing, runAgain, sent, statuses } = await openFailing((request) =>
      isHeld ? hold(request) : undefined,
    );
    const reached = bank.nextLogin();
    const { child, result } = await startFailing({ line: "nothing", action: "" });
    await reached;
    child.kill("SIGKILL");
    await result;
    isHeld = false;
    const { code, stderr } = await runAgain("--json");
    expect([code, stderr]).toEqual([8, expect.stringContaining("outcome_unknown 1")]);
    expect(await statuses()).toEqual([
      ["a", "outcome_unknown"],
      ["b", "logged_in"],
      ["c", "logged_in"],
    ]);
    expect(sent()).toEqual(ids);
  });

  test("and leaves half a line in each file, goes on", async () => {
    const { runAgain, startFailing, path, sent, statuses } = await openFailing();
    const { result } = await startFailing({ line: '"begun":"b"', action: "kill before" });
    await result;
    for (const name of ["results.jsonl", "results.jsonl.journal", "keys.jsonl"]) {
      await appendFile(path(name), '{"id":"b","att');
    }
    // A loss of power leaves zeros, too.
    await appendFile(path("results.jsonl.journal"), "\0\0\0");
    expect((await runAgain()).code).toBe(0);
    expect(sent()).toEqual(ids);
    const lines = (await readFile(path("results.jsonl"), "utf8")).split("\n");
    expect(lines[1]).toBe('{"id":"b","att');
    await rm(path("results.jsonl"));
    // The journal has all of them.
    expect((await runAgain()).code).toBe(0);
    expect(await statuses()).toEqual(loggedIn);
    expect(sent()).toEqual(ids);
  });
});

describe("of two processes with one file of results", () => {
  test("the second is refused by name, and the first goes on", async () => {
    const { bank, startFailing, runAgain, makeRoom, sent } = await openFailing();
    const reached = bank.nextLogin();
    const { child, result } = await startFailing({ line: '"begun":"b"', action: "wait" });
    await reached;
    const stderr = expect.stringContaining(`[--out: process ${child.pid} uses it]`);
    expect(await runAgain()).toMatchObject({ code: 2, stderr });
    await makeRoom();
    expect((await result).code).toBe(0);
    expect(sent()).toEqual(ids);
  });

  test("one that stood still sends nothing more once another one has taken the journal", async () => {
    const { bank, startFailing, makeRoom, path, sent, statuses } = await openFailing();
    const reached = bank.nextLogin();
    const { result } = await startFailing({ line: '"begun":"b"', action: "wait" });
    await reached;
    // As of a process in another container, where the first one can't be seen.
    await expect.poll(() => readFile(path("results.jsonl"), "utf8")).toContain("logged_in");
    await appendFile(path("results.jsonl.journal"), '{"run":"other","process":1,"since":"1"}\n');
    await makeRoom();
    const stderr = expect.stringContaining("[--out: another process has taken it]");
    expect(await result).toMatchObject({ code: 2, stderr });
    expect([sent(), await statuses()]).toEqual([["a"], [["a", "logged_in"]]]);
  });

  test("one whose process has ended locks no one out, even if another process has its id", async () => {
    const { runAgain, path, write } = await openFailing();
    for (const since of ["an earlier start", ""]) {
      await rm(path("results.jsonl"), { force: true });
      await write("results.jsonl.journal", `{"run":"1","process":${process.pid},"since":"${since}"}\n`);
      expect((await runAgain()).code).toBe(0);
    }
  });
});

describe("a disk", () => {
  test("that is slow is waited for", async () => {
    const { bank, startFailing, makeRoom, sent, statuses } = await openFailing();
    const reached = bank.nextLogin();
    const { result } = await startFailing({ line: '"state":"logged_in"', action: "wait" });
    await reached;
    await makeRoom();
    expect((await result).code).toBe(0);
    expect([sent(), await statuses()]).toEqual([ids, loggedIn]);
  });

  test("that is full at the start sends nothing, and may have room later", async () => {
    const { startFailing, sent } = await openFailing();
    const { code, stderr } = await (await startFailing({ line: '"run"', action: "full" })).result;
    expect([code, stderr]).toEqual([9, expect.stringMatching(/results_unwritten: .*\[--out: ENOSPC\]/)]);
    expect(sent()).toEqual([]);
  });

  test("that is full before a row sends no more rows, and the same command sends them", async () => {
    const { startFailing, runAgain, sent, statuses, journal } = await openFailing();
    const { code, stderr } = await (await startFailing({ line: '"begun":"b"', action: "full" })).result;
    expect([code, stderr]).toEqual([
      9,
      expect.stringMatching(/Left unsent: 2\.[\s\S]*results_unwritten: .*\[--out: ENOSPC\]/),
    ]);
    expect(stderr).not.toContain("could not be written: ");
    expect(sent()).toEqual(["a"]);
    expect(await journal()).not.toContain('"b"');
    expect((await runAgain()).code).toBe(0);
    expect([sent(), await statuses()]).toEqual([ids, loggedIn]);
  });

  test("that is full at a result ends what runs, and says what it could not write", async () => {
    const { startFailing, runAgain, sent, statuses } = await openFailing();
    const words = [...ONE_AT_A_TIME, "--json"];
    const { code, stderr, stdout } = await (await startFailing({ line: '"id":"b"', action: "full" }, words)).result;
    expect([code, stderr]).toEqual([
      9,
      expect.stringMatching(/Left unsent: 1\.[\s\S]*Results that could not be written: b\n/),
    ]);
    // Standard output has it.
    expect(stdout).toMatch(/"id":"b".*"sealedKey"/);
    expect(sent()).toEqual(["a", "b"]);
    expect((await runAgain()).code).toBe(8);
    expect([sent(), (await statuses()).sort()]).toEqual([ids, unknownB]);
  });

  test("that has room again before the end loses nothing", async () => {
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { bank, startFailing, runAgain, makeRoom, path, sent, statuses, readKeys } = await openFailing((request) =>
      isLogin(request) && request.form["username"] === "b" ? isReleased.then(() => undefined) : undefined,
    );
    const words = [...BATCH, "--concurrency", "2", "--keys-to", "keys.jsonl"];
    const reached = bank.nextLogin(2);
    const { result } = await startFailing({ line: '"id":"a"', action: "full" }, words);
    await reached;
    // What is kept free for results is given back at the first failure.
    await expect.poll(() => readFile(path("results.jsonl.journal.reserve")).catch(() => "gone")).toBe("gone");
    await makeRoom();
    release();
    expect((await result).code).toBe(9);
    expect([sent().sort(), (await statuses()).sort()]).toEqual([["a", "b"], loggedIn.slice(0, 2)]);
    expect((await readKeys()).sort()).toEqual(keys.slice(0, 2));
    expect((await runAgain()).code).toBe(0);
    expect(sent()).toHaveLength(3);
  });
});

test("results without their journal are refused: their logins could be sent again", async () => {
  const { runAgain, path, sent } = await openFailing();
  await runAgain();
  await rm(path("results.jsonl.journal"));
  const stderr = expect.stringContaining("[--out: has results that are not in its journal]");
  expect(await runAgain()).toMatchObject({ code: 2, stderr });
  expect(sent()).toEqual(ids);
});

test("the journal is not a file of another purpose", async () => {
  const { options, write } = await openFailing();
  await write("results.jsonl.journal", "call the bank\n");
  expect(await run(BATCH, options)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("has lines that no batch"),
  });
  const keysTo = [...BATCH, "--keys-to", "results.jsonl.journal"];
  expect(await run(keysTo, options)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is the journal of --out"),
  });
});
