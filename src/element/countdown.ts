import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { LinkView } from "../view/link-view.ts";

const SECOND = 1000;
// Seconds that are announced. Every second would drown out everything else.
const ANNOUNCED = [60, 10];

/** Counts the seconds to a point in time. */
export class Countdown implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #expiresAt: number | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.countTo(undefined);
  }

  /** Counts down to this time, in milliseconds since the epoch; `undefined` or infinity for none. */
  countTo(expiresAt: number | undefined): void {
    if (expiresAt === this.#expiresAt) return;
    this.#expiresAt = expiresAt;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (Number.isFinite(expiresAt)) this.#timer = setInterval(() => this.#host.requestUpdate(), SECOND);
  }

  /** Whole seconds left; `undefined` without a time limit. */
  get seconds(): number | undefined {
    if (this.#timer === undefined || this.#expiresAt === undefined) return undefined;
    return Math.max(0, Math.ceil((this.#expiresAt - Date.now()) / SECOND));
  }

  /** Whether the time left is announced now. */
  get isAnnounced(): boolean {
    return ANNOUNCED.includes(this.seconds ?? -1);
  }
}

/** `4:05` */
export function formatDuration(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** When the time of a step runs out; `undefined` if it has no limit. */
export function readExpiry(view: LinkView | undefined): number | undefined {
  if (view?.step === "answering") return view.question.expiresAt;
  return view?.step === "choosingClient" ? view.expiresAt : undefined;
}
