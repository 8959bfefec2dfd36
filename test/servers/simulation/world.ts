import { type DrawSource, Draws } from "./draws.ts";
import type { Disturbance, Happening, NewHappening } from "./history.ts";
import type { Adapter } from "./processes.ts";
import { createOwner, type Owner, Schedule } from "./schedule.ts";

/** How much of each kind of fault a run has. Most runs have few kinds, so that one kind alone is tried too. */
export interface Weather {
  readonly kills: boolean;
  readonly pauses: boolean;
  readonly slowStore: boolean;
  readonly failingStore: boolean;
  readonly network: boolean;
  readonly bankLost: boolean;
  readonly slowBank: boolean;
  readonly clocks: boolean;
  readonly tabs: boolean;
  readonly stranger: boolean;
  readonly reloads: boolean;
  readonly operator: boolean;
  /** The app's `onEnd` fails, or is slow. */
  readonly badApp: boolean;
  /** The bank asks for confirmations in its app, again and again. */
  readonly approvals: boolean;
  /** The bank asks to choose a client. */
  readonly clients: boolean;
  /** The app says who is signed in. A hosted login has its user in any case. */
  readonly users: boolean;
}

const SHARES: Readonly<Record<keyof Weather, number>> = {
  kills: 0.4,
  pauses: 0.15,
  slowStore: 0.3,
  failingStore: 0.2,
  network: 0.4,
  bankLost: 0.15,
  slowBank: 0.5,
  clocks: 0.1,
  tabs: 0.4,
  stranger: 0.3,
  reloads: 0.6,
  operator: 0.6,
  badApp: 0.2,
  approvals: 0.25,
  clients: 0.3,
  users: 0.7,
};

/** Milliseconds of a run in which something can go wrong. */
export const TROUBLE = 150_000;

/** The parts of a run that all others use. */
export class World {
  readonly schedule: Schedule;
  readonly draws: Draws;
  readonly adapter: Adapter;
  readonly history: Happening[] = [];
  readonly weather: Weather;
  /** When the first page was opened. */
  begunAt = 0;
  readonly #waiting = new Map<Happening["type"], readonly (() => void)[]>();
  #lastMark = 0;

  constructor(source: DrawSource, adapter: Adapter, isPrinted: boolean) {
    this.draws = new Draws(source);
    this.schedule = new Schedule(this.draws, isPrinted);
    this.adapter = adapter;
    const kinds = Object.entries(SHARES).map(([kind, share]) => [kind, this.draws.draw(2, share) === 1]);
    this.weather = Object.fromEntries(kinds);
  }

  note(happening: NewHappening): void {
    this.history.push({ ...happening, at: this.schedule.now });
    for (const wake of this.#waiting.get(happening.type) ?? []) wake();
    this.#waiting.delete(happening.type);
    if (!this.schedule.lines) return;
    const { type, ...rest } = happening;
    this.schedule.say(`${type} ${JSON.stringify(rest)}`, type === "stored" || type === "removed");
  }

  /** Waits until something of this type happens. */
  waitFor(type: Happening["type"]): Promise<void> {
    const { owner } = this.schedule;
    return new Promise((resolve) => {
      const wake = () => this.schedule.after(1, resolve, { owner });
      this.#waiting.set(type, [...(this.#waiting.get(type) ?? []), wake]);
    });
  }

  disturb(by: Disturbance, owner: Owner, until = this.schedule.now): void {
    this.note({ type: "disturbed", by, instance: owner.name, until });
  }

  /** A text that no other one is like. */
  createMark(): string {
    this.#lastMark += 1;
    return `m${this.#lastMark}`;
  }

  /** Starts code of an owner of its own. */
  start(name: string, work: (owner: Owner) => Promise<void>, delay = 0): Owner {
    const owner = createOwner(name);
    this.schedule.after(delay, () => void work(owner), { owner });
    return owner;
  }
}
