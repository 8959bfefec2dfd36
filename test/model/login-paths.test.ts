import { createBankClient, type LoginSettings, loginMachineOf } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getNextSnapshot } from "xstate";
import { type Bank, openBank } from "./bank.ts";
import { recorder, transitionsOf } from "./coverage.ts";
import { type LoginCaseName, loginCase, loginCaseNames } from "./login-cases.ts";
import { runLogin } from "./login-run.ts";
import { edgePaths } from "./walk.ts";

const variants: Record<string, LoginSettings> = {
  "by the contract": { interactionLimit: 1 },
  "with clients to select and a session to replace": {
    clientSelection: true,
    sessionReplacement: true,
    interactionLimit: 2,
  },
};

const machine = loginMachineOf(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" }));

const pathsWith = (settings: LoginSettings) =>
  edgePaths(machine, {
    input: settings,
    happenings: loginCaseNames.map((name) => ({ name, event: loginCase(name).event as LoginEvent })),
    canHappen: ({ status, children }, name) => {
      const { slot } = loginCase(name);
      return status === "active" && (slot === undefined || slot in children);
    },
    next: (snapshot, event) => getNextSnapshot(machine, snapshot, event),
    situation: ({ value, context: { settings, interaction, key, failure, sessionReplaced } }) =>
      JSON.stringify([
        value,
        settings,
        Math.min(interaction?.number ?? 0, 3),
        key !== undefined,
        failure?.code === "max_sessions_reached",
        sessionReplaced,
      ]),
  });

const paths = Object.entries(variants).flatMap(([variant, settings]) =>
  pathsWith(settings).map((path) => ({ variant, settings, path })),
);

let bank: Bank;
const { taken, inspect } = recorder();
const runs = new Map<readonly LoginCaseName[], Promise<void>>();
// A path runs once, whether its own test asks first or the coverage does.
const runOf = ({ settings, path }: (typeof paths)[number]): Promise<void> => {
  const run = runs.get(path) ?? runLogin(bank, settings, path, inspect);
  runs.set(path, run);
  return run;
};

beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.close());

describe.each(Object.keys(variants))("a login %s goes where the contract says when", (variant) => {
  const own = paths.filter((each) => each.variant === variant);
  test.each(own.map((each) => [each.path.join(", then "), each] as const))("%s", (_, each) => runOf(each));
});

test("the paths take every transition of the login statechart", { timeout: 20_000 }, async () => {
  await Promise.allSettled(paths.map(runOf));
  const transitions = transitionsOf(machine);
  expect(transitions.length).toBeGreaterThan(0);
  expect(transitions.filter((transition) => !taken.has(transition))).toEqual([]);
});
