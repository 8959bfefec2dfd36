import { expect, test } from "vitest";
import { run } from "./program.ts";

const meant = async (typed: string) => /did you mean (\w+)\?/.exec((await run([typed])).stderr)?.[1];

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
  expect(stderr).toContain(`is no option of this command; did you mean ${option}? see --help]`);
});
