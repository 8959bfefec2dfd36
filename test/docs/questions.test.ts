import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = await readFile(`${root}docs/questions.md`, "utf8");
const blocks = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, block = ""]) => block);

// A package finds itself by its name: this is what is built.
test.each([
  ["`require`", "commonjs", blocks.find((block) => block.includes("require("))],
  ["`import`, without a network", "module", blocks.find((block) => block.includes("import "))],
])("the program of docs/questions.md with %s logs in", async (_, type, block = "") => {
  const words = [`--input-type=${type}`, "--eval", block];
  expect(await promisify(execFile)(process.execPath, words, { cwd: root })).toEqual({
    stdout: "loggedIn\n",
    stderr: "",
  });
});
