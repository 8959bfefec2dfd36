import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = await readFile(`${root}docs/sandbox.md`, "utf8");
const [, program = ""] = /```js\n([\s\S]*?)```/.exec(page) ?? [];

const required = program
  .replaceAll(/import (.+) from (".+");/g, "const $1 = require($2);")
  .replace(/(?<=\n\n)const outcome[\s\S]*$/, "(async () => {\n$&})();");

// A package finds itself by its name: this is what is built.
test.each([
  ["docs/sandbox.md", "module", program],
  ["docs/troubleshooting.md: in CommonJS, with `require`", "commonjs", required],
])("the program of %s logs in, without a network", async (_, type, text) => {
  const words = [`--input-type=${type}`, "--eval", text];
  expect(await promisify(execFile)(process.execPath, words, { cwd: root })).toEqual({
    stdout: "loggedIn\n",
    stderr: "",
  });
});
