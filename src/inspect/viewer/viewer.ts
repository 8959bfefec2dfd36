import type { Moment } from "../moment.ts";
import { showActors, showFacts } from "./actor-tree.ts";
import { light } from "./lit.ts";
import { Log } from "./log.ts";
import { stateText, timeText } from "./sentences.ts";
import { type ActorAt, situationAt } from "./situation.ts";

// A page that watches for days must not fill up: beyond this the run begins anew.
const MOST_MOMENTS = 20_000;

export type Way = "first" | "back" | "on" | "last";

/** The page: a run, and the step of it that is shown. */
export class Viewer {
  readonly #charts = [...document.querySelectorAll<SVGElement>("svg.ventanilla-chart")];
  readonly #choices = [...document.querySelectorAll<HTMLElement>("[data-chart]")];
  readonly #position = elementAt<HTMLInputElement>("position");
  readonly #log = new Log(elementAt("log"), (step) => this.goTo(step));
  #moments: Moment[] = [];
  #step = 0;
  /** What was picked to be shown; nothing picked follows the run. */
  #picked: { readonly actor?: string; readonly chart?: string } = {};
  #isDue = false;

  get step(): number {
    return this.#step;
  }

  get isAtEnd(): boolean {
    return this.#step === this.#moments.length;
  }

  /** Milliseconds from this step to the next. */
  get pause(): number {
    const [now, next] = this.#moments.slice(Math.max(0, this.#step - 1), this.#step + 1);
    return now && next ? next.at - now.at : 0;
  }

  /** Takes in what was seen, and shows it at once unless an earlier step is looked at. */
  take(moment: Moment): void {
    if (this.#moments.length >= MOST_MOMENTS) this.clear();
    const isFollowed = this.isAtEnd;
    this.#moments.push(moment);
    this.#log.add(moment, this.#moments[0]?.at ?? moment.at);
    if (isFollowed) this.#step = this.#moments.length;
    this.#showSoon();
  }

  goTo(step: number): void {
    this.#step = Math.max(0, Math.min(step, this.#moments.length));
    this.#show();
  }

  go(way: Way): void {
    const ways = { first: 0, back: this.#step - 1, on: this.#step + 1, last: this.#moments.length };
    this.goTo(ways[way]);
  }

  /** Shows one statechart whatever happens; none follows the run again. */
  pick(chart: string | undefined): void {
    this.#picked = chart ? { chart } : {};
    this.#show();
  }

  clear(): void {
    this.#moments = [];
    this.#step = 0;
    this.#picked = {};
    this.#log.clear();
    this.#show();
  }

  // A recorded run comes in all at once, and is drawn once.
  #showSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#show();
    });
  }

  #show(): void {
    const { actors, latest } = situationAt(this.#moments, this.#step);
    const shown = this.#shownOf(actors, latest);
    const chart = this.#picked.chart ?? chartOf(shown) ?? "login";
    for (const drawing of this.#charts) {
      drawing.toggleAttribute("hidden", drawing.id !== `chart-${chart}`);
      light(drawing, drawing.id === `chart-${chartOf(shown)}` ? shown : undefined);
    }
    for (const choice of this.#choices) {
      const isPressed = choice.dataset["chart"] === (this.#picked.chart ?? (this.#picked.actor ? undefined : ""));
      choice.setAttribute("aria-pressed", String(isPressed));
    }
    elementAt("state").textContent = shown ? `${shown.name}: ${stateText(shown.value)}` : "";
    showActors(elementAt("actors"), actors, shown, ({ id }) => {
      this.#picked = { actor: id };
      this.#show();
    });
    showFacts(elementAt("facts"), actors.find(({ id }) => id === this.#picked.actor) ?? shown);
    this.#log.mark(this.#step);
    this.#showPlace();
  }

  #shownOf(actors: readonly ActorAt[], latest: string | undefined): ActorAt | undefined {
    const { actor, chart } = this.#picked;
    const charted = actors.filter((each) => chartOf(each) !== undefined);
    if (chart) return charted.findLast((each) => chartOf(each) === chart);
    const picked = actors.find(({ id }) => id === actor);
    // A request is shown with the statechart that sent it.
    const wanted = picked && chartOf(picked) === undefined ? picked.parent : (picked?.id ?? latest);
    return charted.find(({ id }) => id === wanted) ?? charted.at(-1);
  }

  #showPlace(): void {
    const [all, at] = [this.#moments.length, this.#moments[this.#step - 1]?.at];
    const time = timeText(at === undefined ? 0 : at - (this.#moments[0]?.at ?? at));
    this.#position.max = String(all);
    this.#position.value = String(this.#step);
    this.#position.setAttribute("aria-valuetext", `step ${this.#step} of ${all}, ${time}`);
    elementAt("place").textContent = `${this.#step} / ${all} · ${time}`;
  }
}

/** Which drawing an actor belongs to. */
function chartOf(actor: ActorAt | undefined): string | undefined {
  if (!actor || actor.value === undefined) return undefined;
  return document.getElementById(`chart-${actor.name}`) ? actor.name : undefined;
}

export function elementAt<Kind extends HTMLElement>(id: string): Kind {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no ${id}.`);
  return element as Kind;
}
