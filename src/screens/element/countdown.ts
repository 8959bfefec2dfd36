import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { LinkView } from "../../core/view/link-view.ts";

const SECOND = 1000;
// Seconds of a wait that are announced. Every second would drown out everything else.
const ANNOUNCED = [10, 60];
// The last seconds to answer, which are shown.
const SHORT = 60;
// Seconds after which a wait is long.
const LONG = 10;

/** Counts the seconds that are left to answer, or that a wait has taken. */
export class Countdown implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  /** When the time runs out, or the busy state. */
  #counted: number | string | undefined;
  #begun = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.count(undefined);
  }

  /** Counts for this view. */
  count(view: LinkView | undefined): void {
    const counted = view?.busy ? view.state : view && readExpiry(view);
    if (counted === this.#counted) return;
    this.#counted = counted;
    this.#begun = Date.now();
    clearInterval(this.#timer);
    if (counted !== undefined) this.#timer = setInterval(() => this.#host.requestUpdate(), SECOND);
  }

  /** Whole seconds; `undefined` before a wait is long, and before the last minute of a time limit: it is the page's own, and a code may be valid for less. */
  get seconds(): number | undefined {
    if (typeof this.#counted === "number") {
      const left = Math.max(0, Math.ceil((this.#counted - Date.now()) / SECOND));
      return left <= SHORT ? left : undefined;
    }
    const seconds = Math.floor((Date.now() - this.#begun) / SECOND);
    return this.#counted && seconds >= LONG ? seconds : undefined;
  }

  /** Whether the time is announced now: twice in a wait, and once when little is left. */
  get isAnnounced(): boolean {
    const announced = typeof this.#counted === "number" ? [SHORT] : ANNOUNCED;
    return announced.includes(this.seconds ?? -1);
  }
}

/** `4:05` */
export function formatDuration(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** When the time of a state runs out; `undefined` if it has no limit. */
function readExpiry(view: LinkView): number | undefined {
  const expiresAt = "question" in view ? view.question.expiresAt : "expiresAt" in view ? view.expiresAt : undefined;
  return Number.isFinite(expiresAt) ? expiresAt : undefined;
}
