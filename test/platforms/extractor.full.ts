import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { linkMachine } from "ventanilla/machines/link";
import { loginMachine } from "ventanilla/machines/login";
import { expect, onTestFinished, test, vi } from "vitest";
import { listStates, listTransitions } from "../../src/tools/trace/transitions.ts";

// Stately Studio and its editor extension read a statechart by this package, from the text of its file. It needs XState 4 of its own.
const { extractMachinesFromFile } = createRequire(new URL("runtimes/", import.meta.url))(
  "@xstate/machine-extractor",
) as {
  extractMachinesFromFile(text: string): { machines: readonly { toConfig(): Extracted }[] };
};

type Named = { readonly kind: string; readonly type?: string; readonly action?: { readonly type: string } };
type Transition = { readonly target?: string; readonly cond?: Named; readonly actions?: Named | readonly Named[] };
type Transitions = Transition | readonly Transition[];

interface Invoked {
  readonly id: string;
  readonly onDone?: Transitions;
  readonly onError?: Transitions;
  readonly onSnapshot?: Transitions;
}

interface Extracted {
  readonly output?: unknown;
  readonly description?: string;
  readonly tags?: string;
  readonly on?: Readonly<Record<string, Transitions>>;
  readonly always?: Transitions;
  readonly onDone?: Transitions;
  readonly invoke?: Invoked | readonly Invoked[];
  readonly states?: Readonly<Record<string, Extracted>>;
}

const toList = <Value>(value: Value | readonly Value[] | undefined): readonly Value[] =>
  value === undefined ? [] : ([value].flat() as Value[]);

/** Every transition that was read, as `listTransitions` writes it: `submitting: submitCredentials done [hasSession] / storeSession`. */
function listExtracted(state: Extracted, path: string): string[] {
  const format = (event: string, transitions: Transitions | undefined) =>
    toList(transitions as Transition).map(({ cond, actions }) =>
      formatTransition(
        path,
        event,
        cond?.type,
        toList(actions as Named).map(({ action, type }) => action?.type ?? type ?? "?"),
      ),
    );
  return [
    ...Object.entries(state.on ?? {}).flatMap(([event, transitions]) => format(event, transitions)),
    ...format("always", state.always),
    ...format("done", state.onDone),
    ...toList(state.invoke).flatMap(({ id, onDone, onError }) => [
      ...format(`${id} done`, onDone),
      ...format(`${id} failed`, onError),
    ]),
    ...Object.entries(state.states ?? {}).flatMap(([name, child]) =>
      listExtracted(child, path === "" ? name : `${path}.${name}`),
    ),
  ];
}

const formatTransition = (source: string, event: string, guard: string | undefined, actions: readonly string[]) =>
  `${source}: ${event}${guard === undefined ? "" : ` [${guard}]`} / ${actions.join(", ")}`;

test.each([
  ["login", loginMachine],
  ["link", linkMachine],
] as const)("Stately's extractor reads machines/%s.ts, and loses nothing but parameters", (name, machine) => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => void warn.mockRestore());
  const text = readFileSync(new URL(`../../machines/${name}.ts`, import.meta.url), "utf8");
  const [chart, ...others] = extractMachinesFromFile(text).machines.map((found) => found.toConfig());
  expect(others).toEqual([]);
  const expected = listTransitions(machine)
    // The extractor knows no `onSnapshot` of XState 5.
    .filter(({ event }) => !event.startsWith("xstate.snapshot"))
    .map(({ source, event, guard, actions }) => formatTransition(source, event, guard, actions));
  expect(listExtracted(chart ?? expect.fail("no statechart"), "").sort()).toEqual(expected.sort());
  // docs/inspection.md says what has to be put back after a round trip.
  expect([machine.config.output, chart?.output]).toEqual([expect.any(Function), undefined]);
  const withSnapshots = (state: Extracted): unknown[] => [
    ...toList(state.invoke).flatMap(({ id, onSnapshot }) => (onSnapshot ? [id] : [])),
    ...Object.values(state.states ?? {}).flatMap(withSnapshots),
  ];
  expect(withSnapshots(chart as Extracted)).toEqual([]);
  expect(withSnapshots(machine.config as unknown as Extracted)).toEqual(name === "link" ? ["login"] : []);
  const states = (state: Extracted): string[] =>
    Object.values(state.states ?? {}).flatMap((child) => [
      `${child.tags ?? ""} ${child.description ?? ""}`,
      ...states(child),
    ]);
  expect(states(chart as Extracted)).toHaveLength(listStates(machine).length);
  for (const described of states(chart as Extracted)) expect(described.trim()).not.toBe("");
  // It shows the names of guards and actions, and not where their parameters come from.
  const warnings = warn.mock.calls.filter(([, about]) => (about as { key?: string } | undefined)?.key !== "params");
  expect(warnings).toEqual([]);
});
