import type { ActorAtStep } from "./actors-at-step.ts";
import { formatState, listDetails } from "./sentences.ts";

/** Shows the actors with their states, children below their parents: link → login → request. */
export function showActors(
  list: HTMLElement,
  actors: readonly ActorAtStep[],
  shown: ActorAtStep | undefined,
  choose: (actor: ActorAtStep) => void,
): void {
  const focused = document.activeElement?.getAttribute("data-actor");
  const known = new Set(actors.map(({ id }) => id));
  const isTop = ({ parent }: ActorAtStep) => parent === undefined || !known.has(parent);
  list.replaceChildren(...actors.filter(isTop).map((actor) => createItem(actor, actors, shown, choose)));
  // The list is replaced at each step; the focus stays on the same actor.
  if (focused) list.querySelector<HTMLElement>(`[data-actor="${CSS.escape(focused)}"]`)?.focus();
}

/** Shows the details of an actor. */
export function showDetails(list: HTMLElement, actor: ActorAtStep | undefined): void {
  const lines = actor ? listDetails(actor.details) : [];
  list.replaceChildren(...lines.flatMap(([name, text]) => [createElement("dt", name), createElement("dd", text)]));
}

function createItem(
  actor: ActorAtStep,
  actors: readonly ActorAtStep[],
  shown: ActorAtStep | undefined,
  choose: (actor: ActorAtStep) => void,
): HTMLElement {
  const item = document.createElement("li");
  const state = actor.value === undefined ? actor.status : formatState(actor.value);
  const button = createElement("button", `${actor.name}: ${state}`);
  button.setAttribute("type", "button");
  button.setAttribute("data-actor", actor.id);
  if (actor.status !== "active") button.className = "over";
  button.addEventListener("click", () => choose(actor));
  item.append(button);
  if (actor.id === shown?.id) item.setAttribute("aria-current", "true");
  const children = actors.filter(({ parent }) => parent === actor.id);
  if (children.length === 0) return item;
  const inner = document.createElement("ul");
  inner.append(...children.map((child) => createItem(child, actors, shown, choose)));
  item.append(inner);
  return item;
}

function createElement(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
