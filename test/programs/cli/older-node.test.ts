import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { installProgram } from "./installed-program.ts";

test.each(["18.20.8", "20.18.3", "21.7.3", "22.11.0"])(
  "an older Node, %s, is told which one the command needs",
  async (version) => {
    const { main } = await installProgram();
    const change = `Object.defineProperty(process, "versions", { value: { node: "${version}" } })`;
    const words = ["--import", `data:text/javascript,${encodeURIComponent(change)}`, main, "--version"];
    const [first, second] = manifest.engines.node.match(/\d+\.\d+/g) ?? [];
    await expect(promisify(execFile)(process.execPath, words)).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: `ventanilla needs Node ${first}, or ${second} and later; this is Node ${version}.\n`,
    });
  },
);
