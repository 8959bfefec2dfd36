import { expect, test } from "vitest";
import { programs } from "../../programs.ts";

const run = programs(new URL("watched-process.ts", import.meta.url));

test.each([
  ["the inspection was not stopped", {}, "loggedIn alone"],
  ["a watcher is connected", { WATCHED: "yes" }, "loggedIn watched"],
])("a process ends on its own though %s", async (_name, env, printed) => {
  expect(await run("watched-process", { env })).toEqual({ code: 0, printed, complaints: "" });
});
