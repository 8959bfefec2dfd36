import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { reveal } from "ventanilla";
import { expect, onTestFinished, test } from "vitest";
import { createAnswerProgram, splitWords } from "../../../src/programs/cli/login/answer-program.ts";
import { ownFolder } from "./program.ts";

const ask = (script: string, answersSent = 0, context = "OTP required") => {
  const described = {
    field: "otp",
    fields: ["otp"],
    context,
    number: answersSent + 1,
    isRepeat: answersSent > 0,
    answersSent,
  };
  const interaction = { kind: "code", ...described } as const;
  const request = { provider: "test", interaction, signal: new AbortController().signal, timeout: 600_000 };
  return createAnswerProgram(`sh -c '${script}'`, { environment: process.env })(request);
};

test("an answer command gets the number of answers that were sent to the same question", async () => {
  const answer = await ask("echo $VENTANILLA_ANSWERS_SENT", 2);
  expect(answer && reveal(answer)).toBe("2");
});

test("an answer command gets a question without its null characters, which no variable can hold", async () => {
  const answer = await ask('echo "$VENTANILLA_QUESTION"', 0, "OTP\0 required");
  expect(answer && reveal(answer)).toBe("OTP required");
});

test.each([
  ["the answer", "echo 8888;", "8888"],
  ["nothing", "", undefined],
])("an answer command that prints %s is over when it exits, even before its child", async (_, prints, expected) => {
  const pid = join(await ownFolder(), "pid");
  const answer = await ask(`${prints} sleep 600 2>/dev/null & echo $! >${pid}`);
  const left = Number(await readFile(pid, "utf8"));
  onTestFinished(() => void process.kill(left));
  expect(answer && reveal(answer)).toBe(expected);
});

test("an answer that is still in the pipe when the command exits is read whole", async () => {
  const folder = await ownFolder();
  const [pid, go] = [join(folder, "pid"), join(folder, "go")];
  const answering = ask(
    `echo $$ >${pid}; while [ ! -e ${go} ]; do :; done; printf 1; head -c 4000 /dev/zero | tr "\\\\0" 2; echo 3`,
  );
  const other = spawn("echo", ["anything"]);
  // Node collects all exited programs at once. When the other program exits, its output is read first. Meanwhile the command prints and
  // exits, so Node reports its exit before its output.
  other.stdout.on("data", () => {
    writeFileSync(go, "");
    blockUntilExit(readFileSync(pid, "utf8").trim());
  });
  while (!existsSync(pid) || readFileSync(pid, "utf8") === "");
  blockUntilExit(`${other.pid}`);
  const answer = await answering;
  expect(answer && reveal(answer)).toBe(`1${"2".repeat(4000)}3`);
});

/** Blocks the event loop until a program has exited; Node does not know of it yet. */
function blockUntilExit(pid: string) {
  while (!readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z "));
}

test.each([
  ["otp {field}", ["otp", "{field}"]],
  ["  otp   --for 'my bank' ", ["otp", "--for", "my bank"]],
  ['otp "a \\"b\\" $HOME" c\\ d', ["otp", 'a "b" $HOME', "c d"]],
  ["otp '' x", ["otp", "", "x"]],
  ["otp a'b'\"c\"", ["otp", "abc"]],
  ["otp 'back\\slash'", ["otp", "back\\slash"]],
  ["otp ; rm -rf | cat && x `y`", ["otp", ";", "rm", "-rf", "|", "cat", "&&", "x", "`y`"]],
])("%s is split into words as a shell does it, and no more", (command, words) => {
  expect(splitWords(command, "--answer-command")).toEqual(words);
});

test.each(["", "   ", "otp 'open", 'otp "open', "''"])("%j is not a command", (command) => {
  expect(() => splitWords(command, "--answer-command")).toThrow("must be a command");
});

test("any quoted words are read back", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (words) => {
      const all = ["program", ...words];
      const command = all.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
      expect(splitWords(command, "--answer-command")).toEqual(all);
    }),
  );
});
