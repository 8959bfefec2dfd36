import fc from "fast-check";
import { afterAll, afterEach, beforeEach, expect } from "vitest";

// How often each property is tried: the same values in each run of the tests, so few of them, and many more, other ones in each
// run with `VENTANILLA_RUNS`. A failure prints the seed and the path that repeat it.
const runs = process.env["VENTANILLA_RUNS"];
fc.configureGlobal(runs ? { numRuns: Number(runs) } : { numRuns: 100, seed: 20_260_101 });

// No response may write to what the whole process shares: after each test the built-in prototypes have the members that they had.
const builtIns = [Object, Array, String, Number, Boolean, Function, Promise, Map, Set, WeakMap, Date, RegExp, Error];
const listMembers = () => builtIns.map(({ name, prototype }) => [name, ...Reflect.ownKeys(prototype)].map(String));
const countMembers = () => builtIns.reduce((count, { prototype }) => count + Reflect.ownKeys(prototype).length, 0);
const members = listMembers();
const count = countMembers();
afterEach(() => {
  // Counted, and only then compared: there are thousands of tests.
  if (countMembers() !== count) expect(listMembers()).toEqual(members);
});

// A title is read in one look: what is generated into it is cut off, as `$0` does it in place of `%j`.
beforeEach(({ task }) => {
  expect(task.name.length, task.name).toBeLessThanOrEqual(100);
});

// The connections of `fetch` end with their file: a response that is still on its way would set a timer in the fake clock of the next one.
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");
afterAll(async () => {
  const agent = Reflect.get(globalThis, DISPATCHER) as
    | { destroy(): Promise<void>; constructor: new () => object }
    | undefined;
  if (!agent) return;
  Reflect.set(globalThis, DISPATCHER, new agent.constructor());
  await agent.destroy();
});

// A login that a test has left open looks at the clock each second until its time to answer is over. Its timer ends with its file: in the fake clock
// of the next one, months from the real time, it would be set again and again.
const OPEN_LOGINS = Symbol.for("timers of open logins");
const openLogins: Set<NodeJS.Timeout> = Reflect.get(globalThis, OPEN_LOGINS) ?? watchOpenLogins();
afterAll(() => {
  for (const timer of openLogins) clearTimeout(timer);
  openLogins.clear();
});

function watchOpenLogins(): Set<NodeJS.Timeout> {
  const timers = new Set<NodeJS.Timeout>();
  const { setTimeout } = globalThis;
  const watched = (...parameters: Parameters<typeof setTimeout>) => {
    const timer = setTimeout(...parameters);
    // By the name of its callback there first: a stack costs more than most tests' timers.
    if (parameters[0].name === "check" && new Error().stack?.includes("/machines/slots.")) timers.add(timer);
    return timer;
  };
  globalThis.setTimeout = Object.defineProperties(
    watched,
    Object.getOwnPropertyDescriptors(setTimeout),
  ) as typeof setTimeout;
  Reflect.set(globalThis, OPEN_LOGINS, timers);
  return timers;
}
