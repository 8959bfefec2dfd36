import { link, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readOwnHolder } from "../../src/cli/batch/lock-holder.ts";
import { type BankOptions, isLogin, type Seen, watchedBank } from "./bank.ts";
import { clientUser, codeUser, ownFolder, parseLines, plainUser, run, start } from "./program.ts";

type Line = Record<string, unknown>;

const plain = { provider: "test", ...plainUser };
const BATCH = ["batch", "logins.jsonl", "--out", "results.jsonl"];
const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

const hold = (seen: Seen) => (isLogin(seen) ? "held" : undefined);

/** A folder with the logins of a batch, and a bank. */
async function openBatch(lines: readonly Line[], bankOptions?: BankOptions) {
  const [bank, cwd] = await Promise.all([watchedBank(bankOptions), ownFolder()]);
  const write = (logins: readonly Line[]) =>
    writeFile(join(cwd, "logins.jsonl"), logins.map((login) => `${JSON.stringify(login)}\n`).join(""), { mode: 0o600 });
  await write(lines);
  return {
    bank,
    cwd,
    write,
    options: { cwd, environment: bank.environment },
    results: async (name = "results.jsonl") => parseLines({ stdout: await readFile(join(cwd, name), "utf8") }),
    /** The users that the bank was sent, in their order. */
    sent: () => bank.seen.filter(isLogin).map(({ form }) => form.get("username")),
  };
}

/** Resolves for all of them once as many have come. */
function meeting(size: number): (number: number) => Promise<void> {
  let meet = () => {};
  const allAreThere = new Promise<void>((resolve) => {
    meet = resolve;
  });
  return (number) => {
    if (number === size) meet();
    return allAreThere;
  };
}

describe("a batch", () => {
  test("adds a result for each login as it ends, answers questions, and keeps the keys sealed", async () => {
    const { bank, cwd, results } = await openBatch([
      { id: "a", ...plain },
      { id: "b", ...plain, password: "wrong" },
      { id: "c", provider: "test", ...codeUser },
      { id: "d", provider: "test", username: "12345pq", password: "asdfg", answers: { personal_question: "8888" } },
      { id: "e", provider: "canal_pa", ...clientUser, client: "FIC-02412222" },
      { id: "f", provider: "niebla_py", username: "plain", password: "s3creto" },
    ]);
    const environment = bank.sealingEnvironment;
    await writeFile(join(cwd, "keys.jsonl"), "", { mode: 0o644 });
    // It answers for one login alone, which it knows by a word and by the environment.
    const program = `if (process.argv[2] === "c/otp" && process.env.VENTANILLA_LOGIN === "c") console.log("8888");`;
    await writeFile(join(cwd, "answer.mjs"), program);
    const answers = ["--answer-command", `${process.execPath} answer.mjs {id}/{field}`];
    const words = [...BATCH, ...answers, "--seal-keys", "--keys-to", "keys.jsonl", "--json"];
    const result = await run(words, { cwd, environment });
    expect(result.code).toBe(8);
    const lines = await results();
    // Standard output has the same lines, and nothing else.
    expect(parseLines(result)).toEqual(lines);
    expect(result.stderr).toMatch(/^6\/6 {2}/m);
    expect(Object.fromEntries(lines.map(({ id, status }) => [id, status]))).toEqual({
      a: "logged_in",
      b: "wrong_credentials",
      c: "logged_in",
      d: "logged_in",
      e: "logged_in",
      f: "provider_unavailable",
    });
    const keys = await results("keys.jsonl");
    expect(keys.map(({ id }) => id).sort()).toEqual(["a", "c", "d", "e"]);
    expect((await stat(join(cwd, "keys.jsonl"))).mode & 0o777).toBe(0o600);
    const text = await readFile(join(cwd, "results.jsonl"), "utf8");
    for (const { key } of keys) expect(text).not.toContain(key);
    for (const value of ["gfdsa", "asdfg", "s3creto"]) expect(text).not.toContain(value);
    // The digits of a code may occur in a sealed key or a time by chance.
    const printed = JSON.stringify(lines, (name, value) => (/^(sealedKey|milliseconds)$/.test(name) ? "" : value));
    expect(printed).not.toContain("8888");

    const { sealedKey } = lines.find(({ id }) => id === "a") ?? {};
    const opened = await run(["destinations", "--key-from", "-"], { environment, input: `${sealedKey}` });
    expect(opened.code).toBe(0);
  });

  test("a batch without a login, or with all of them done, says that it has nothing to do, and ends with 0", async () => {
    for (const lines of [[], [{ id: "a", ...plain }]]) {
      const { options } = await openBatch(lines);
      if (lines.length > 0) expect((await run(BATCH, options)).stderr).not.toContain("Nothing");
      const result = await run(BATCH, options);
      expect([result.code, result.stderr]).toEqual([0, expect.stringMatching(/0\/0\nNothing is left to send\.\n$/)]);
    }
  });

  test("keeps no key of a session that is in the way", async () => {
    const line = { id: "a", provider: "faro_uy", username: "sessions", password: "s3creto" };
    const { cwd, options, results } = await openBatch([line]);
    const result = await run([...BATCH, "--keys-to", "keys.jsonl"], options);
    expect([result.code, (await results())[0]?.["status"]]).toEqual([8, "max_sessions_reached"]);
    expect(await readFile(join(cwd, "keys.jsonl"), "utf8")).toBe("");
  });

  test("a rerun over a login that failed sends nothing, and ends as the run that it failed in", async () => {
    const { options, results, sent } = await openBatch([
      { id: "a", ...plain },
      { id: "b", ...plain, password: "not it" },
    ]);
    expect((await run(BATCH, options)).code).toBe(8);
    for (const more of [[], ["--resend-unknown"]]) {
      const again = await run([...BATCH, ...more], options);
      expect(again.code).toBe(8);
      const said = ["2 done before", "0/0", "Nothing is left to send.", "1 ended without a session in an earlier run"];
      expect(again.stderr).toMatch(new RegExp(`${said.join("[^]*\n")}.*exit code 8`));
    }
    expect(sent()).toHaveLength(2);
    expect(await results()).toHaveLength(2);
  });

  test("what nothing answers is said, and a login that can't be read stops all before anything is sent", async () => {
    const { bank, options, results, write } = await openBatch([{ id: "a", provider: "test", ...codeUser }]);
    await run(BATCH, options);
    expect(await results()).toMatchObject([{ id: "a", status: "interaction_required", field: "otp", kind: "code" }]);

    const sent = bank.seen.length;
    const refused: [Line[], number, string][] = [
      [
        [
          { id: "x", ...plain },
          { id: "x", ...plain },
        ],
        2,
        "[line 2.id: is used twice]",
      ],
      [[{ id: "x", provider: "test", username: "12345" }], 3, "[line 1.password]"],
      [[{ ...plain }], 2, "[line 1.id: "],
      [[{ id: "x", ...plain, note: "hello" }], 2, "[line 1.note: is not known here]"],
    ];
    for (const [lines, code, said] of refused) {
      await write(lines);
      const result = await run(BATCH, options);
      expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(said)]);
      expect(result.stderr).not.toContain("gfdsa");
    }
    expect(bank.seen).toHaveLength(sent);
  });

  test("keeps its limits: so many at a time, and so many at one bank", async () => {
    const meetFour = meeting(4);
    const banks = ["test", "test", "test", "test", "faro_uy", "bahia_es", "test", "faro_uy", "rareza_do", "bahia_es"];
    const lines = banks.map((provider, index) => ({ id: `${index}`, provider, username: "plain", password: "no" }));
    const { bank, options, sent } = await openBatch(lines, {
      before: (number) => meetFour(number).then(() => pause(60)),
    });
    await run([...BATCH, "--concurrency", "4", "--per-provider", "2"], options);
    expect(bank.most).toEqual({ all: 4, perProvider: 2 });
    expect(sent()).toHaveLength(10);
  });

  test("of many logins at a time brings no warning of the platform's: each listens to Ctrl-C", async () => {
    const lines = Array.from({ length: 12 }, (_, index) => ({ id: `${index}`, ...plain }));
    const { options } = await openBatch(lines, { before: meeting(12) });
    const warned = vi.fn();
    process.on("warning", warned);
    onTestFinished(() => void process.off("warning", warned));
    const words = [...BATCH, "--concurrency", "12", "--per-provider", "12"];
    expect((await run(words, options)).code).toBe(0);
    expect(warned).not.toHaveBeenCalled();
  });

  test("two batches can't write to the same results, by whatever name; the lock of one that is gone is taken over", async () => {
    const { bank, cwd, options, results } = await openBatch([{ id: "a", ...plain }], { respond: hold });
    const reached = bank.next(isLogin);
    const first = await start(BATCH, options);
    await reached;
    // By another name of them.
    await symlink("results.jsonl", join(cwd, "latest.jsonl"));
    const second = await run(["batch", "logins.jsonl", "--out", "latest.jsonl"], options);
    const said = `[--out: another batch writes to it: process ${first.child.pid} on ${hostname()}]`;
    expect([second.code, second.stderr]).toEqual([6, expect.stringContaining(said)]);
    first.child.kill("SIGKILL");
    await first.result;
    expect((await run(["batch", "logins.jsonl", "--out", "latest.jsonl"], options)).code).toBe(8);
    expect(await results()).toMatchObject([{ id: "a", status: "outcome_unknown", attempt: 1 }]);
  });

  test("the lock of a batch in another container is taken only when told so, and what it has begun is not sent", async () => {
    const { bank, cwd, options, results, sent } = await openBatch([
      { id: "a", ...plain },
      { id: "b", ...plain },
    ]);
    const other = { ...(await readOwnHolder()), host: "web-1", namespace: "pid:[1]", pid: 1 };
    await mkdir(join(cwd, "results.jsonl.lock"));
    await writeFile(join(cwd, "results.jsonl.lock/other"), JSON.stringify(other));
    await writeFile(join(cwd, "results.jsonl.journal"), '{"id":"a","attempt":1}\n');
    const refused = await run(BATCH, options);
    const said = "[--out: another batch may write to it: process 1 on web-1, which can't be checked from here;";
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining(said)]);
    expect(refused.stderr).toContain("--force-lock takes the lock");
    expect(bank.seen).toEqual([]);
    expect((await run([...BATCH, "--force-lock"], options)).code).toBe(8);
    expect((await results()).map(({ id, status }) => [id, status])).toEqual([
      ["a", "outcome_unknown"],
      ["b", "logged_in"],
    ]);
    expect(sent()).toHaveLength(1);
    expect(await readdir(cwd)).not.toContain("results.jsonl.lock");
  });

  test("a batch whose lock was taken sends nothing more", async () => {
    let path = "";
    const lines = ["a", "b", "c"].map((id) => ({ id, ...plain }));
    const { cwd, options, results, sent } = await openBatch(lines, {
      before: async () => {
        await rename(path, join(cwd, "before"));
        await mkdir(path);
        await writeFile(join(path, "other"), "{}");
      },
    });
    path = join(cwd, "results.jsonl.lock");
    const result = await run([...BATCH, "--concurrency", "1"], options);
    expect([result.code, result.stderr]).toEqual([6, expect.stringContaining("another batch has taken its lock")]);
    expect(sent()).toHaveLength(1);
    // What it has begun is on disk before it looks, so the other one does not send it either.
    expect((await results("results.jsonl.journal")).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(await readdir(path)).toEqual(["other"]);
  });

  test("Ctrl-C aborts what is under way and keeps it as unknown", async () => {
    const lines = ["a", "b"].map((id) => ({ id, ...plain }));
    const { bank, cwd, options, results, sent } = await openBatch(lines, { respond: hold });
    const reached = bank.next(isLogin);
    const running = await start([...BATCH, "--concurrency", "1"], options);
    const login = await reached;
    running.child.kill("SIGINT");
    await login.aborted;
    expect((await running.result).code).toBe(130);
    expect(await readdir(cwd)).not.toContain("results.jsonl.lock");
    expect(await results()).toMatchObject([{ id: "a", status: "outcome_unknown" }]);
    expect(sent()).toHaveLength(1);
  });

  test.each([
    ["FILE and --out", "--out: is the same file as FILE", ["--out", "logins.jsonl"]],
    ["FILE and the journal", "--out.journal: is the same file as FILE", ["--out", "of-results"]],
    [
      "--out and --keys-to",
      "--keys-to: is the same file as --out",
      ["--out", "results.jsonl", "--keys-to", "./results.jsonl"],
    ],
    [
      "the journal and --keys-to",
      "--keys-to: is the same file as --out.journal",
      ["--out", "results.jsonl", "--keys-to", "results.jsonl.journal"],
    ],
    [
      "FILE and --keys-to, by a link",
      "--keys-to: is the same file as FILE",
      ["--out", "results.jsonl", "--keys-to", "symbolic"],
    ],
    [
      "FILE and --keys-to, by another name",
      "--keys-to: is the same file as FILE",
      ["--out", "results.jsonl", "--keys-to", "hard"],
    ],
    [
      "--out and --keys-to, by a link to what is not there yet",
      "--keys-to: is the same file as --out",
      ["--out", "results.jsonl", "--keys-to", "dangling"],
    ],
  ])("%s in one file are refused, and the logins stay as they are", async (_, said, words) => {
    const { bank, cwd, options } = await openBatch([{ id: "a", ...plain }]);
    const logins = join(cwd, "logins.jsonl");
    await link(logins, join(cwd, "of-results.journal"));
    await symlink("logins.jsonl", join(cwd, "symbolic"));
    await link(logins, join(cwd, "hard"));
    await symlink("results.jsonl", join(cwd, "dangling"));
    const before = await readFile(logins, "utf8");
    const { code, stderr } = await run(["batch", "logins.jsonl", ...words], options);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`[${said}]`)]);
    expect(await readFile(logins, "utf8")).toBe(before);
    expect(bank.seen).toEqual([]);
  });

  const key = '{"id":"b","attempt":1,"key":"k"}';
  const result = '{"id":"b","provider":"test","attempt":1,"status":"logged_in"}';
  test.each([
    ["--keys-to", "notes without an end of line", "call the bank"],
    ["--keys-to", "logins without an end of line", JSON.stringify({ id: "b", ...plain })],
    ["--keys-to", "credentials", JSON.stringify(plain)],
    ["--keys-to", "keys before notes", `${key}\ncall the bank`],
    ["--keys-to", "results", `${result}\n`],
    ["--out", "notes without an end of line", "call the bank"],
    ["--out", "notes before results", `hello\n${result}\n`],
    ["--out", "logins", `${JSON.stringify({ id: "b", ...plain })}\n`],
    ["--out", "keys", `${key}\n`],
    ["--out.journal", "results", `${result}\n`],
  ])("%s to a file with %s is refused, and it stays as it is", async (option, _, content) => {
    const { bank, cwd, options } = await openBatch([{ id: "a", ...plain }]);
    const name = { "--keys-to": "keys.jsonl", "--out": "results.jsonl" }[option] ?? "results.jsonl.journal";
    await writeFile(join(cwd, name), content, { mode: 0o640 });
    const { code, stderr } = await run([...BATCH, "--keys-to", "keys.jsonl"], options);
    expect([code, stderr]).toEqual([6, expect.stringContaining(`[${option}: has what no batch writes there]`)]);
    expect(await readFile(join(cwd, name), "utf8")).toBe(content);
    expect((await stat(join(cwd, name))).mode & 0o777).toBe(0o640);
    expect(bank.seen).toEqual([]);
  });
});

/** Numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test("killed with SIGKILL twelve times at random, a batch sends no login twice and loses none", async () => {
  const random = createRandom(20261);
  // So many answers in each run: however slow this process is, the batch is under way when it is killed.
  let answers = 6;
  const ids = Array.from({ length: 180 }, (_, index) => `user-${index}`);
  const providers = ["test", "faro_uy", "bahia_es", "rareza_do"];
  const lines = ids.map((id, index) => ({ id, provider: providers[index % 4], username: id, password: "no" }));
  const { bank, options, results, sent } = await openBatch(lines, {
    before: async () => {
      await pause(25);
      if (answers-- <= 0) await new Promise(() => {});
    },
  });
  let kills = 0;
  for (; kills < 12; kills += 1) {
    answers = 6;
    const running = await start(BATCH, options);
    // At a random request, or a random moment after it: before, while and after a login is written, sent and answered.
    for (let left = Math.floor(random() * 4); left >= 0; left -= 1) await bank.next(isLogin);
    await pause(random() * 40);
    running.child.kill("SIGKILL");
    expect((await running.result).code).toBe(null);
  }
  answers = Number.POSITIVE_INFINITY;
  const last = await run(BATCH, options);
  expect(last.code).toBe(8);

  const before = sent();
  expect(new Set(before).size).toBe(before.length);
  const ended = await results();
  expect(ended.map(({ id }) => id).sort()).toEqual([...ids].sort());
  // What has a known end was sent; what was not sent is unknown at most, because it was about to be.
  const known = ended.filter(({ status }) => status !== "outcome_unknown").map(({ id }) => id);
  expect(before).toEqual(expect.arrayContaining(known));
  const unknown = ended.filter(({ status }) => status === "outcome_unknown").map(({ id }) => id);
  expect(unknown.length).toBeGreaterThan(0);

  // Only when told so: the unknown ones, once more, and no others.
  await run([...BATCH, "--resend-unknown"], options);
  expect(sent().slice(before.length).sort()).toEqual(unknown.sort());
  const all = new Map((await results()).map(({ id, status }) => [id, status]));
  expect([...all.values()].filter((status) => status === "outcome_unknown")).toEqual([]);
});

test("a torn last line counts as not written", async () => {
  const { cwd, options, results, sent } = await openBatch(["a", "b", "c"].map((id) => ({ id, ...plain })));
  const journal = '{"id":"a","attempt":1}\n{"id":"b","attempt":1}\n{"id":"c","att';
  await writeFile(join(cwd, "results.jsonl.journal"), journal);
  await writeFile(join(cwd, "results.jsonl"), '{"id":"a","attempt":1,"status":"logged_in"}\n{"id":"b","att');
  await run(BATCH, options);
  expect((await results()).map(({ id, status }) => [id, status])).toEqual([
    ["a", "logged_in"],
    ["b", "outcome_unknown"],
    ["c", "logged_in"],
  ]);
  expect(sent()).toHaveLength(1);
});
