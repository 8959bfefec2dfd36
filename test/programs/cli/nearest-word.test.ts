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
