import { type ActorAt, type Move, pathsOf } from "./situation.ts";

/** An arrow of a drawing. */
interface DrawnArrow {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly events: readonly string[];
}

/** What an arrow's element says of it. */
export function arrowsIn(drawing: Element): DrawnArrow[] {
  return [...drawing.querySelectorAll<SVGElement>(".arrow[id]")].map(({ id, dataset }) => ({
    id,
    source: dataset["source"] ?? "",
    target: dataset["target"] ?? "",
    events: (dataset["events"] ?? "").split("|"),
  }));
}

/** The arrow that a move went along; the closest where it fits several, as a state within another does. */
export function arrowOf(arrows: readonly DrawnArrow[], { event, from, to }: Move): DrawnArrow | undefined {
  return arrows
    .filter(({ source, target, events }) => events.includes(event) && from.includes(source) && to.includes(target))
    .sort((one, other) => other.target.length - one.target.length || other.source.length - one.source.length)[0];
}

/** Lights the states that an actor is in and the arrow it came by. */
export function light(drawing: Element, actor: ActorAt | undefined): void {
  for (const lit of drawing.querySelectorAll(".current, .taken")) lit.classList.remove("current", "taken");
  if (!actor) return;
  const flow = drawing.id.replace(/^chart-/, "");
  for (const path of pathsOf(actor.value)) {
    drawing.ownerDocument.getElementById(`${flow}:${path}`)?.classList.add("current");
  }
  const taken = actor.move && arrowOf(arrowsIn(drawing), actor.move);
  if (taken) drawing.ownerDocument.getElementById(taken.id)?.classList.add("taken");
}
