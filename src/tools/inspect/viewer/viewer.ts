import type { TraceEvent } from "../../trace/trace-event.ts";
import { showActors, showDetails } from "./actor-tree.ts";
import { type ActorAtStep, findActors } from "./actors-at-step.ts";
import { highlight, keepInView } from "./highlight.ts";
import { Log } from "./log.ts";
import { formatState, formatTime } from "./sentences.ts";

// Above this number the run is cleared, so that a page can stay open for days.
const MAX_EVENTS = 20_000;

export type Destination = "first" | "previous" | "next" | "last";

/** The page: a run, and the step of it that is shown. */
export class Viewer {
  readonly #charts = [...document.querySelectorAll<SVGElement>("svg.ventanilla-chart")];
  readonly #choices = [...document.querySelectorAll<HTMLElement>("[data-chart]")];
  readonly #position = elementAt<HTMLInputElement>("position");
  readonly #log = new Log(elementAt("log"), (step) => this.goTo(step));
  #events: TraceEvent[] = [];
  #step = 0;
  /** The picked actor or statechart. Without one the page follows the run. */
  #picked: { readonly actor?: string; readonly chart?: string } = {};
  #isDue = false;
  readonly #box = elementAt("drawing");
  /** The element of the drawing that must be in view. */
  #seen: Element | null = null;

  constructor() {
    const observer = new ResizeObserver(() => this.#keepInView());
    for (const element of [this.#box, elementAt("log"), ...this.#charts]) observer.observe(element);
  }

  /** Adds a step, and shows it unless an earlier one is shown. */
  take(event: TraceEvent): void {
    if (this.#events.length >= MAX_EVENTS) this.clear();
    const isFollowed = this.#step === this.#events.length;
    this.#events.push(event);
    this.#log.add(event, this.#events[0]?.at ?? event.at);
    if (isFollowed) this.#step = this.#events.length;
    this.#showSoon();
  }

  goTo(step: number): void {
    this.#step = Math.max(0, Math.min(step, this.#events.length));
    this.#show();
  }

  go(destination: Destination): void {
    const steps = { first: 0, previous: this.#step - 1, next: this.#step + 1, last: this.#events.length };
    this.goTo(steps[destination]);
  }

  /** Shows one statechart. Without one the page follows the run again. */
  pick(chart: string | undefined): void {
    this.#picked = chart ? { chart } : {};
    this.#show();
  }

  clear(): void {
    this.#events = [];
    this.#step = 0;
    this.#picked = {};
    this.#log.clear();
    this.#show();
  }

  // All events of a trace arrive at once and are drawn once.
  #showSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#show();
    });
  }

  #show(): void {
    const { actors, latest } = findActors(this.#events, this.#step);
    const shown = this.#findShown(actors, latest);
    const chart = this.#picked.chart ?? findChart(shown) ?? "login";
    for (const drawing of this.#charts) {
      const isShown = drawing.id === `chart-${chart}`;
      drawing.toggleAttribute("hidden", !isShown);
      const active = highlight(drawing, drawing.id === `chart-${findChart(shown)}` ? shown : undefined);
      if (isShown) this.#seen = active;
    }
    for (const choice of this.#choices) {
      const isPressed = choice.dataset["chart"] === (this.#picked.chart ?? (this.#picked.actor ? undefined : ""));
      choice.setAttribute("aria-pressed", String(isPressed));
    }
    elementAt("state").textContent = shown ? `${shown.name}: ${formatState(shown.value)}` : "";
    showActors(elementAt("actors"), actors, shown, ({ id }) => {
      this.#picked = { actor: id };
      this.#show();
    });
    showDetails(elementAt("details"), actors.find(({ id }) => id === this.#picked.actor) ?? shown);
    this.#log.mark(this.#step);
    this.#showPlace();
    this.#keepInView();
  }

  #keepInView(): void {
    if (this.#seen) keepInView(this.#box, this.#seen);
    this.#log.keepInView();
  }

  #findShown(actors: readonly ActorAtStep[], latest: string | undefined): ActorAtStep | undefined {
    const { actor, chart } = this.#picked;
    const charted = actors.filter((each) => findChart(each) !== undefined);
    if (chart) return charted.findLast((each) => findChart(each) === chart);
    const picked = actors.find(({ id }) => id === actor);
    // A picked request shows the statechart that sent it.
    const wanted = picked && findChart(picked) === undefined ? picked.parent : (picked?.id ?? latest);
    return charted.find(({ id }) => id === wanted) ?? charted.at(-1);
  }

  #showPlace(): void {
    const [all, at] = [this.#events.length, this.#events[this.#step - 1]?.at];
    const time = formatTime(at === undefined ? 0 : at - (this.#events[0]?.at ?? at));
    this.#position.max = String(all);
    this.#position.value = String(this.#step);
    this.#position.setAttribute("aria-valuetext", `step ${this.#step} of ${all}, ${time}`);
    elementAt("place").textContent = `${this.#step} / ${all} · ${time}`;
  }
}

/** Which drawing an actor belongs to. */
function findChart(actor: ActorAtStep | undefined): string | undefined {
  if (!actor || actor.value === undefined) return undefined;
  return document.getElementById(`chart-${actor.name}`) ? actor.name : undefined;
}

export function elementAt<Kind extends HTMLElement>(id: string): Kind {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no ${id}.`);
  return element as Kind;
}
