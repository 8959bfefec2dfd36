import type { Draws } from "./draws.ts";

/** A process, a page or a part of the world: what has begun an operation, and gets its answer. */
export interface Owner {
  readonly name: string;
  /** Nothing that waits for it goes on. */
  isDead: boolean;
  /** It stands still until then. */
  pausedUntil: number;
  /** Milliseconds by which its clock is wrong. */
  clockOffset: number;
}

export const createOwner = (name: string): Owner => ({ name, isDead: false, pausedUntil: 0, clockOffset: 0 });

/** A waiting operation. */
export interface Waiting {
  at: number;
  readonly order: number;
  readonly owner: Owner;
  readonly run: () => void;
  /** Whether code that waits for it goes on. */
  readonly isAwaited: boolean;
  isCancelled: boolean;
}

/** What a run has done, for its print. */
export interface Line {
  readonly at: number;
  readonly owner: string;
  readonly text: string;
  /** A timer, a poll or a heartbeat. */
  readonly isRoutine: boolean;
}

/** The platform's own: the one of the globals is replaced. */
const drain = setImmediate;

/** A fixed moment: no run depends on the day. */
export const START = Date.UTC(2026, 0, 1);

/** The clock and the queue of a run. One operation after the other goes on, with all that follows from it at once. */
export class Schedule {
  now = START;
  /** Whose code runs. */
  owner = createOwner("world");
  readonly draws: Draws;
  readonly lines: Line[] | undefined;
  /** Tells two runs apart. */
  fingerprint = 0;
  steps = 0;
  #order = 0;
  readonly #heap: Waiting[] = [];

  constructor(draws: Draws, isPrinted = false) {
    this.draws = draws;
    this.lines = isPrinted ? [] : undefined;
  }

  /** Notes something for the print. */
  say(text: string, isRoutine = false): void {
    this.lines?.push({ at: this.now - START, owner: this.owner.name, text, isRoutine });
  }

  /** Goes on after some milliseconds. Without an owner of its own it belongs to whose code runs now. */
  after(delay: number, run: () => void, { owner = this.owner, isAwaited = true } = {}): Waiting {
    this.#order += 1;
    const waiting = { at: this.now + delay, order: this.#order, owner, run, isAwaited, isCancelled: false };
    this.#push(waiting);
    return waiting;
  }

  wait(delay: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const waiting = this.after(delay, () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      });
      const stop = () => {
        waiting.isCancelled = true;
        resolve();
      };
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** Runs until there is nothing left, or it is over. @returns whether it ended before the limit of time. */
  async run(isOver: () => boolean, limit: number): Promise<boolean> {
    await this.#settle();
    for (;;) {
      const next = this.#pop();
      if (!next || isOver()) return true;
      if (next.at - START > limit) return false;
      this.now = Math.max(this.now, next.at);
      this.owner = next.owner;
      let isAwaited = next.isAwaited;
      next.run();
      this.#note(next);
      // What the same owner gets at the same moment, it gets at once.
      for (let other = this.#heap[0]; other; other = this.#heap[0]) {
        if (other.at > this.now || other.owner !== next.owner || this.#isHeld(other)) break;
        this.#take();
        if (other.isCancelled) continue;
        other.run();
        this.#note(other);
        isAwaited ||= other.isAwaited;
      }
      if (isAwaited) await this.#settle();
    }
  }

  /** Microtasks alone are too few for the bodies of `Request` and `Response`. */
  #settle(): Promise<void> {
    return new Promise((resolve) => drain(resolve));
  }

  #note({ owner }: Waiting): void {
    this.steps += 1;
    this.fingerprint = (Math.imul(this.fingerprint, 31) + this.now + owner.name.length * 7 + this.#order) | 0;
  }

  #isHeld = ({ owner }: Waiting): boolean => owner.isDead || owner.pausedUntil > this.now;

  #pop(): Waiting | undefined {
    for (;;) {
      const next = this.#take();
      if (!next) return undefined;
      if (next.isCancelled || next.owner.isDead) continue;
      const { pausedUntil } = next.owner;
      if (pausedUntil <= next.at) return next;
      next.at = pausedUntil;
      this.#push(next);
    }
  }

  #isBefore = (one: Waiting, other: Waiting): boolean =>
    one.at < other.at || (one.at === other.at && one.order < other.order);

  #push(waiting: Waiting): void {
    const heap = this.#heap;
    let index = heap.push(waiting) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (!above || this.#isBefore(above, waiting)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = waiting;
  }

  #take(): Waiting | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const left = heap[child];
      const right = heap[child + 1];
      if (!left) break;
      let smaller = left;
      if (right && this.#isBefore(right, left)) {
        smaller = right;
        child += 1;
      }
      if (!this.#isBefore(smaller, last)) break;
      heap[index] = smaller;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}
