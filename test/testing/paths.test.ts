import type { LinkSettings, LoginSettings } from "ventanilla";
import { linkPaths, loginPaths, type Path, runPath } from "ventanilla/testing";
import { describe, expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { openScreen } from "./screen.ts";

const everyPath: readonly Path[] = [...generatedPaths.login, ...generatedPaths.link];

describe.each<[string, readonly Path[], () => readonly Path[]]>([
  ["login", generatedPaths.login, loginPaths],
  ["link", generatedPaths.link, linkPaths],
])("the %s paths", (flow, paths, generate) => {
  test("have names of their own", () => {
    const names = paths.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test("differ in what happens", () => {
    const texts = paths.map(({ name: _, ...path }) => JSON.stringify(path));
    expect(new Set(texts).size).toBe(texts.length);
  });

  // These have been through JSON.
  test("are plain data, and the same each time", () => {
    expect(generate()).toStrictEqual(paths);
  });

  test("are few enough to be run in a browser", () => {
    expect(paths.length).toBeGreaterThan(flow === "login" ? 40 : 25);
    expect(paths.length).toBeLessThan(flow === "login" ? 70 : 45);
    expect(Math.max(...paths.map(({ steps }) => steps.length))).toBeLessThan(10);
  });
});

test("no sentence has a gap", () => {
  for (const { name, steps } of everyPath) {
    for (const sentence of [name, ...steps.map(({ sentence }) => sentence)]) {
      expect(sentence).not.toMatch(/undefined|null|NaN| {2}|, ,/);
    }
  }
});

test("a person never sends the same form a second time without filling it in", () => {
  for (const { steps } of everyPath) {
    for (const [index, { action }] of steps.entries()) {
      if (action.type === "submit") expect(steps[index - 1]?.action.type).toBe("fill");
    }
  }
});

test("a busy step is expected only where a request is held", () => {
  const busy = [
    "submitting",
    "listingClients",
    "selectingClient",
    "replacingSession",
    "loadingProviders",
    "loadingFields",
    "loadingDestinations",
  ];
  for (const { start, steps, faults } of everyPath) {
    const isBusy = [start, ...steps.map(({ expected }) => expected)].some((step) => busy.includes(step));
    if (isBusy) expect(faults.map(({ what }) => what)).toContain("held");
  }
});

test("the time to answer runs out only where it is short", () => {
  const waits = (settings: LoginSettings) =>
    loginPaths({ settings }).filter(({ steps }) => steps.some(({ action }) => action.type === "wait"));
  expect(generatedPaths.login.filter(({ steps }) => steps.some(({ action }) => action.type === "wait"))).toHaveLength(
    2,
  );
  expect(waits({ answerTimeout: 1000 })).toHaveLength(1);
  expect(waits({ answerTimeout: 1000, clientSelection: true })).toHaveLength(2);
});

describe("settings that are fixed", () => {
  const beyond = { clientSelection: true, sessionReplacement: true };
  type Case = [string, LinkSettings, { none: readonly string[]; some: readonly string[] }];
  const contract: Case = [
    "the contract's",
    {},
    { none: ["choosingClient", "replaceSession", "wait"], some: ["clientRequired", "answer"] },
  ];
  const everything: Case = [
    "all of it",
    { ...beyond, validate: true },
    { none: ["clientRequired"], some: ["replaceSession", "choose"] },
  ];
  const ofLogin: Case[] = [
    contract,
    ["client selection", { clientSelection: true }, { none: ["clientRequired", "wait"], some: ["choosingClient"] }],
    ["session replacement", { sessionReplacement: true }, { none: ["choosingClient"], some: ["replaceSession"] }],
    ["a minute to answer", { answerTimeout: 60_000 }, { none: ["wait"], some: ["answering"] }],
    ["a second to answer", { answerTimeout: 1000 }, { none: ["choosingClient"], some: ["answering"] }],
    ["one interaction", { interactionLimit: 1 }, { none: ["choosingClient"], some: ["answering"] }],
    everything,
  ];
  const ofLink: Case[] = [
    contract,
    ["the fields read first", { validate: true }, { none: ["choosingClient"], some: ["answering", "failed"] }],
    ["dependent choices", { dependentChoices: true }, { none: ["choosingClient"], some: ["answering"] }],
    everything,
  ];

  describe.each<[string, Case[], (settings: LoginSettings | LinkSettings) => readonly Path[]]>([
    ["login", ofLogin, (settings) => loginPaths({ settings })],
    ["link", ofLink, (settings) => linkPaths({ settings })],
  ])("of a %s screen", (_flow, cases, pathsUnder) => {
    test.each(cases)("%s", (_name, settings, { none, some }) => {
      const paths = pathsUnder(settings);
      const seen = new Set(
        paths.flatMap(({ start, steps }) => [
          start,
          ...steps.flatMap(({ action, expected }) => [action.type, expected]),
        ]),
      );
      for (const thing of none) expect(seen).not.toContain(thing);
      for (const thing of some) expect(seen).toContain(thing);
      for (const path of paths) expect(path.settings).toBe(settings);
      expect(new Set(paths.map(({ name }) => name)).size).toBe(paths.length);
    });

    // Which paths there are is one thing, and that they are true another: of the settings those that change the requests.
    test.each<[string, LinkSettings]>([
      ["the contract's", {}],
      ["all there are", { ...beyond, validate: true, dependentChoices: true, answerTimeout: 60_000 }],
    ])("%s: each path is true of the statecharts and the sandbox", async (_name, settings) => {
      await Promise.all(
        pathsUnder(settings).map(async (path) => {
          const { driver, close } = openScreen(path);
          await runPath(path, driver, { timeout: 60_000 });
          close();
        }),
      );
    });
  });
});
