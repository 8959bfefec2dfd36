import type { Store } from "../../../src/core/tokens/store.ts";
import { isCritical as isCriticalRow, isHeartbeat as isHeartbeatRow, readChange } from "./kept-rows.ts";
import type { StoreChange } from "./processes.ts";
import { createOwner, type Owner } from "./schedule.ts";
import type { World } from "./world.ts";

/** Thrown in place of what a store would have done. */
class StoreFault extends Error {}

/** Milliseconds that an operation may take on its way there, and back. The first is the usual one. */
const LATENCIES = [1, 2, 3, 7, 20, 60, 250];
/** Those of a slow one. The longest is longer than a call of a callback may take. */
const LONG = [0, 900, 2_500, 4_500, 7_000, 12_000];

/** Milliseconds for which the code waits for an operation. */
const CALL_TIME = 10_000;

/** From then on an answer is late. */
const LATE = 400;

/** One store for all instances. Each operation has an effect, and later its answer, which may be lost. */
export class SimulatedStore {
  readonly #world: World;
  readonly #owner = createOwner("store");
  readonly #texts = new Map<string, { readonly text: string; readonly expiresAt: number }>();
  /** Each operation fails until then. */
  #failsUntil = 0;
  /** Called at each operation: an instance may be killed there. */
  onOperation: (owner: Owner, id: string, isAfter: boolean) => void = () => {};

  constructor(world: World) {
    this.#world = world;
  }

  fail(duration: number): void {
    this.#failsUntil = this.#world.schedule.now + duration;
    this.#world.disturb("store fails", this.#owner, this.#failsUntil);
  }

  has(id: string): boolean {
    return this.#find(id) !== undefined;
  }

  /** The store as an instance sees it. */
  connect(owner: Owner): Store {
    const run = <Result>(name: string, id: string, effect: () => Result) => this.#run(owner, name, id, effect);
    return {
      swap: (id, expected, text, lifetime) =>
        run("swap", id, () => {
          if (this.#find(id) !== expected) return false;
          this.#texts.set(id, { text, expiresAt: this.#world.schedule.now + lifetime });
          this.#changed({ verb: "swap", id, text });
          return true;
        }),
      read: (id) => run("read", id, () => this.#find(id)),
      list: (prefix, limit) =>
        run("list", prefix, () => {
          const found = [...this.#texts.keys()].filter((id) => id.startsWith(prefix) && this.#find(id) !== undefined);
          return found.sort().slice(0, limit);
        }),
      delete: (id) =>
        run("delete", id, () => {
          this.#texts.delete(id);
          this.#changed({ verb: "delete", id, text: undefined });
        }),
    };
  }

  #find(id: string): string | undefined {
    const row = this.#texts.get(id);
    return row && row.expiresAt > this.#world.schedule.now ? row.text : undefined;
  }

  #changed(change: StoreChange): void {
    for (const happening of readChange(change)) this.#world.note(happening);
  }

  #run<Result>(owner: Owner, name: string, id: string, effect: () => Result): Promise<Result> {
    const { schedule, draws, weather } = this.#world;
    const isCritical = isCriticalRow(id);
    const isHeartbeat = isHeartbeatRow(id) && name !== "read";
    this.onOperation(owner, id, false);
    return new Promise((resolve, reject) => {
      if (owner.isDead) return;
      const there = this.#drawLatency(isCritical);
      const back = this.#drawLatency(isCritical);
      // The operation, its answer, or without an error.
      const lost = weather.failingStore ? draws.draw(4, isCritical ? 0.03 : 0.005) : 0;
      if (isHeartbeat && there + back > 1_000) this.#world.disturb("heartbeat late", owner);
      // Its caller no longer waits for it.
      if (there + back >= CALL_TIME || lost > 0) this.#world.disturb("answer lost", owner, schedule.now + there + back);
      if (back > LATE) this.#world.disturb("answer late", owner, schedule.now + there + back);
      const answer = (run: () => void) => schedule.after(back, run, { owner });
      schedule.after(
        there,
        () => {
          const isDown = schedule.now < this.#failsUntil;
          if (isDown || lost === 1) {
            if (schedule.lines) schedule.say(`${name} ${id} fails`);
            answer(() => reject(new StoreFault()));
            return;
          }
          const result = effect();
          if (schedule.lines) {
            const outcome = lost > 0 ? " (its answer is lost)" : result === false ? " (taken)" : "";
            schedule.say(`${name} ${id}${outcome}`, name === "read" || name === "list" || isHeartbeat);
          }
          if (lost === 2) answer(() => reject(new StoreFault()));
          if (lost === 0) answer(() => resolve(result));
          this.onOperation(owner, id, true);
        },
        { owner: this.#owner, isAwaited: false },
      );
    });
  }

  #drawLatency(isCritical: boolean): number {
    const { draws, weather } = this.#world;
    const usual = LATENCIES[draws.draw(LATENCIES.length, 0.15)] ?? 1;
    const long = weather.slowStore ? (LONG[draws.draw(LONG.length, isCritical ? 0.03 : 0.004)] ?? 0) : 0;
    return usual + long;
  }
}
