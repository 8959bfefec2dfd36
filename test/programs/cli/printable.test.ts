import { expect, test } from "vitest";
import { printable } from "../../../src/programs/cli/terminal/printable.ts";

test.each([
  ["plain", "Banco Ñandú, São Paulo – 日本 🏦 50 %", "Banco Ñandú, São Paulo – 日本 🏦 50 %"],
  ["coloured", "a \u001B[31mred\u001B[0m z", "a red z"],
  ["an end of another form", "a\u001B]0;title\u009Cz", "az"],
  ["on two lines", "one\r\ntwo\tthree", "one two three"],
  ["cut apart, to come together again", "a\u001B\u200B[31mz\u001B\u001B[31m", "a[31mz"],
])("%s", (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});
