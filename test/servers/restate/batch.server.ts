import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { findFreePort } from "../../free-port.ts";
import { repository } from "./repository.ts";
import { SEAL_KEY, type StageHere } from "./stage.ts";
import { test } from "./stage-test.ts";

const main = `${repository}test/servers/restate/dist/main.mjs`;

/** A file of logins, and what sends it as `ventanilla batch --restate`. */
async function openBatch({ bank, server }: StageHere, logins: readonly Record<string, unknown>[]) {
  const cwd = await mkdtemp(join(tmpdir(), "ventanilla-batch-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const lines = logins.map((login) => `${JSON.stringify(login)}\n`);
  await writeFile(join(cwd, "logins.jsonl"), lines.join(""), { mode: 0o600 });
  const start = (out: string, more: readonly string[] = [], sealKey = SEAL_KEY): ChildProcess => {
    const words = ["batch", "logins.jsonl", "--out", out, "--restate", server.ingress, "--keys-to", `keys-${out}`];
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: cwd,
      VENTANILLA_BASE_URL: bank.url,
      VENTANILLA_API_KEY: bank.apiKey,
      VENTANILLA_SEAL_KEY: sealKey,
    };
    return spawn(process.execPath, [main, ...words, ...more], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  };
  const read = async (name: string): Promise<Record<string, unknown>[]> => {
    const lines = (await readFile(join(cwd, name), "utf8")).split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  };
  return {
    start,
    async run(...words: Parameters<typeof start>) {
      const child = start(...words);
      const said = child.stderr ? text(child.stderr) : "";
      const [code] = await once(child, "exit");
      return { code, said: await said };
    },
    statuses: async (out: string) => (await read(out)).map(({ id, state, code = state }) => [id, code]).sort(),
    keys: async (out: string) => (await read(`keys-${out}`)).map(({ id, key }) => [id, key]).sort(),
  };
}

const plain = (id: string) => ({ id, provider: "test", username: `12345~${id}`, password: "gfdsa" });
const coded = (id: string) => ({
  ...plain(id),
  username: `12345otp~${id}`,
  password: "asdfg",
  answers: { otp: "8888" },
});

test("two senders of one file log each row in once, and both have every key", async ({ stage }) => {
  const ids = ["plain-1", "plain-2", "coded-1", "an id of other letters: ñ/1"];
  const [first = "", second = "", third = "", fourth = ""] = ids;
  const { run, statuses, keys } = await openBatch(stage, [
    plain(first),
    plain(second),
    coded(third),
    { ...plain("other"), id: fourth },
  ]);
  const ended = await Promise.all([run("one.jsonl"), run("two.jsonl")]);
  expect(ended.map(({ code, said }) => (code === 0 ? 0 : said))).toEqual([0, 0]);
  expect(await statuses("one.jsonl")).toEqual(ids.map((id) => [id, "logged_in"]).sort());
  expect(await statuses("two.jsonl")).toEqual(await statuses("one.jsonl"));
  expect(await keys("two.jsonl")).toEqual(await keys("one.jsonl"));
  const sent = [first, second, third, "other"].map((name) => stage.bank.of(name).map(({ kind }) => kind));
  expect(sent).toEqual([["first"], ["first"], ["first", "second"], ["first"]]);
});

test("a sender that is killed goes on: what runs in the engine ends there, and is read back", async ({ stage }) => {
  const names = Array.from({ length: 6 }, (_, index) => `killed-${index}`);
  const { start, run, statuses, keys } = await openBatch(stage, names.map(coded));
  const child = start("one.jsonl");
  await expect.poll(() => names.flatMap(stage.bank.of).length).toBeGreaterThan(2);
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  expect((await run("one.jsonl")).code).toBe(0);
  expect(await statuses("one.jsonl")).toEqual(names.map((name) => [name, "logged_in"]));
  const opened = names.map((name) => [name, stage.bank.of(name).at(-1)?.key]);
  expect(new Map((await keys("one.jsonl")) as [string, string][])).toEqual(new Map(opened as [string, string][]));
  expect(names.map((name) => stage.bank.of(name).length)).toEqual(names.map(() => 2));
});

test("what nothing answers is cancelled, and a wrong password is a result", async ({ stage }) => {
  const { run, statuses } = await openBatch(stage, [
    { ...coded("asked"), answers: {} },
    { ...plain("wrong"), password: "not it" },
  ]);
  expect((await run("one.jsonl")).code).toBe(8);
  expect(await statuses("one.jsonl")).toEqual([
    ["asked", "awaiting_interaction"],
    ["wrong", "wrong_credentials"],
  ]);
});

test("a sender with another seal key stops at the first row, and nothing is sent", async ({ stage }) => {
  const { run } = await openBatch(stage, [plain("stranger-1"), plain("stranger-2")]);
  const stranger = Buffer.alloc(32, "stranger").toString("base64");
  const { code, said } = await run("one.jsonl", ["--concurrency", "1"], stranger);
  expect([code, said]).toEqual([4, expect.stringContaining("token_invalid")]);
  expect(stage.bank.of("stranger-1")).toEqual([]);
  expect(stage.bank.of("stranger-2")).toEqual([]);
});

test("without the server it ends at once", async ({ stage }) => {
  const ingress = `http://127.0.0.1:${await findFreePort()}`;
  const { run } = await openBatch({ ...stage, server: { ...stage.server, ingress } }, [plain("down")]);
  const { code, said } = await run("one.jsonl");
  expect([code, said]).toEqual([4, expect.stringContaining("[--restate: ECONNREFUSED]")]);
});
