import { linkPaths, loginPaths, runPath } from "ventanilla/testing";
import { expect, test } from "vitest";
import { openScreen } from "./screen.ts";

// With the fewest requests, and with the most. Those of the default settings: live.test.ts.
const all = {
  clientSelection: true,
  sessionReplacement: true,
  validate: true,
  dependentChoices: true,
  answerTimeout: 60_000,
};

test.each([
  ["a login by the contract", () => loginPaths({ settings: {} })],
  ["all of a link", () => linkPaths({ settings: all })],
] as const)("%s: each path is true of the statecharts and the sandbox", async (_name, generate) => {
  const paths = generate();
  expect(paths.length).toBeGreaterThan(20);
  await Promise.all(
    paths.map(async (path) => {
      const { driver, close } = openScreen(path);
      await runPath(path, driver, { timeout: 60_000 });
      close();
    }),
  );
});
