import { expect, test } from "vitest";
import { type BaseFacts, happen, type Model, readEffects, snapshotAfter } from "./model.ts";
import { reachableFacts } from "./oracle.ts";

/**
 * Judges everything that can happen in each situation that the oracle can reach. What lies behind a difference is not judged, so that one
 * difference is one line: where it is, what was expected and what came instead, and the shortest path there.
 */
export function testAgainstOracle<Facts extends BaseFacts, Name extends string, Settings>(
  flow: string,
  model: Model<Facts, Name, Settings>,
): void {
  const situations = Object.entries(model.variants).map(
    ([variant, settings]) => [variant, settings, reachableFacts(model.oracle(settings))] as const,
  );

  test(`the ${flow} statechart does in each situation what the oracle says`, () => {
    const differences = new Map<string, { readonly text: string; situations: number }>();
    for (const [variant, settings, reachable] of situations) {
      // Further settings would show the same differences again.
      if (differences.size > 0) break;
      const oracle = model.oracle(settings);
      const start = snapshotAfter(model, settings, []);
      expect(model.observe(start), `the start ${variant}`).toEqual(model.expected(oracle.start, settings));
      const snapshots = new Map([[JSON.stringify(oracle.start), start]]);
      for (const { facts, path } of reachable) {
        const before = snapshots.get(JSON.stringify(facts));
        if (!before) {
          expect(differences, `nothing leads to ${JSON.stringify(facts)}`).not.toEqual(new Map());
          continue;
        }
        for (const name of listPossible(model, facts)) {
          const [after, actions] = happen(model, before, name);
          const isIgnored = after === before && actions.length === 0;
          const actual = isIgnored ? {} : { ...model.observe(after), ...readEffects(actions) };
          const next = oracle.next(facts, name);
          const expected =
            next === "ignored"
              ? {}
              : { ...model.expected(next, settings), ...expectedEffects(model, name, facts, next) };
          const difference = formatDifference(expected, actual);
          if (difference === "") {
            const key = JSON.stringify(next);
            if (next !== "ignored" && !snapshots.has(key)) snapshots.set(key, after);
            continue;
          }
          const place = `${facts.state}, when ${name}`;
          const text = `${place}:${difference}\n  path:     ${["start", ...path].join(", then ")}, ${variant}`;
          const found = differences.get(place) ?? { text, situations: 0 };
          found.situations += 1;
          differences.set(place, found);
        }
      }
    }
    // The first situation is that with the shortest path.
    const rows = [...differences.values()].map(
      ({ text, situations }) => `${text}\n  in all:   ${situations} situations`,
    );
    expect(rows.join("\n"), `the ${flow} statechart, ${rows.length} differences`).toBe("");
  });

  test("every row of the oracle is used", () => {
    const isUsed = ({ in: state, when, to, because }: (typeof model.rows)[number]) =>
      situations.some(([, settings, reachable]) =>
        reachable.some(({ facts }) => {
          const next = facts.state === state ? model.oracle(settings).next(facts, when) : "ignored";
          return next !== "ignored" && next.state === to && (because === undefined || next.failure === because);
        }),
      );
    expect(model.rows.filter((row) => !isUsed(row))).toEqual([]);
  });
}

const listRunning = <Facts extends BaseFacts, Name extends string, Settings>(
  { running }: Model<Facts, Name, Settings>,
  { state }: Facts,
): readonly string[] => running[state as Facts["state"]] ?? [];

/** What can happen. An invocation that has ended reports nothing; an error out of nowhere would be the statechart's own. */
function listPossible<Facts extends BaseFacts, Name extends string, Settings>(
  model: Model<Facts, Name, Settings>,
  facts: Facts,
): Name[] {
  return (Object.keys(model.cases) as Name[]).filter((name) => {
    const { isFault, slot = "" } = model.cases[name];
    return !isFault || listRunning(model, facts).includes(slot);
  });
}

function expectedEffects<Facts extends BaseFacts, Name extends string, Settings>(
  model: Model<Facts, Name, Settings>,
  name: Name,
  from: Facts,
  to: Facts,
) {
  const { event, isForwarded } = model.cases[name];
  const isBegun = (slot: string) => !listRunning(model, from).includes(slot) || model.restarted?.[name] === slot;
  return {
    announced: model.announced(name, to),
    forwarded: isForwarded ? [{ to: "login", event }] : [],
    begun: listRunning(model, to).filter(isBegun),
  };
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

// Only `toEqual` knows `expect.objectContaining`.
function isEqual(actual: unknown, expected: unknown): boolean {
  try {
    expect(actual).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}
