import { SimulatedBank } from "./bank.ts";
import { isCritical as isCriticalRow } from "./kept-rows.ts";
import type { Instance, Process } from "./processes.ts";
import { createOwner, type Owner } from "./schedule.ts";
import type { SimulatedStore } from "./store.ts";
import type { World } from "./world.ts";

const LATENCIES = [5, 20, 90, 400, 1_500];
/** Milliseconds until a page no longer waits for a response. */
const PATIENCE = 90_000;
/** Milliseconds until an instance that was killed is replaced. */
const RESTART = 3_000;
const PAUSES = [0, 700, 3_000, 6_000, 12_000];
const OFFSETS = [0, 5_000, 20_000, 30_000, -30_000];

/** The instances, and the network in front of them. */
export class SimulatedNetwork {
  readonly #world: World;
  readonly #store: SimulatedStore;
  readonly bank: SimulatedBank;
  readonly #processes: Process[] = [];
  readonly #open = new Map<Owner, Set<() => void>>();
  #started = 0;
  #kills = 0;

  constructor(world: World, store: SimulatedStore) {
    this.#world = world;
    this.#store = store;
    this.bank = new SimulatedBank(world);
    store.onOperation = (owner, id, isAfter) => this.#mayBreak(owner, id, isAfter);
    this.#start();
    this.#start();
  }

  /** A request of a page. Requests and responses may be lost, late and repeated. @param options.lost what a lost response is. */
  call<Result>(
    page: Owner,
    request: (instance: Instance) => Promise<Result>,
    { lost, patience = PATIENCE }: { readonly lost: Result; readonly patience?: number },
  ): Promise<Result> {
    const { schedule, draws, weather } = this.#world;
    const drawFault = (share: number) => (weather.network ? draws.draw(2, share) === 1 : false);
    return new Promise((resolve) => {
      schedule.after(patience, () => resolve(lost), { owner: page });
      const deliver = () => {
        if (drawFault(0.05)) return schedule.after(300, () => resolve(lost), { owner: page });
        const process = this.#choose();
        if (!process) return schedule.after(10, () => resolve(lost), { owner: page });
        const { owner } = process;
        const open = this.#open.get(owner) ?? new Set();
        const breakOff = () => schedule.after(10, () => resolve(lost), { owner: page });
        open.add(breakOff);
        const isLost = drawFault(0.07);
        const serve = () => {
          request(process.instance).then(
            (response) => {
              open.delete(breakOff);
              schedule.after(this.#drawLatency(), () => resolve(isLost ? lost : response), { owner: page });
            },
            () => {
              open.delete(breakOff);
              schedule.after(5, () => resolve(lost), { owner: page });
            },
          );
        };
        return schedule.after(this.#drawLatency(), serve, { owner });
      };
      deliver();
      // A proxy repeats it, or the browser.
      if (drawFault(0.06)) deliver();
    });
  }

  /** A call of the app to its own instance. */
  async callAsApp<Result>(work: (instance: Instance) => Promise<Result>): Promise<Result | undefined> {
    const { schedule } = this.#world;
    const app = schedule.owner;
    const process = this.#choose();
    return new Promise((resolve) => {
      if (!process) return void schedule.after(10, () => resolve(undefined), { owner: app });
      const { instance, owner } = process;
      const open = this.#open.get(owner) ?? new Set();
      const settle = (result: Result | undefined) => {
        open.delete(breakOff);
        schedule.after(1, () => resolve(result), { owner: app });
      };
      const breakOff = () => schedule.after(10, () => resolve(undefined), { owner: app });
      open.add(breakOff);
      schedule.after(1, () => work(instance).then(settle, () => settle(undefined)), { owner });
    });
  }

  /** Ends the trouble: each instance goes on. */
  calm(): void {
    for (const { owner } of this.#processes) owner.pausedUntil = Math.min(owner.pausedUntil, this.#world.schedule.now);
  }

  #drawLatency(): number {
    const { draws, weather } = this.#world;
    return LATENCIES[draws.draw(LATENCIES.length, weather.network ? 0.2 : 0.05)] ?? 5;
  }

  /** `undefined`: no instance runs. */
  #choose(): Process | undefined {
    const alive = this.#processes.filter(({ owner }) => !owner.isDead);
    return alive.length === 0 ? undefined : alive[this.#world.draws.draw(alive.length)];
  }

  #start(): void {
    const { schedule, adapter, draws, weather } = this.#world;
    this.#started += 1;
    const owner = createOwner(`instance ${this.#started}`);
    this.#open.set(owner, new Set());
    if (weather.clocks) {
      owner.clockOffset = OFFSETS[draws.draw(OFFSETS.length)] ?? 0;
      if (owner.clockOffset !== 0) this.#world.disturb("clock", owner);
    }
    const instance = adapter.createInstance({
      client: this.bank.connect(owner),
      store: this.#store.connect(owner),
      environment: {
        now: () => schedule.now + owner.clockOffset,
        elapsed: () => schedule.now,
        wait: (delay, signal) => schedule.wait(delay, signal),
        createToken: () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url"),
      },
      hasUsers: weather.users,
      onEnd: (session) => this.#tell(owner, session),
      onKey: (session, key) => this.#world.note({ type: "keyTaken", session, recipient: "onLogin", key }),
    });
    this.#processes.push({ owner, instance });
  }

  async #tell(owner: Owner, session: string): Promise<void> {
    const { draws, weather, schedule } = this.#world;
    this.#world.note({ type: "onEnd", instance: owner.name, session, isBegun: true });
    const fault = weather.badApp ? draws.draw(3, 0.5) : 0;
    await schedule.wait(fault === 2 ? 12_000 : 30);
    if (fault > 0) throw new Error("the app fails");
    this.#world.note({ type: "onEnd", instance: owner.name, session, isBegun: false });
  }

  /** At an operation of the store an instance may be killed, stand still, or get another clock. */
  #mayBreak(owner: Owner, id: string, isAfter: boolean): void {
    const { schedule, draws, weather } = this.#world;
    if (owner.isDead || draws.isQuiet) return;
    const isCritical = isCriticalRow(id);
    if (weather.kills && this.#kills < 2 && draws.draw(2, isCritical ? 0.03 : 0.002) === 1) this.#kill(owner);
    if (isAfter || owner.isDead) return;
    if (weather.pauses) {
      const pause = PAUSES[draws.draw(PAUSES.length, isCritical ? 0.02 : 0.002)] ?? 0;
      if (pause > 0) {
        owner.pausedUntil = schedule.now + pause;
        this.#world.disturb("pause", owner, owner.pausedUntil);
      }
    }
    if (weather.clocks && draws.draw(2, 0.002) === 1) {
      owner.clockOffset = OFFSETS[draws.draw(OFFSETS.length)] ?? 0;
      this.#world.disturb("clock", owner);
    }
    if (weather.failingStore && draws.draw(2, 0.003) === 1) {
      this.#store.fail([2_000, 15_000, 40_000][draws.draw(3)] ?? 2_000);
    }
  }

  #kill(owner: Owner): void {
    this.#kills += 1;
    this.#world.disturb("kill", owner);
    owner.isDead = true;
    const open = this.#open.get(owner) ?? new Set();
    for (const breakOff of open) breakOff();
    open.clear();
    this.#world.start("supervisor", async () => this.#start(), RESTART);
  }
}
