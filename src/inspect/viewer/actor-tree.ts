import { factLines, stateText } from "./sentences.ts";
import type { ActorAt } from "./situation.ts";

/** Shows who there is, whose child, and how they stand: link → login → request. */
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
  // The list is made anew with each step; who was in it stays in it.
  if (focused) list.querySelector<HTMLElement>(`[data-actor="${CSS.escape(focused)}"]`)?.focus();
}

/** Shows what may be told of an actor. */
export function showFacts(list: HTMLElement, actor: ActorAt | undefined): void {
  const lines = actor ? factLines(actor.facts) : [];
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
