import type { AnyStateMachine } from "xstate";
import { arrowsOf, labelsOf } from "../arrows.ts";
import { type StateRow, statesOf } from "../transitions.ts";

/** A state as state-machine-cat takes it. */
interface ChartState {
  readonly name: string;
  readonly type: "initial" | "regular";
  readonly label?: string;
  readonly class?: string;
  readonly statemachine?: Chart;
}

/** A statechart as state-machine-cat takes it. */
export interface Chart {
  readonly states: ChartState[];
  readonly transitions?: {
    readonly id: number;
    readonly from: string;
    readonly to: string;
    readonly label?: string;
    readonly class?: string;
  }[];
}

/** A statechart for state-machine-cat; what moves nothing is left out. Arrows have the class `arrow-<number>`. */
export function chartOf(machine: AnyStateMachine): Chart {
  const states = statesOf(machine);
  const arrows = arrowsOf(machine).map((arrow, number) => ({ arrow, number }));
  const starts = states.filter(({ isInitial }) => isInitial);
  return {
    ...levelOf(states, undefined),
    transitions: [
      ...arrows
        .filter(({ arrow }) => arrow.isMove)
        .map(({ arrow, number }) => ({
          id: number + 1,
          from: arrow.source,
          to: arrow.target,
          label: labelsOf(arrow).flatMap(wrapped).join("\n"),
          class: `arrow-${number}`,
        })),
      ...starts.map(({ path, parent }, number) => ({
        id: arrows.length + number + 1,
        from: initialOf(parent),
        to: path,
        class: "start",
      })),
    ],
  };
}

function levelOf(states: readonly StateRow[], parent: string | undefined): Chart {
  const own = states.filter((state) => state.parent === parent);
  return {
    states: [
      { name: initialOf(parent), type: "initial" },
      ...own.map(({ path, isFinal, tags }): ChartState => {
        const hasStates = states.some((state) => state.parent === path);
        return {
          name: path,
          // The notation's own final state has no name to read.
          type: "regular",
          // Graphviz leaves no room beside a name.
          label: `\u00a0${path.split(".").at(-1)}\u00a0`,
          class: [...tags, isFinal ? "final" : ""].filter(Boolean).join(" "),
          ...(hasStates && { statemachine: levelOf(states, path) }),
        };
      }),
    ],
  };
}

const initialOf = (parent: string | undefined): string => `${parent ?? ""} initial`;

// Guards go below their event, so that no label is wider than two states.
function wrapped(label: string): string[] {
  const [event = "", guards] = label.split(" [");
  return guards === undefined || label.length < 30 ? [label] : [event, ...linesOf(`[${guards}`)];
}

function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/(?<=,) /)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > 28) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
