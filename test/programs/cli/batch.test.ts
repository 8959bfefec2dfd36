import { chmod, mkdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { promised } from "../../bank/service.ts";
import { hold, type Interference, isLogin } from "../../bank/watched-bank.ts";
import { BATCH, type Line, openBatch } from "./open-batch.ts";
import { clientUser, codeUser, parseLines, plainUser, run, start, startHere } from "./program.ts";

const plain = { provider: "test", ...plainUser };

/** A login with each of these ids. */
const plainLogins = (...ids: readonly string[]): Line[] => ids.map((id) => ({ id, ...plain }));

/** The command in this process, beside others: its files are named from the root. */
function startAt(words: readonly string[], { cwd, environment }: { cwd: string; environment: Record<string, string> }) {
  const inFolder = (word: string) => (/\.jsonl$/.test(word) ? join(cwd, word) : word);
  return startHere(words.map(inFolder), environment);
}

/** Each login waits until so many are there. */
function meeting(size: number): Interference {
  let logins = 0;
  const { promise, keep } = promised<undefined>();
  return (request) => {
    if (!isLogin(request)) return undefined;
    logins += 1;
    if (logins === size) keep(undefined);
    return promise;
  };
}

describe("a batch", () => {
  test("writes a result for each login, answers questions, and seals the session keys", async () => {
    const { bank, cwd, write, results, statuses } = await openBatch([
      { id: "a", ...plain },
      { id: "b", ...plain, password: "wrong" },
      { id: "c", provider: "test", ...codeUser },
      { id: "d", provider: "test", username: "12345pq", password: "asdfg", answers: { personal_question: "8888" } },
      { id: "e", provider: "canal_pa", ...clientUser, client: "FIC-02412222" },
      { id: "f", provider: "faro_uy", username: "sessions", password: "s3creto" },
    ]);
    const environment = bank.sealingEnvironment;
    // It answers for one login alone, which it knows by a word and by the environment.
    const program = `if (process.argv[2] === "c/otp" && process.env.VENTANILLA_LOGIN === "c") console.log("8888");`;
    await write("answer.mjs", program);
    const answers = ["--answer-command", `${process.execPath} answer.mjs {id}/{field}`];
    const words = [...BATCH, ...answers, "--seal-keys", "--keys-to", "keys.jsonl", "--json"];
    const result = await run(words, { cwd, environment });
    expect([result.code, result.stderr]).toEqual([8, expect.stringMatching(/^6\/6 {2}/m)]);
    const lines = await results();
    // Standard output has the same lines, and nothing else.
    expect(parseLines(result.stdout)).toEqual(lines);
    expect(Object.fromEntries(await statuses())).toEqual({
      a: "logged_in",
      b: "wrong_credentials",
      c: "logged_in",
      d: "logged_in",
      e: "logged_in",
      f: "max_sessions_reached",
    });
    const keys = await results("keys.jsonl");
    // The key of max_sessions_reached, that of another session, is not kept.
    expect(keys.map(({ id }) => id).sort()).toEqual(["a", "c", "d", "e"]);
    expect((await stat(join(cwd, "keys.jsonl"))).mode & 0o777).toBe(0o600);
    // The digits of a code may occur in a sealed key or a time by chance.
    const printed = JSON.stringify(lines, (name, value) => (/^(sealedKey|milliseconds)$/.test(name) ? "" : value));
    for (const value of ["gfdsa", "asdfg", "s3creto", "8888"]) expect(printed).not.toContain(value);
    for (const { key } of keys) expect(JSON.stringify(lines)).not.toContain(key);

    const { sealedKey } = lines.find(({ id }) => id === "a") ?? {};
    const opened = await run(["destinations", "--key-from", "-"], { environment, input: `${sealedKey}` });
    expect(opened.code).toBe(0);
  });

  test("with all of its logins done, says that nothing is left to send and ends with 0", async () => {
    const { options } = await openBatch(plainLogins("a"));
    expect((await run(BATCH, options)).stderr).not.toContain("Nothing");
    const { code, stderr } = await run(BATCH, options);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/0\/0\nNothing is left to send\.\n$/)]);
  });

  test("a CSV file is refused with the place of the command that makes JSON lines of it", async () => {
    const { write, options } = await openBatch([]);
    await write("logins.csv", "id,provider,username,password\r\na,test,12345,gfdsa\r\n");
    const { code, stderr } = await run(
      BATCH.map((word) => (word === "logins.jsonl" ? "logins.csv" : word)),
      options,
    );
    expect(code).toBe(2);
    expect(stderr).toContain("[FILE: must be JSON lines; docs/questions.md has a command that makes them of a CSV");
  });

  test("without a login is refused: the file is probably another one", async () => {
    const { write, options } = await openBatch([]);
    for (const text of ["", "\n \n"]) {
      await write("logins.jsonl", text);
      expect(await run(BATCH, options)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("[FILE: has no login]"),
      });
    }
  });

  test("run again after a failed login, sends nothing and ends with 8 as before", async () => {
    const { options, results, sent } = await openBatch([
      { id: "a", ...plain },
      { id: "b", ...plain, password: "not it" },
    ]);
    expect((await run(BATCH, options)).code).toBe(8);
    for (const more of [[], ["--resend", "outcome_unknown"]]) {
      const again = await run([...BATCH, ...more], options);
      const said = [
        "Already done: 2",
        "0/0",
        "Nothing is left to send.",
        "Ended without a session in an earlier run: 1.",
      ];
      expect(again.stderr).toMatch(new RegExp(`${said.join("[^]*\n")}.*exit code 8`));
      expect(again.code).toBe(8);
    }
    expect([sent().length, (await results()).length]).toEqual([2, 2]);
  });

  test("reports the question that nothing answers", async () => {
    const { options, results } = await openBatch([{ id: "a", provider: "test", ...codeUser }]);
    await run(BATCH, options);
    expect(await results()).toMatchObject([{ id: "a", state: "awaiting_interaction", field: "otp", kind: "code" }]);
    // The next run names the option that sends it again.
    const { stderr } = await run(BATCH, options);
    expect(stderr).toContain("--resend awaiting_interaction\n");
    await run([...BATCH, "--resend", "awaiting_interaction"], options);
    expect((await results()).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test.each<[what: string, line: Line, code: number, said: string]>([
    ["an id that another one has", { id: "a", ...plain }, 2, "[line 2.id: is used twice]"],
    ["an id that the answer command would read as an option", { ...plain, id: "-v" }, 2, "[line 2.id: begins with -]"],
    ["no password", { id: "x", provider: "test", username: "12345" }, 2, "[line 2.password]"],
    ["no id", plain, 2, "[line 2.id]"],
    ["an unknown member", { id: "x", ...plain, note: "hello" }, 2, "[line 2.note: is not known here]"],
  ])("a line with %s is refused before anything is sent", async (_, line, expected, said) => {
    const { bank, options } = await openBatch([{ id: "a", ...plain }, line]);
    const { code, stderr } = await run(BATCH, options);
    expect([code, stderr]).toEqual([expected, expect.stringContaining(said)]);
    expect(stderr).not.toContain("gfdsa");
    expect(bank.requests).toEqual([]);
  });

  test("runs as many logins at a time as it may, past those whose bank has its limit, without a warning", async () => {
    // One more at each bank than may run.
    const lines = ["test", "faro_uy"].flatMap((provider) =>
      Array.from({ length: 7 }, (_, index) => ({ ...plain, id: `${provider}-${index}`, provider })),
    );
    const { options } = await openBatch(lines, meeting(12));
    const warned = vi.fn();
    process.on("warning", warned);
    onTestFinished(() => void process.off("warning", warned));
    await run([...BATCH, "--concurrency", "12", "--per-provider", "6"], options);
    expect(warned).not.toHaveBeenCalled();
  });

  test("stopped by a signal, begins no more logins, and those that run come to their end", async () => {
    const { promise, keep } = promised<undefined>();
    const { bank, options, statuses, sent } = await openBatch(plainLogins("a", "b"), (request) =>
      isLogin(request) ? promise : undefined,
    );
    const reached = bank.nextLogin();
    const running = startAt([...BATCH, "--concurrency", "1"], options);
    await reached;
    void running.stop();
    keep(undefined);
    expect(await running.ended).toBe(143);
    expect([await statuses(), sent()]).toEqual([[["a", "logged_in"]], ["12345"]]);
  });

  test("by the second signal, aborts its requests and reports their outcome as unknown", async () => {
    const { bank, options, statuses, sent } = await openBatch(plainLogins("a", "b"), hold);
    const reached = bank.nextLogin();
    const running = await start([...BATCH, "--concurrency", "1"], options);
    const login = await reached;
    running.child.kill("SIGINT");
    await running.said("Stopping:");
    running.child.kill("SIGINT");
    await login.abandoned;
    expect((await running.result).code).toBe(130);
    expect(await statuses()).toEqual([["a", "outcome_unknown"]]);
    expect(sent()).toHaveLength(1);
  });

  test.each<[said: string, out: string, keys?: string | undefined, code?: number]>([
    ["--out: is the same file as FILE", "logins.jsonl"],
    ["--keys-to: is the same file as --out", "results.jsonl", "./results.jsonl"],
    ["--keys-to: is the same file as FILE", "results.jsonl", "symbolic"],
    ["--keys-to: is the same file as --out", "results.jsonl", "dangling"],
    ["--keys-to: is the same file as --out", "results.jsonl", "linked/up"],
    ["--out: ENOENT", "nowhere/results.jsonl", undefined, 2],
    ["--out: ELOOP", "itself", undefined, 2],
  ])("refuses one file twice: %s (%s, %s)", async (said, out, keys, expected = 2) => {
    const { bank, cwd, options } = await openBatch(plainLogins("a"));
    const logins = join(cwd, "logins.jsonl");
    await symlink("logins.jsonl", join(cwd, "symbolic"));
    await symlink("results.jsonl", join(cwd, "dangling"));
    await symlink("itself", join(cwd, "itself"));
    await mkdir(join(cwd, "deep/folder"), { recursive: true });
    await symlink("deep/folder", join(cwd, "linked"));
    await symlink("../../results.jsonl", join(cwd, "deep/folder/up"));
    const before = await readFile(logins, "utf8");
    const words = ["batch", "logins.jsonl", "--out", out, ...(keys === undefined ? [] : ["--keys-to", keys])];
    expect(await run(words, options)).toMatchObject({ code: expected, stderr: expect.stringContaining(`[${said}]`) });
    expect(await readFile(logins, "utf8")).toBe(before);
    expect(bank.requests).toEqual([]);
  });

  test.each<[option: string, file: string, mode: number]>([
    ["--out", "results.jsonl", 0o640],
    ["--out", "results.jsonl", 0o602],
    ["--keys-to", "keys.jsonl", 0o604],
    ["--keys-to", "keys.jsonl", 0o660],
  ])("refuses %s to a file %s of mode %i, which others can use", async (option, file, mode) => {
    const { bank, cwd, write, options } = await openBatch(plainLogins("a"));
    await write(file, "");
    await chmod(join(cwd, file), mode);
    const stderr = expect.stringContaining(`[${option}: others can read or change it; chmod go-rwx helps]`);
    expect(await run([...BATCH, "--keys-to", "keys.jsonl"], options)).toMatchObject({ code: 2, stderr });
    expect((await stat(join(cwd, file))).mode & 0o777).toBe(mode);
    expect(bank.requests).toEqual([]);
  });

  const key = '{"id":"b","attempt":1,"key":"k"}';
  const result = '{"id":"b","provider":"test","attempt":1,"state":"logged_in"}';
  test.each([
    ["--keys-to", "notes without an end of line", "call the bank"],
    ["--keys-to", "logins without an end of line", JSON.stringify({ id: "b", ...plain })],
    ["--keys-to", "keys before notes", `${key}\ncall the bank`],
    ["--keys-to", "results", `${result}\n`],
    ["--out", "notes before results", `hello\n${result}\n`],
    ["--out", "keys", `${key}\n`],
  ])("refuses %s to a file with %s and does not change it", async (option, _, content) => {
    const { bank, cwd, write, options } = await openBatch(plainLogins("a"));
    const name = option === "--out" ? "results.jsonl" : "keys.jsonl";
    await write(name, content);
    const { code, stderr } = await run([...BATCH, "--keys-to", "keys.jsonl"], options);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`[${option}: has lines that no batch has written]`)]);
    expect(await readFile(join(cwd, name), "utf8")).toBe(content);
    expect(bank.requests).toEqual([]);
  });
});

test("a batch that is killed four times at random sends no login twice and loses none", async () => {
  // At a random request, or a random moment after it: before, while and after a login is written, sent and answered.
  const kills = fc.sample(fc.tuple(fc.nat(3), fc.nat(40)), { seed: 20261, numRuns: 4 });
  const ids = Array.from({ length: 60 }, (_, index) => `user-${index}`);
  const providers = ["test", "faro_uy", "bahia_es", "rareza_do"];
  const lines = ids.map((id, index) => ({ id, provider: providers[index % 4], username: id, password: "no" }));
  // So many responses in each run: however slow this process is, the batch is under way when it is killed. Counted as a login comes:
  // those of a run that was killed count for no other.
  let responses = 0;
  const { bank, cwd, options, results, sent } = await openBatch(lines, async (request) => {
    if (!isLogin(request)) return undefined;
    responses -= 1;
    const isHeld = responses < 0;
    await setTimeout(25);
    return isHeld ? "held" : undefined;
  });
  for (const [requests, milliseconds] of kills) {
    responses = 6;
    const reached = bank.nextLogin(requests + 1);
    const running = await start(BATCH, options);
    await reached;
    await setTimeout(milliseconds);
    running.child.kill("SIGKILL");
    expect((await running.result).code).toBe(137);
  }
  responses = Number.POSITIVE_INFINITY;
  // Another name of the file is the same file.
  await symlink("results.jsonl", join(cwd, "latest.jsonl"));
  const byLink = ["batch", "logins.jsonl", "--out", "latest.jsonl"];
  expect((await run(byLink, options)).code).toBe(8);

  const before = sent();
  expect(new Set(before).size).toBe(before.length);
  const ended = await results();
  expect(ended.map(({ id }) => id).sort()).toEqual([...ids].sort());
  // What has a known end was sent; what was not sent is unknown at most, because it was about to be.
  const withEnd = (isUnknown: boolean) =>
    ended.filter(({ code }) => (code === "outcome_unknown") === isUnknown).map(({ id }) => id);
  expect(before).toEqual(expect.arrayContaining(withEnd(false)));
  const unknown = withEnd(true);
  expect(unknown.length).toBeGreaterThan(0);

  // Only with this option, and only the unknown ones.
  await run([...byLink, "--resend", "max_sessions_reached,outcome_unknown"], options);
  expect(sent().slice(before.length).sort()).toEqual(unknown.sort());
  const all = new Map((await results()).map(({ id, state, code = state }) => [id, code]));
  expect([...all.values()]).not.toContain("outcome_unknown");
});
