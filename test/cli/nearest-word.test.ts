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

test("an unknown command brings the nearest one", async () => {
  const stderr = expect.stringContaining("[COMMAND: is not known; did you mean login? see --help]");
  expect(await run(["logni"])).toMatchObject({ code: 2, stderr });
});
