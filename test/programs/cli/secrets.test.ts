import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { isLogin, watchedBank } from "../../bank/watched-bank.ts";
import { ownFolder, run, start } from "./program.ts";

const CANARY = "canary-7f3a91";

test.each([
  [["login", "test", "--password", CANARY], "--password"],
  [["login", "test", "--username", CANARY], "--username"],
  [["login", "test", "--apiKey", CANARY], "--apiKey"],
  [["login", "test", "--seal-key", CANARY], "--seal-key"],
  [["login", "test", "--no-password", CANARY], "--password"],
  [["login", "test", `-p${CANARY}`], "-p"],
  [["login", "test", `--password-stdin=${CANARY}`], "--password-stdin"],
  [["login", "test", "--credentials-from", `{"password":"${CANARY}"}`], "--credentials-from"],
  [["login", "test", CANARY], "arguments"],
  [["login", "test", "--", CANARY], "arguments"],
  [["logout", "--key", CANARY], "--key"],
  [["batch", "x.jsonl", "--api_key", CANARY], "--api-key"],
])("a secret in an argument is not repeated: $0", async (words, named) => {
  const { code, stdout, stderr } = await run(words);
  expect(code).toBe(2);
  expect(stderr).toContain("secret_in_argument: You typed a secret on the command line, where other programs");
  expect(stderr).toContain(`[${named}`);
  expect(stderr).toContain("Type secrets when you are asked for them, or use --password-stdin, --credentials-from");
  expect(stdout + stderr).not.toContain(CANARY);
});

test.each([
  [[CANARY], 2],
  [["providers", CANARY], 2],
  [["providers", `--${CANARY}`], 2],
  [["providers", `-x${CANARY}`], 2],
  [["sandbox", "-p", "8123"], 2],
  [["providers", "--country"], 2],
  [["providers", "--country", "--search"], 2],
  [["login", "test", "--credentials-from", CANARY], 2],
  [["fields"], 2],
  [["completion", CANARY], 2],
  [["providers", "--timeout", CANARY], 2],
  [["providers", "--base-url", `http://${CANARY}@bank.example`, "--api-key-from", "-"], 2],
])("unreadable arguments are not repeated: $0", async (words, expected) => {
  const { code, stdout, stderr } = await run(words, { input: "key" });
  expect([code, stdout]).toEqual([expected, ""]);
  expect(stderr).not.toContain(CANARY);
});

describe("a credentials file", () => {
  test.each([
    ["that is no JSON", `{"password":"${CANARY}"`, "credentials: is not JSON"],
    ["with an unknown member", `{"passwort":"${CANARY}"}`, "credentials.passwort: is not known here"],
    ["with a value of another kind", `{"password":["${CANARY}"]}`, "credentials.password: must be string"],
    ["that makes no codes", `{"totp":"otpauth://totp/${CANARY}"}`, "credentials.totp: must be an otpauth"],
  ])("%s is refused and not repeated", async (_, input, said) => {
    const { code, stdout, stderr } = await run(["login", "test", "--credentials-from", "-", "--json"], { input });
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
    expect(stdout + stderr).not.toContain(CANARY);
  });
});

test("no secret is in the arguments of a process during a login, nor in its output", async () => {
  const json = { status: "interaction_required", key: `session-${CANARY}`, field: "otp", context: "Code" };
  const bank = await watchedBank((request) => (isLogin(request) && !request.form["otp"] ? { json } : undefined));
  const cwd = await ownFolder();
  const user = { username: `user-${CANARY}`, password: `word-${CANARY}`, fields: { company_code: `field-${CANARY}` } };
  await writeFile(join(cwd, "login.json"), JSON.stringify(user), { mode: 0o600 });
  await writeFile(join(cwd, "otp.mjs"), "console.log(process.env.ANSWER)");
  const command = `${process.execPath} otp.mjs {field}`;
  const words = ["login", "canal_pa", "--credentials-from", "login.json", "--answer-command", command];
  const running = await start(words, { cwd, environment: { ...bank.environment, ANSWER: `answer-${CANARY}` } });
  await bank.nextLogin();
  const processes = await readArgumentsOfProcesses();
  const { stdout, stderr } = await running.result;
  expect(processes).toContain("--credentials-from");
  expect(bank.sent("otp")).toEqual([undefined, `answer-${CANARY}`]);
  for (const text of [processes, stdout, stderr]) expect(text).not.toContain(CANARY);
});

/** The arguments of all processes, which every user of the machine can read. */
async function readArgumentsOfProcesses(): Promise<string> {
  if (!existsSync("/proc/self/cmdline")) return (await promisify(execFile)("ps", ["axww", "-o", "args"])).stdout;
  const numbers = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  // A process may have ended since.
  const read = (number: string) => readFile(`/proc/${number}/cmdline`, "utf8").catch(() => "");
  return (await Promise.all(numbers.map(read))).join("\n");
}
