import { execFile } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { BATCH, openBatch } from "./open-batch.ts";
import { parseLines, run } from "./program.ts";

const page = await readFile(new URL("../../../docs/questions.md", import.meta.url), "utf8");
const [, command = ""] = /```sh\n(\(umask .*)\n/.exec(page) ?? [];

test.each<[what: string, separator: string, encode: (text: string) => Buffer]>([
  ["commas", ",", (text) => Buffer.from(text)],
  // As Excel writes it in many countries.
  ["semicolons, and the mark of UTF-8", ";", (text) => Buffer.from(`\uFEFF${text}`)],
  ["semicolons, in the Latin letters of Windows", ";", (text) => Buffer.from(text, "latin1")],
])("the command of docs/questions.md makes a batch of a CSV file with %s", async (_, separator, encode) => {
  const { bank, cwd, statuses, options } = await openBatch([]);
  const rows = [
    ["id", "notes", "provider", "username", "password"],
    ["ana", '"calls on Mondays,\r\nor never; ""perhaps"""', "test", "12345", "gfdsa"],
    ["ñandú", "", "test", "12345", `"a${separator}wrong ""one"" ñ"`],
  ];
  await writeFile(join(cwd, "logins.csv"), encode(`${rows.map((row) => row.join(separator)).join("\r\n")}\r\n`));
  await promisify(execFile)("sh", ["-c", command.replace("> logins.jsonl", "> made.jsonl")], { cwd });
  expect((await stat(join(cwd, "made.jsonl"))).mode & 0o777).toBe(0o600);
  const made = parseLines(await readFile(join(cwd, "made.jsonl"), "utf8"));
  const user = { provider: "test", username: "12345" };
  expect(made).toEqual([
    { id: "ana", ...user, password: "gfdsa" },
    { id: "ñandú", ...user, password: `a${separator}wrong "one" ñ` },
  ]);
  const words = BATCH.map((word) => (word === "logins.jsonl" ? "made.jsonl" : word));
  expect((await run(words, options)).code).toBe(8);
  expect((await statuses()).sort()).toEqual([
    ["ana", "logged_in"],
    ["ñandú", "wrong_credentials"],
  ]);
  expect(bank.sent("username")).toEqual(["12345", "12345"]);
});
