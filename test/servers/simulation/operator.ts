import type { SimulatedNetwork } from "./network.ts";
import type { Instance } from "./processes.ts";
import type { World } from "./world.ts";

const DELAYS = [20_000, 1_700, 2_300, 3_500, 5_000, 9_000] as const;
const MOMENTS = [4, 8, 11, 14, 18, 25, 60, 400, 1_200];
const TRIES = 200;
/** Sweeps, one a minute, until the end was told: the trouble is over by then. */
const SWEEPS = 6;

/** The app: it cancels or erases, asks where the session is, takes the key, and sweeps. */
export class Operator {
  readonly #world: World;
  readonly #network: SimulatedNetwork;
  readonly #session: string;
  readonly #user: string;

  constructor(world: World, network: SimulatedNetwork, { session, user }: { session: string; user: string }) {
    this.#world = world;
    this.#network = network;
    this.#session = session;
    this.#user = user;
  }

  async live(arePagesGone: () => boolean): Promise<void> {
    const { draws, weather, schedule, adapter } = this.#world;
    const isHosted = adapter.door === "hosted";
    const deed = weather.operator ? draws.draw(3) : 0;
    if (deed > 0) {
      // Often at the moment of a submit.
      if (draws.draw(2, 0.5) === 1) {
        await Promise.race([this.#world.waitFor("submitted"), schedule.wait(DELAYS[0])]);
        await schedule.wait(MOMENTS[draws.draw(MOMENTS.length)] ?? 0);
      } else await schedule.wait(DELAYS[draws.draw(DELAYS.length)] ?? 0);
      // Nobody's logins can be erased where there are no users.
      if (deed === 1 || !(isHosted || weather.users)) await this.#cancel();
      else await this.#erase();
    }
    if (!isHosted) return;
    while (!arePagesGone()) {
      if ((await this.#network.callAsApp((instance) => instance.read(this.#session))) === "logged_in") break;
      await schedule.wait(10_000);
    }
    if ((await this.#network.callAsApp((instance) => instance.read(this.#session))) === "logged_in") {
      await Promise.all([this.#take("job 1"), this.#take("job 2")]);
      await this.#take("job 1");
    }
    const isConclusive = () => this.#world.history.some((one) => one.type === "onEnd" && !one.isBegun);
    for (let minute = 0; minute < SWEEPS && !isConclusive(); minute += 1) {
      await this.#network.callAsApp((instance) => instance.sweep());
      await schedule.wait(61_000);
    }
  }

  async #cancel(): Promise<void> {
    const session = this.#session;
    // The second time as the first: a call whose answer was lost is repeated.
    for (let time = 0; time < 2; time += 1) {
      const { said, since } = await this.#insist((instance) => instance.cancel(session));
      if (!said?.isEnded) return;
      this.#world.note({ type: "confirmed", verb: "cancel", session, since, saysSent: said.saysSent });
      // It may tell of the end, too.
      await this.#network.callAsApp((instance) => instance.read(session));
      await this.#world.schedule.wait(3_000);
    }
  }

  async #erase(): Promise<void> {
    for (let time = 0; time < 2; time += 1) {
      const { said, since } = await this.#insist((instance) => instance.erase(this.#user));
      if (!said) return;
      this.#world.note({ type: "confirmed", verb: "erase", session: this.#session, since, saysSent: said.saysSent });
      await this.#world.schedule.wait(3_000);
    }
  }

  async #take(recipient: string): Promise<void> {
    const session = this.#session;
    const key = await this.#network.callAsApp((instance) => instance.takeKey(session, recipient));
    if (key === undefined) this.#world.note({ type: "keyRefused", session, recipient });
    else this.#world.note({ type: "keyTaken", session, recipient, key });
  }

  async #insist<Result>(
    work: (instance: Instance) => Promise<Result>,
  ): Promise<{ readonly said: Result | undefined; readonly since: number }> {
    const { schedule } = this.#world;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const since = schedule.now;
      const said = await this.#network.callAsApp(work);
      if (said !== undefined) return { said, since };
      await schedule.wait(2_000);
    }
    return { said: undefined, since: schedule.now };
  }
}
