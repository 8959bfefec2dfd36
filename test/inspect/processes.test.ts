import { expect, test } from "vitest";
import { programs } from "../programs.ts";

const run = programs(new URL("watched-process.ts", import.meta.url));

test("a process ends by itself though nobody has stopped the watching", async () => {
  expect(await run("watched-process")).toEqual({ code: 0, printed: "logged_in alone", complaints: "" });
});

test("and though somebody watches", async () => {
  expect(await run("watched-process", { env: { WATCHED: "yes" } })).toEqual({
    code: 0,
    printed: "logged_in watched",
    complaints: "",
  });
});
