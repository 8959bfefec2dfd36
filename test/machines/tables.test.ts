import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { TEST_TIMEOUT } from "../test-timeout.ts";
import { situations } from "./edge-paths.ts";
import { linkModel } from "./link-steps.ts";
import { loginModel } from "./login-steps.ts";
import { applyEvent, type BaseSeen, type Model, readEffects } from "./model.ts";

/**
 * Compares everything that can happen in each situation that a statechart reaches: the next state by the table, and what must be seen after
 * the step. What runs in a state is seen by its row: what never runs never reports. What runs beside it the bank sees: paths.test.ts. One difference is one line: where it is, what was expected and what came instead, and the shortest path there.
 *
 * @returns the differences, and the rows of the table that were used.
 */
function compare<Seen extends BaseSeen, Name extends string, Settings extends object>(
  model: Model<Seen, Name, Settings>,
) {
  const { cases } = model;
  const differences = new Map<string, { readonly text: string; situations: number }>();
  const used = new Set<unknown>();
  const compared = new Set<string>();
  for (const [variant, settings] of Object.entries(model.variants)) {
    const toKey = (snapshot: AnyMachineSnapshot) => JSON.stringify(model.tellApart(model.observe(snapshot), settings));
    const isCompared = (snapshot: AnyMachineSnapshot) => compared.has(toKey(snapshot));
    // Further settings would show the same differences again.
    if (differences.size > 0) break;
    const reached = situations(model, settings, toKey, isCompared);
    for (const { snapshot, path, possible } of reached) {
      if (isCompared(snapshot)) continue;
      const before = model.observe(snapshot);
      if (path.length === 0) expect(before, `the start ${variant}`).toEqual(model.start(settings));
      for (const name of possible) {
        const [after, actions] = applyEvent(model, snapshot, name);
        const isIgnored = after === snapshot && actions.length === 0;
        const actual = isIgnored ? {} : { ...model.observe(after), ...readEffects(actions) };
        const row = model.findRow(before, name, settings);
        used.add(row);
        const next = row && model.expectedAfter(before, name, row, settings);
        const forwarded = cases[name].isForwarded ? [{ to: "login", event: cases[name].event }] : [];
        const expected = next ? { ...next, announced: model.announced(next, name), forwarded } : {};
        const difference = formatDifference(expected, actual);
        if (difference === "") continue;
        const place = `${before.state}, when ${name}`;
        const text = `${place}:${difference}\n  path:     ${["start", ...path].join(", then ")}, ${variant}`;
        const found = differences.get(place) ?? { text, situations: 0 };
        found.situations += 1;
        differences.set(place, found);
      }
    }
    // A login that was paused elsewhere brings its own settings: it is the same in every variant.
    for (const { snapshot } of reached) compared.add(toKey(snapshot));
  }
  // The first situation is that with the shortest path.
  const rows = [...differences.values()].map(({ text, situations }) => `${text}\n  in all:   ${situations} situations`);
  return { differences: rows.join("\n"), unused: model.rows.filter((row) => !used.has(row)) };
}

/** The members that differ; "" if none does. Without any member, the event was ignored. */
function formatDifference(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
): string {
  if (isEqual(actual, expected)) return "";
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
  const differing = names.filter((name) => !isEqual(actual[name], expected[name]));
  const format = (side: Readonly<Record<string, unknown>>): string =>
    Object.keys(side).length === 0
      ? "nothing happens"
      : differing.map((name) => `${name} ${JSON.stringify(side[name], unwrap) ?? "nothing"}`).join(", ");
  return `\n  expected: ${format(expected)}\n  got:      ${format(actual)}`;
}

const unwrap = (_: string, member: unknown): unknown =>
  typeof member === "object" && member !== null && "sample" in member ? member.sample : member;

// Only `toEqual` knows `expect.objectContaining`. It is dear, and most are equal without it.
function isEqual(actual: unknown, expected: unknown): boolean {
  if (isDeepStrictEqual(actual, expected)) return true;
  try {
    expect(actual).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ["login", () => compare(loginModel)],
  ["link", () => compare(linkModel)],
  // It waits for nothing, so the short time-out of the mutation runs would only find a busy machine.
] as const)(
  "the %s statechart does in each situation what its table says, and every row is used",
  { timeout: TEST_TIMEOUT },
  (_, run) => {
    expect(run()).toEqual({ differences: "", unused: [] });
  },
);
