import fc from "fast-check";
import { expect, test } from "vitest";
import { splitWords } from "../../src/cli/login/answer-program.ts";

test.each([
  ["otp {field}", ["otp", "{field}"]],
  ["  otp   --for 'my bank' ", ["otp", "--for", "my bank"]],
  ['otp "a \\"b\\" $HOME" c\\ d', ["otp", 'a "b" $HOME', "c d"]],
  ["otp '' x", ["otp", "", "x"]],
  ["otp a'b'\"c\"", ["otp", "abc"]],
  ["otp 'back\\slash'", ["otp", "back\\slash"]],
  ["otp ; rm -rf | cat && x `y`", ["otp", ";", "rm", "-rf", "|", "cat", "&&", "x", "`y`"]],
])("%s is split into words as a shell does it, and nothing in it has another meaning", (command, words) => {
  expect(splitWords(command, "--answer-command")).toEqual(words);
});

test.each(["", "   ", "otp 'open", 'otp "open', "''"])("%j is no command", (command) => {
  expect(() => splitWords(command, "--answer-command")).toThrow("must be a command");
});

test("any words come back, quoted", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (words) => {
      const all = ["program", ...words];
      const command = all.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
      expect(splitWords(command, "--answer-command")).toEqual(all);
    }),
  );
});
