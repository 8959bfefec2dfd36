import { expect, test } from "vitest";
import { findNearestWord } from "../../src/cli/nearest-word.ts";
import { commands } from "../../src/cli/run.ts";
import { run } from "./program.ts";

const nearest = (typed: string) => findNearestWord(typed, Object.keys(commands));

test.each([
  ["logn", "login"],
  ["lgoin", "login"],
  ["logon", "login"],
  ["log-out", "logout"],
  ["provider", "providers"],
  ["destination", "destinations"],
  ["viw", "view"],
])("%s is nearest to %s", (typed, word) => {
  expect(nearest(typed)).toBe(word);
});

test.each(["", "x", "s3creto", "a-password-that-was-pasted", "login login"])("%j is near to no command", (typed) => {
  expect(nearest(typed)).toBeUndefined();
});

test("an unknown command brings the nearest one, and is not repeated", async () => {
  const { code, stderr } = await run(["logni"]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("[COMMAND: is not known; did you mean login? see --help]"),
  ]);
  const pasted = await run(["s3creto"]);
  expect([pasted.code, pasted.stderr]).toEqual([2, expect.stringContaining("[COMMAND: is not known; see --help]")]);
  expect(pasted.stderr).not.toContain("s3creto");
});
