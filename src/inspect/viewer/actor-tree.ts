import type { ActorAt } from "./actors-at-step.ts";
import { detailLines, stateText } from "./sentences.ts";

/** Shows the actors with their states, children below their parents: link → login → request. */
export function showActors(
  list: HTMLElement,
  actors: readonly ActorAt[],
  shown: ActorAt | undefined,
  choose: (actor: ActorAt) => void,
): void {
  const focused = document.activeElement?.getAttribute("data-actor");
  const known = new Set(actors.map(({ id }) => id));
  const isTop = ({ parent }: ActorAt) => parent === undefined || !known.has(parent);
  list.replaceChildren(...actors.filter(isTop).map((actor) => itemOf(actor, actors, shown, choose)));
  // The list is replaced at each step; the focus stays on its actor.
  if (focused) list.querySelector<HTMLElement>(`[data-actor="${CSS.escape(focused)}"]`)?.focus();
}

/** Shows the details of an actor. */
export function showDetails(list: HTMLElement, actor: ActorAt | undefined): void {
  const lines = actor ? detailLines(actor.details) : [];
  list.replaceChildren(...lines.flatMap(([name, text]) => [elementOf("dt", name), elementOf("dd", text)]));
}

function itemOf(
  actor: ActorAt,
  actors: readonly ActorAt[],
  shown: ActorAt | undefined,
  choose: (actor: ActorAt) => void,
): HTMLElement {
  const item = document.createElement("li");
  const button = elementOf(
    "button",
    `${actor.name}: ${actor.value === undefined ? actor.status : stateText(actor.value)}`,
  );
  button.setAttribute("type", "button");
  button.setAttribute("data-actor", actor.id);
  if (actor.status !== "active") button.className = "over";
  button.addEventListener("click", () => choose(actor));
  item.append(button);
  if (actor.id === shown?.id) item.setAttribute("aria-current", "true");
  const children = actors.filter(({ parent }) => parent === actor.id);
  if (children.length > 0) {
    const inner = document.createElement("ul");
    inner.append(...children.map((child) => itemOf(child, actors, shown, choose)));
    item.append(inner);
  }
  return item;
}

function elementOf(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
