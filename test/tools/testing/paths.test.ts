import type { LinkSettings } from "ventanilla";
import { linkPaths, loginPaths, type Path } from "ventanilla/testing";
import { describe, expect, test } from "vitest";
import { generatedPaths } from "../../generated-paths.ts";

const everyPath: readonly Path[] = [...generatedPaths.login, ...generatedPaths.link];

/** The things that can be done on paths, and the steps that can be seen. */
const listThings = (paths: readonly Path[]) =>
  new Set(
    paths.flatMap(({ start, steps }) => [start, ...steps.flatMap(({ action, expected }) => [action.type, expected])]),
  );

describe.each<[string, readonly Path[], () => readonly Path[], least: number, most: number]>([
  ["login", generatedPaths.login, loginPaths, 40, 70],
  ["link", generatedPaths.link, linkPaths, 25, 60],
])("the %s paths", (_flow, paths, generate, least, most) => {
  test("differ in their names and in what happens", () => {
    const texts = paths.map(({ name: _, number: __, ...path }) => JSON.stringify(path));
    expect(new Set(texts).size).toBe(texts.length);
    expect(new Set(paths.map(({ name }) => name)).size).toBe(paths.length);
  });

  // These have been through JSON.
  test("are plain data, and the same each time", () => {
    expect(generate()).toStrictEqual(paths);
  });

  test("are few enough to be run in a browser", () => {
    expect(paths.length).toBeGreaterThan(least);
    expect(paths.length).toBeLessThan(most);
    expect(Math.max(...paths.map(({ steps }) => steps.length))).toBeLessThan(12);
  });
});

test("no sentence has a gap", () => {
  const sentences = everyPath.flatMap(({ name, steps }) => [name, ...steps.map(({ sentence }) => sentence)]);
  for (const sentence of sentences) expect(sentence).not.toMatch(/undefined|null|NaN| {2}|, ,/);
});

describe("settings that are fixed", () => {
  const login = (settings: LinkSettings) => loginPaths({ settings });
  const link = (settings: LinkSettings) => linkPaths({ settings });
  const contract: LinkSettings = {};
  const all: LinkSettings = {
    clientSelection: true,
    sessionReplacement: true,
    validate: true,
    dependentChoices: true,
    answerTimeout: 60_000,
  };

  test.each<[string, (settings: LinkSettings) => readonly Path[], LinkSettings, none: string[], some: string[]]>([
    [
      "a login by the contract",
      login,
      contract,
      ["choosingClient", "replaceSession", "wait"],
      ["clientRequired", "answer"],
    ],
    ["client selection", login, { clientSelection: true }, ["clientRequired", "wait"], ["choosingClient"]],
    ["session replacement", login, { sessionReplacement: true }, ["choosingClient"], ["replaceSession"]],
    ["a minute to answer", login, { answerTimeout: 60_000 }, ["wait"], ["answering"]],
    ["a second to answer", login, { answerTimeout: 1000 }, ["choosingClient"], ["answering", "wait"]],
    [
      "a link by the contract",
      link,
      contract,
      ["choosingClient", "replaceSession", "wait"],
      ["clientRequired", "answer"],
    ],
    ["all of a link", link, all, ["clientRequired"], ["replaceSession", "choose"]],
  ])("%s", (_name, generate, settings, none, some) => {
    const paths = generate(settings);
    const things = listThings(paths);
    expect(none.filter((thing) => things.has(thing as "wait"))).toEqual([]);
    expect(some.filter((thing) => !things.has(thing as "wait"))).toEqual([]);
    for (const path of paths) expect(path.settings).toBe(settings);
    expect(new Set(paths.map(({ name }) => name)).size).toBe(paths.length);
  });
});
