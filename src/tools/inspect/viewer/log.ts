import type { TraceEvent } from "../../trace/trace-event.ts";
import { keepInView } from "./highlight.ts";
import { formatSentence, formatTime } from "./sentences.ts";

/** The list of all events of a run. */
export class Log {
  readonly #list: HTMLElement;
  readonly #go: (step: number) => void;
  readonly #names = new Map<string, string>();
  #current = 0;

  constructor(list: HTMLElement, go: (step: number) => void) {
    this.#list = list;
    this.#go = go;
    list.addEventListener("click", ({ target }) => {
      const item = target instanceof Element ? target.closest("li") : null;
      if (item) this.#go([...list.children].indexOf(item) + 1);
    });
  }

  add(event: TraceEvent, start: number): void {
    if (event.type === "@xstate.actor") this.#names.set(event.sessionId, event.name);
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    const [time, what] = [document.createElement("span"), document.createElement("span")];
    time.className = "time";
    time.textContent = formatTime(event.at - start);
    what.className = "what";
    what.textContent = formatSentence(event, (id) => this.#names.get(id) ?? id);
    button.append(time, what);
    item.append(button);
    this.#list.append(item);
  }

  /** Marks the position of the replay. */
  mark(step: number): void {
    this.#list.children[this.#current - 1]?.removeAttribute("aria-current");
    this.#list.children[step - 1]?.setAttribute("aria-current", "step");
    this.#current = step;
  }

  /** Scrolls to the current step. */
  keepInView(): void {
    const item = this.#list.children[this.#current - 1];
    if (item) keepInView(this.#list, item);
  }

  clear(): void {
    this.#list.replaceChildren();
    this.#names.clear();
    this.#current = 0;
  }
}
