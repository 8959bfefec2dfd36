import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { generatedPaths } from "../../generated-paths.ts";
import { run } from "../embedding/packed-package.ts";
import { buildWorkspace, runIn } from "./workspace.ts";

const HERMES_MAGIC = "c61fbc03c103191f";

let folder: string;
// Installs hundreds of packages and bundles them.
beforeAll(async () => {
  folder = await buildWorkspace();
}, 600_000);

test.each(["example", "core"])(
  "Hermes compiles the bundle %s, its syntax and each regular expression",
  async (name) => {
    const compiler = join(folder, "node_modules/hermes-compiler/hermesc/linux64-bin/hermesc");
    const output = join(folder, `${name}.hbc`);
    // Without the warnings, which name the globals of each platform.
    await run(compiler, ["-emit-binary", "-O", "-w", "-out", output, join(folder, `${name}.js`)]);
    expect((await readFile(output)).subarray(0, 8).toString("hex")).toBe(HERMES_MAGIC);
  },
);

test("the example compiles with the types of the package and of React Native", async () => {
  const { stdout } = await runIn(folder, "node_modules/typescript/bin/tsc", ["-p", "."]);
  expect(stdout).toBe("");
});

describe("the tests of the example, run by Jest", () => {
  /** The part of Jest's report that is read here. */
  interface Report {
    readonly numPendingTests: number;
    readonly numTodoTests: number;
    readonly testResults: readonly {
      /** Why tests failed; empty if none did. */
      readonly message: string;
      readonly assertionResults: readonly { ancestorTitles: string[]; title: string; status: string }[];
    }[];
  }

  let report: Report;
  // The first run transforms React Native.
  beforeAll(async () => {
    const failed = ({ stdout }: { stdout: string }) => ({ stdout });
    const { stdout } = await runIn(folder, "node_modules/jest/bin/jest.js", ["--ci", "--json"]).catch(failed);
    report = JSON.parse(stdout);
  }, 600_000);

  test("pass", () => {
    expect(report.testResults.map(({ message }) => message).join("")).toBe("");
    expect(report).toMatchObject({ success: true, numPendingTests: 0, numTodoTests: 0 });
  });

  test.each(["login", "link"] as const)("follow every generated path of the %s", (flow) => {
    const passed = report.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status, ancestorTitles }) => status === "passed" && ancestorTitles[0] === `each path of the ${flow}`);
    expect(passed.map(({ title }) => title)).toEqual(generatedPaths[flow].map(({ name }) => name));
  });
});
