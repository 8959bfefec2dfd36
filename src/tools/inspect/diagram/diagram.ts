import { readFileSync } from "node:fs";
import type { AnyStateMachine } from "xstate";
import { linkMachine } from "../../../../machines/link.ts";
import { loginMachine } from "../../../../machines/login.ts";
import { listStates, listTransitions } from "../../trace/transitions.ts";
import { findBuiltFile } from "../built-files.ts";
import { toMermaid } from "./mermaid.ts";

/** A statechart of the library. */
export type Flow = "login" | "link";

const machines: { readonly [Name in Flow]: AnyStateMachine } = { login: loginMachine, link: linkMachine };

/**
 * A statechart as a picture or as data, as text.
 *
 * @param format `svg`: a drawing for light and dark, made when ventanilla was built. `mermaid`: a Mermaid state diagram.
 * `json`: its `id`, its `states` and its `transitions`.
 * @example
 * await writeFile("login.svg", createDiagram("login", "svg"));
 */
export function createDiagram(flow: Flow, format: "svg" | "mermaid" | "json"): string {
  const machine = machines[flow];
  switch (format) {
    case "svg":
      return readFileSync(findBuiltFile("diagrams", `${flow}.svg`), "utf8");
    case "mermaid":
      return `${toMermaid(machine)}\n`;
    case "json": {
      const data = { id: machine.id, states: listStates(machine), transitions: listTransitions(machine) };
      return `${JSON.stringify(data, undefined, 2)}\n`;
    }
  }
}
