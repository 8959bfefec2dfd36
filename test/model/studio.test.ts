import { readFile } from "node:fs/promises";
import { linkMachine } from "ventanilla/machines/link";
import { loginMachine } from "ventanilla/machines/login";
import { describe, expect, test } from "vitest";

// Stately Studio reads one literal statechart per file and draws what it can name.

/** The values of all members of these names, wherever they stand. */
function findValues(config: unknown, ...names: readonly string[]): unknown[] {
  if (typeof config !== "object" || config === null) return [];
  return Object.entries(config).flatMap(([name, value]) => [
    ...(names.includes(name) ? [value] : []),
    ...findValues(value, ...names),
  ]);
}

/** A name, or a name with params. */
const isNamed = (value: unknown): boolean =>
  typeof value === "string" || (typeof value === "object" && typeof Object(value).type === "string");
const isAnnouncement = (value: unknown): boolean => Object(value).type === "xstate.emit";

describe.each([
  ["login", loginMachine.config],
  ["link", linkMachine.config],
])("Studio can open machines/%s.ts, for", (name, config) => {
  test("it holds one statechart, which is one literal", async () => {
    const source = await readFile(new URL(`../../machines/${name}.ts`, import.meta.url), "utf8");
    const [, chart = "", ...others] = source.split(".createMachine(");
    expect(others).toEqual([]);
    expect(chart).toMatch(/^\{\n/);
    // Each state, each event and each invocation is written out where it stands.
    expect(chart).not.toMatch(/^ *(\.\.\.|(states|on|invoke): [^{])/m);
  });

  test.each([
    ["actors", ["src"], (value: unknown) => typeof value === "string"],
    ["targets", ["target", "initial"], (value: unknown) => typeof value === "string"],
    ["guards", ["guard"], isNamed],
    [
      "actions, but for what is announced in place,",
      ["actions", "entry", "exit"],
      (value: unknown) => isNamed(value) || isAnnouncement(value),
    ],
  ])("%s are names", (_, members, isFit) => {
    const values = findValues(config.states, ...members).flat();
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter((value) => !isFit(value))).toEqual([]);
  });
});
