import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { watchedBank } from "../../bank/watched-bank.ts";
import { KEY } from "../../core/pause/paused.ts";
import { BATCH, openBatch } from "./open-batch.ts";
import { ownFolder, parseLines, plainUser, run, runLogin } from "./program.ts";

const wrongUser = { ...plainUser, password: "wrong" };

/** A bank, and a memory of what it has refused. */
async function open(memory = "folder:refusals") {
  const [bank, cwd] = await Promise.all([watchedBank(), ownFolder()]);
  const environment = { ...bank.environment, VENTANILLA_SEAL_KEY: KEY, VENTANILLA_REFUSALS: memory };
  const logIn = async (credentials: object, ...words: readonly string[]) => {
    const { code, stdout, stderr } = await runLogin("test", credentials, ["--json", ...words], { cwd, environment });
    return { code, line: parseLines(stdout).at(-1), stderr };
  };
  return { bank, cwd, environment, logIn };
}

test("five runs with a wrong password are one try at the bank; the right one is sent", async () => {
  const { bank, cwd, logIn } = await open();
  expect(await logIn(wrongUser)).toMatchObject({ code: 3, line: { state: "failed", code: "wrong_credentials" } });
  for (let runs = 2; runs <= 5; runs += 1) {
    expect(await logIn(wrongUser)).toMatchObject({
      code: 3,
      line: { state: "failed", code: "known_wrong", refusedAt: expect.any(Number) },
    });
  }
  expect(bank.sent("username")).toEqual(["12345"]);
  const kept = await readdir(join(cwd, "refusals"), { recursive: true, withFileTypes: true });
  const [file] = kept.filter((entry) => entry.isFile());
  expect(await readFile(join(file?.parentPath ?? "", file?.name ?? ""), "utf8")).not.toMatch(/wrong|12345\b/);
  expect(await logIn(plainUser)).toMatchObject({ code: 0 });
  expect(await logIn(wrongUser, "--ignore-known-refusal")).toMatchObject({
    code: 3,
    line: { state: "failed", code: "wrong_credentials" },
  });
  expect(bank.sent("username")).toHaveLength(3);
});

test("a batch and a login share what was refused", async () => {
  const { logIn, environment: shared, bank: first } = await open();
  await logIn(wrongUser);
  const { cwd, results } = await openBatch([{ id: "a", provider: "test", ...wrongUser }]);
  const environment = { ...shared, VENTANILLA_REFUSALS: "" };
  const place = ["--refusals", `folder:${join(cwd, "other")}`];
  expect((await run([...BATCH, ...place], { cwd, environment })).code).toBe(8);
  // The next run sends nothing, until the file has another password.
  expect((await run([...BATCH, ...place, "--resend", "wrong_credentials"], { cwd, environment })).code).toBe(8);
  const [sent, unsent] = await results();
  expect(sent).toMatchObject({ state: "failed", code: "wrong_credentials" });
  expect(unsent).toMatchObject({ state: "failed", code: "known_wrong", sent: false, refusedAt: expect.any(Number) });
  expect(first.sent("username")).toHaveLength(2);
});

test("a database that can't be reached stops no login, and is said once", async () => {
  const { bank, logIn } = await open("postgres://127.0.0.1:9/none");
  const { code, stderr } = await logIn(plainUser);
  expect(code).toBe(0);
  expect(bank.sent("username")).toHaveLength(1);
  expect(stderr.match(/What banks have refused before could not be looked up or kept/g)).toHaveLength(1);
});

test.each<[string, object, object]>([
  [
    "without the seal key",
    { VENTANILLA_SEAL_KEY: "" },
    { state: "failed", code: "missing_field", field: "--seal-key-from" },
  ],
  [
    "at a place that is none",
    { VENTANILLA_REFUSALS: "nowhere" },
    { state: "failed", code: "invalid_input", field: "--refusals" },
  ],
])("%s the command ends before anything is sent", async (_, more, line) => {
  const { bank, cwd, environment } = await open();
  const options = { cwd, environment: { ...environment, ...more } };
  const { code, stdout } = await runLogin("test", wrongUser, ["--json"], options);
  expect([code, parseLines(stdout).at(-1)]).toMatchObject([2, line]);
  expect(bank.sent("username")).toEqual([]);
});
