import { beforeAll, expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { type JestReport, runExampleTests } from "./workspace.ts";

let ran: { readonly exitCode: number; readonly report: JestReport };
// Its first run transforms React Native.
beforeAll(async () => {
  ran = await runExampleTests();
}, 600_000);

const results = () => ran.report.testResults.flatMap(({ assertionResults }) => assertionResults);

test("the tests of the example pass, in a runner of their own", () => {
  expect(ran.report.testResults.flatMap(({ message }) => message)).toEqual(ran.report.testResults.map(() => ""));
  expect(ran).toMatchObject({ exitCode: 0, report: { success: true, numPendingTests: 0, numTodoTests: 0 } });
});

test.each(["login", "link"] as const)("the screens follow every generated path of the %s", (flow) => {
  const passed = results().filter(({ status }) => status === "passed");
  const names = passed.filter(({ ancestorTitles: [group] }) => group === `each path of the ${flow}`);
  expect(names.map(({ title }) => title)).toEqual(generatedPaths[flow].map(({ name }) => name));
});
