import type { AnyStateMachine } from "xstate";
import { linkMachine } from "../../machines/link.ts";
import { loginMachine } from "../../machines/login.ts";
import { builtFile } from "./built.ts";
import { mermaidOf } from "./mermaid.ts";
import { type StateRow, statesOf, type TransitionRow, transitionsOf } from "./transitions.ts";

/** A statechart of ours. */
export type Flow = "login" | "link";

/** What `diagramOf` gives for `json`. */
export interface DiagramRows {
  readonly id: string;
  readonly states: readonly StateRow[];
  readonly transitions: readonly TransitionRow[];
}

const machines: { readonly [Name in Flow]: AnyStateMachine } = { login: loginMachine, link: linkMachine };

/**
 * A statechart as a picture or as data, as text.
 *
 * @param format `svg`: a drawing for light and dark, made when ventanilla was built. `mermaid`: a Mermaid state diagram.
 * `json`: `DiagramRows`.
 * @example
 * await writeFile("login.svg", diagramOf("login", "svg"));
 */
export function diagramOf(flow: Flow, format: "svg" | "mermaid" | "json"): string {
  const machine = machines[flow];
  switch (format) {
    case "svg":
      return builtFile(`diagrams/${flow}.svg`);
    case "mermaid":
      return `${mermaidOf(machine)}\n`;
    case "json": {
      const rows: DiagramRows = { id: machine.id, states: statesOf(machine), transitions: transitionsOf(machine) };
      return `${JSON.stringify(rows, undefined, 2)}\n`;
    }
  }
}
