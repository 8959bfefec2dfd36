import { formatArrowId, formatEventClass } from "../diagram/arrows.ts";
import { type ActorAtStep, listPaths, type Move } from "./actors-at-step.ts";

/** Highlights the states of an actor, the arrow of its last move, and those of its path. @returns the element that must be in view. */
export function highlight(drawing: Element, actor: ActorAtStep | undefined): Element | null {
  for (const element of drawing.querySelectorAll(".current, .taken, .passed"))
    element.classList.remove("current", "taken", "passed");
  const flow = drawing.id.replace(/^chart-/, "");
  const states = listPaths(actor?.value).map((path) => drawing.querySelector(`#${CSS.escape(`${flow}:${path}`)}`));
  for (const state of states) state?.classList.add("current");
  for (const move of actor?.path ?? []) {
    for (const arrow of findArrows(drawing, flow, move)) arrow.classList.add("passed");
  }
  for (const arrow of actor?.move ? findArrows(drawing, flow, actor.move) : []) arrow.classList.add("taken");
  return states.at(-1) ?? drawing.querySelector(".first");
}

/** The arrow of a move, and the trunk that it joins. Several may match, so the innermost states come first. */
function findArrows(drawing: Element, flow: string, { event, from, to }: Move): Element[] {
  // A request that is done can end its parent state: then the parent is done, and its arrow leads on.
  const classes = [formatEventClass(event), "done", "always"];
  for (const target of to.toReversed()) {
    for (const source of from.toReversed()) {
      const arrow = drawing.querySelector(`#${CSS.escape(formatArrowId(flow, source, target))}`);
      if (!arrow || !classes.some((name) => arrow.classList.contains(name))) continue;
      const joint = [...arrow.classList].find((name) => name.startsWith("joint-"));
      return [arrow, ...drawing.querySelectorAll(`.trunk.${joint}`)];
    }
  }
  return [];
}

/**
 * Scrolls a box until an element in it is visible. `scrollIntoView` would also scroll the page around this frame.
 */
export function keepInView(box: Element, element: Element): void {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  const isSeen =
    inner.top >= outer.top && inner.bottom <= outer.bottom && inner.left >= outer.left && inner.right <= outer.right;
  if (isSeen) return;
  box.scrollBy(
    inner.left + inner.width / 2 - outer.left - outer.width / 2,
    inner.top + inner.height / 2 - outer.top - outer.height / 2,
  );
}
