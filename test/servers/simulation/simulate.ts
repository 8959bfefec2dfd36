import type { DrawSource } from "./draws.ts";
import { replaceGlobals } from "./globals.ts";
import { type Happening, STRANGER } from "./history.ts";
import { SimulatedNetwork } from "./network.ts";
import { Operator } from "./operator.ts";
import { Intruder, Page, type Visitor } from "./pages.ts";
import type { Adapter } from "./processes.ts";
import { ORIGINS } from "./relay-adapter.ts";
import type { Line } from "./schedule.ts";
import { SimulatedStore } from "./store.ts";
import { TROUBLE, World } from "./world.ts";

// A run of the real code on a simulated clock, store, network and bank. Its parts, from the bottom:
// - `schedule`, `draws`, `globals`, `shrink`: what waits, what goes on next, and the smallest list of draws that still breaks. They know of no login.
// - `world`, `store`, `bank`, `network`, `pages`, `operator`: what the real code meets. They note what happens in a `history`.
// - `hosted-adapter`, `relay-adapter`, `wire`, `kept-rows`: what pages send to each door, and how its responses and the rows are read.
// - `checkers`, `evidence`, `known-breaks`: the promises, as functions of a history. `planted-bugs.json`: what each checker must find.

/** Milliseconds after which a run that goes on is broken. */
const LIMIT = 1_200_000;
/** Milliseconds in which what is under way comes to its end, after the last page has. */
const REST = 40_000;

/** What a run has left. */
export interface Run {
  readonly history: readonly Happening[];
  readonly door: Adapter["door"];
  readonly draws: readonly number[];
  readonly fingerprint: number;
  readonly steps: number;
  readonly lines: readonly Line[];
}

/** Where the person logs in: a page of each origin, or an app without cookies. */
const PLACES = [...ORIGINS, undefined];

/** A token that belongs to no login. */
const letters = (letter: string) => letter.repeat(43);

/** Who has each id of a log, and who has the token too, but is another user. */
function createStrangers(owner: Visitor, hasUsers: boolean): readonly Visitor[] {
  const stranger = { ...owner, person: STRANGER, browser: letters("s") };
  const reader = { ...stranger, token: letters("s"), ...(hasUsers && { user: "user-2" }) };
  return hasUsers ? [reader, { ...stranger, user: "user-2", hasToken: true }] : [reader];
}

/** One run of the world over a record. */
export async function simulate(
  source: DrawSource,
  adapter: Adapter,
  { isPrinted = false }: { readonly isPrinted?: boolean } = {},
): Promise<Run> {
  const world = new World(source, adapter, isPrinted);
  const { schedule, draws, weather } = world;
  const putBack = replaceGlobals(schedule);
  try {
    const store = new SimulatedStore(world);
    const network = new SimulatedNetwork(world, store);
    let isOver = false;
    const live = async () => {
      const user = "user-1";
      // Nothing goes wrong before there is a session.
      draws.isQuiet = true;
      const created = await network.callAsApp((instance) => instance.create(user));
      draws.isQuiet = false;
      if (!created) throw new Error("There is no session.");
      const { session, token = "" } = created;
      world.note({ type: "created", session, person: "ana" });
      world.begunAt = schedule.now;
      schedule.after(TROUBLE, () => {
        draws.isQuiet = true;
        network.calm();
      });
      const origin = adapter.door === "relay" ? PLACES[draws.draw(PLACES.length)] : undefined;
      const ana: Visitor = { person: "ana", session, browser: letters("a"), token, user, origin, stored: 0 };
      let open = 0;
      const openPage = (name: string, delay: number) => {
        open += 1;
        world.start(
          name,
          async (owner) => {
            await new Page(world, network, ana, owner).live();
            open -= 1;
          },
          delay,
        );
      };
      openPage("page", 0);
      if (weather.tabs) openPage("tab", [2_000, 10, 300, 5_000][draws.draw(4)] ?? 2_000);
      const strangers = weather.stranger ? createStrangers(ana, weather.users && adapter.door === "relay") : [];
      for (const stranger of strangers)
        world.start("stranger", (owner) => new Intruder(world, network, stranger, owner).live());
      const operator = new Operator(world, network, { session, user });
      await operator.live(() => open === 0);
      while (open > 0) await schedule.wait(1_000);
      await schedule.wait(REST);
      // Of a login that is forgotten they may begin one of their own.
      const isErased = world.history.some((one) => one.type === "ended" && one.isErasure);
      if (strangers.length > 0 && adapter.door === "relay" && !isErased && store.has(`login:${session}`)) {
        world.note({ type: "strangersAlone" });
        for (const stranger of strangers) await new Intruder(world, network, stranger, schedule.owner).tryAll();
      }
      isOver = true;
    };
    world.start("app", live);
    await schedule.run(() => isOver, LIMIT);
    return {
      history: world.history,
      door: adapter.door,
      draws: draws.made,
      fingerprint: schedule.fingerprint,
      steps: schedule.steps,
      lines: schedule.lines ?? [],
    };
  } finally {
    putBack();
  }
}
