import { expect, test } from "vitest";
import { run } from "./program.ts";

const meant = async (typed: string) => /[Dd]id you mean (\w+)\?/.exec((await run([typed])).stderr)?.[1];

test.each([
  ["logn", "login"],
  ["lgoin", "login"],
  ["logon", "login"],
  ["log-out", "logout"],
  ["provider", "providers"],
  ["destination", "destinations"],
  ["viw", "view"],
])("the unknown command %s brings the nearest one, %s", async (typed, word) => {
  expect(await meant(typed)).toBe(word);
});

test.each(["x", "s3creto", "a-password-that-was-pasted", "login login"])("%j is near to no command", async (typed) => {
  expect(await meant(typed)).toBeUndefined();
});

test.each([
  [["providers", "--contry", "uy"], "--country"],
  [["login", "--key-too", "file"], "--key-to"],
])("the unknown option of %j brings the nearest one, %s", async (words, option) => {
  const { code, stderr } = await run(words);
  expect(code).toBe(2);
  const typed = words.find((word) => word.startsWith("--"));
  expect(stderr).toBe(`There is no option ${typed}. Did you mean ${option}? [invalid_input]\n`);
});

test.each<[words: string[], line: string]>([
  [["logn"], "There is no command logn. Did you mean login? [invalid_input]\n"],
  [["s3creto-pasted"], "There is no such command: see ventanilla --help [invalid_input]\n"],
  [["providers", "--country"], "--country needs a value. [invalid_input]\n"],
  [["providers", "--country", "--json"], "--country needs a value. [invalid_input]\n"],
  [["sandbox", "one"], "There are more words than this command takes: see --help. [invalid_input]\n"],
  [["sandbox", "--port", "70000"], "Port 70000 can't be used: ERR_SOCKET_BAD_PORT. [invalid_input]\n"],
  [["providers", "--jsn"], "There is no option --jsn. Did you mean --json? [invalid_input]\n"],
  [["providers", "--zzzzzzzz"], "There is no option --zzzzzzzz. See --help. [invalid_input]\n"],
  [
    ["login", "test", "--provider", "other"],
    "CODE and --provider are two different banks: give one of them. [invalid_input]\n",
  ],
  [
    ["link", "test", "--provider", "other"],
    "CODE and --provider are two different banks: give one of them. [invalid_input]\n",
  ],
])("%j is told by the fact, with the code last", async (words, line) => {
  const { code, stderr } = await run(words);
  expect([code, stderr]).toEqual([2, line]);
});

test("with --json the fact is the text", async () => {
  const { stdout } = await run(["providers", "--jsn", "--json"]);
  expect(JSON.parse(stdout)).toEqual({
    state: "failed",
    code: "invalid_input",
    field: "--jsn",
    text: "There is no option --jsn. Did you mean --json?",
  });
});

test("login takes its bank as --provider, too", async () => {
  const environment = { VENTANILLA_USERNAME: "12345" };
  const given = await run(["login", "--provider", "test", "--password-stdin", "--json"], {
    environment,
    input: "gfdsa\n",
  });
  expect(JSON.parse(given.stdout)).toMatchObject({ state: "logged_in", provider: "test" });
});
