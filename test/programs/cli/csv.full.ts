import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { BATCH, openBatch } from "./open-batch.ts";
import { parseLines, run } from "./program.ts";

const page = await readFile(new URL("../../../docs/questions.md", import.meta.url), "utf8");
const [, command = ""] = /```sh\n(\(umask .*)\n/.exec(page) ?? [];

test.each([
  ["commas", ",", command],
  ["semicolons", ";", command.replace('delimiter=","', 'delimiter=";"')],
])("the command of docs/questions.md makes a batch of a CSV file with %s", async (_, separator, line) => {
  const { bank, cwd, write, statuses, options } = await openBatch([]);
  const rows = [
    ["id", "provider", "username", "password"],
    ["ana", "test", "12345", "gfdsa"],
    ['"luis, the ""second"""', "test", "12345", '"a;wrong,one"'],
  ];
  // As Excel writes it.
  await write("logins.csv", `\uFEFF${rows.map((row) => row.join(separator)).join("\r\n")}\r\n`);
  await promisify(execFile)("sh", ["-c", line.replace("logins.jsonl", "made.jsonl")], { cwd });
  expect((await stat(join(cwd, "made.jsonl"))).mode & 0o777).toBe(0o600);
  expect(parseLines(await readFile(join(cwd, "made.jsonl"), "utf8"))[1]).toMatchObject({ password: "a;wrong,one" });
  const words = BATCH.map((word) => (word === "logins.jsonl" ? "made.jsonl" : word));
  expect((await run(words, options)).code).toBe(8);
  expect((await statuses()).sort()).toEqual([
    ["ana", "logged_in"],
    ['luis, the "second"', "wrong_credentials"],
  ]);
  expect(bank.sent("username")).toEqual(["12345", "12345"]);
});
