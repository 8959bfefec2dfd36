import { readFile } from "node:fs/promises";
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
    expect(Math.max(...paths.map(({ steps }) => steps.length))).toBeLessThan(13);
  });
});

/** What a person sees at a step: its kind, and what tells it from another of its kind. */
interface Seen {
  readonly kind: string;
  readonly content: string;
}

const kinds: Readonly<Record<string, string>> = {
  failed: "failure",
  linkFailed: "failure around the login",
  awaitingInteraction: "question",
  selectClient: "clients",
  idle: "form",
  loggedIn: "session",
  linked: "session",
  choosingProvider: "banks",
  cancelled: "end",
};

function listSeen({ start, startScreen, steps }: Path): readonly (readonly Seen[])[] {
  const first = { expected: start, ...startScreen };
  return [first, ...steps].map((step: Partial<Path["steps"][number]>) => {
    const { expected = "", failure, question, clients, fields } = step;
    const text = question ?? clients?.join();
    const content = failure?.code ?? text ?? fields?.join() ?? "";
    const size = text && { kind: text.length > 200 ? "long text" : "short text", content };
    return [{ kind: kinds[expected] ?? "request", content }, ...(size ? [size] : [])];
  });
}

const seenOn = new Map(everyPath.map((path) => [path, listSeen(path)]));

/** Whether a path shows one thing, and later another: of the same kind, another of it. */
const hasPair = (path: Path, before: string, after: string): boolean =>
  (seenOn.get(path) ?? []).some((now, place, all) =>
    now.some(
      ({ kind, content }) =>
        kind === after &&
        all
          .slice(0, place)
          .flat()
          .some((earlier) => earlier.kind === before && (before !== after || earlier.content !== content)),
    ),
  );

describe("each ordered pair of what a screen may still show and what comes after it is on a path", () => {
  const inLogin = ["form", "request", "question", "clients", "failure", "session"];
  const inLink = [...inLogin, "banks", "failure around the login", "end"];
  const pairs = [
    ...["failure", "question", "clients"].flatMap((before) =>
      inLogin.map((after) => ["login", before, after] as const),
    ),
    ...["failure", "question", "clients", "failure around the login"].flatMap((before) =>
      inLink.map((after) => ["link", before, after] as const),
    ),
    ["link", "form", "form"] as const,
    ...(["login", "link"] as const).map((flow) => [flow, "long text", "short text"] as const),
  ];

  test.each(pairs)("%s: %s → %s", (flow, before, after) => {
    expect(everyPath.some((path) => path.flow === flow && hasPair(path, before, after))).toBe(true);
  });

  test("docs/testing.md says how many they are", async () => {
    const page = await readFile(new URL("../../../docs/testing.md", import.meta.url), "utf8");
    expect(page).toContain(`all ${pairs.length} ordered pairs`);
  });
});

test("the texts of a bank are longer than a screen may cut, in each language", () => {
  const long = everyPath.filter(({ name }) => name.startsWith("When the texts of the bank are long"));
  expect(new Set(long.map(({ flow }) => flow))).toEqual(new Set(["login", "link"]));
  for (const { steps } of long) {
    for (const locale of ["en", "es", "pt"] as const) {
      const labels = steps.flatMap(({ labels }) => (labels?.[locale]["type"] ? [labels[locale]["type"]] : []));
      expect(Math.max(...labels.map(({ label }) => label.length))).toBeGreaterThan(200);
      expect(
        Math.max(...labels.flatMap(({ choices = [] }) => choices.map(({ label }) => label.length))),
      ).toBeGreaterThan(200);
    }
    expect(Math.max(...steps.map(({ question = "" }) => question.length))).toBeGreaterThan(200);
    expect(Math.min(...steps.flatMap(({ clients = [] }) => clients.map(({ length }) => length)))).toBeGreaterThan(200);
  }
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
    ["a login by the contract", login, contract, ["selectClient", "replaceSession", "wait"], ["failed", "answer"]],
    ["client selection", login, { clientSelection: true }, ["wait"], ["selectClient"]],
    ["session replacement", login, { sessionReplacement: true }, ["selectClient"], ["replaceSession"]],
    ["a minute to answer", login, { answerTimeout: 60_000 }, ["wait"], ["awaitingInteraction"]],
    ["a second to answer", login, { answerTimeout: 1000 }, ["selectClient"], ["awaitingInteraction", "wait"]],
    ["a link by the contract", link, contract, ["selectClient", "replaceSession", "wait"], ["failed", "answer"]],
    ["all of a link", link, all, [], ["replaceSession", "choose"]],
  ])("%s", (_name, generate, settings, none, some) => {
    const paths = generate(settings);
    const things = listThings(paths);
    expect(none.filter((thing) => things.has(thing as "wait"))).toEqual([]);
    expect(some.filter((thing) => !things.has(thing as "wait"))).toEqual([]);
    for (const path of paths) expect(path.settings).toBe(settings);
    expect(new Set(paths.map(({ name }) => name)).size).toBe(paths.length);
  });
});
