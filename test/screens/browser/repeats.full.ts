import { expect, test } from "vitest";
import { findRepeated, setUpPage } from "./repeats-site.ts";

setUpPage();

test("of all codes from 400 to 599 Chromium repeats a login at 408 and 421, and the bank sees one", async () => {
  const codes = Array.from({ length: 200 }, (_, index) => 400 + index);
  expect(await findRepeated(codes)).toEqual([408, 421]);
});
