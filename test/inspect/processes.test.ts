import { expect, test } from "vitest";
import { programs } from "../programs.ts";

const run = programs(new URL("watched-process.ts", import.meta.url));

test.each([
  ["nobody has stopped the watching", {}, "logged_in alone"],
  ["somebody watches", { WATCHED: "yes" }, "logged_in watched"],
])("a process ends by itself though %s", async (_name, env, printed) => {
  expect(await run("watched-process", { env })).toEqual({ code: 0, printed, complaints: "" });
});
