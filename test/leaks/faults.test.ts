import type { BankClientOptions } from "ventanilla";
import { describe, expect, test } from "vitest";
import type { InspectionEvent } from "xstate";
import { openFaultyBank } from "../faults/faulty-bank.ts";
import { loginOfALink, type Wait, waits } from "../faults/places.ts";
import { quickFaults, type Row, representatives, slowFaults } from "../faults/table.ts";
import { holdTimeout } from "../faults/timeouts.ts";
import { isQuick, personal, silent, type Watch, watch } from "./channels.ts";
import { type Disguises, disguised, newDisguises } from "./disguise.ts";
import { echoingFaults } from "./echoes.ts";

type Faulty = Pick<Row, "fault" | "play" | "stuckAt"> &
  Pick<BankClientOptions, "retry"> & {
    /** Whether the bank repeats what it got in a text that the person reads. */
    readonly isRepeated?: boolean;
  };

const everyPlace: readonly Wait[] = [...waits, loginOfALink];
/** What a fault holds comes from the request: the credentials, the answer and its key, the key of a read. */
const placesOfRequests = everyPlace.filter(({ name }) =>
  ["the first login", "the second login", "loadingDestinations"].includes(name),
);

const placesOf = (row: Row) => (representatives.has(row) ? everyPlace : placesOfRequests);

// What repeats what it got, and one fault of each failure, at every place; every other fault at each kind of request.
const faults: readonly (readonly [Faulty, readonly Wait[]])[] = [
  ...echoingFaults.map((row) => [row, everyPlace] as const),
  ...quickFaults.map((row) => [row, placesOf(row)] as const),
  ...slowFaults.map((row) => [{ ...row, retry: false as const }, placesOf(row)] as const),
];

/** Leads a flow to a place and into a fault. Resolves with the canaries that the bank has seen and should have seen. */
async function suffer(
  { play, stuckAt, retry = { limit: 1, delay: 1 } }: Faulty,
  place: Wait,
  canaries: Disguises,
  watching: Watch,
) {
  const { change, sandbox } = disguised(canaries);
  const bank = await openFaultyBank(play, place.line, sandbox);
  try {
    const { length, runOut } = holdTimeout();
    if (stuckAt) bank.whenever(stuckAt, runOut);
    const timeout = { login: length, read: length };
    const client = bank.client({ apiKey: canaries.apiKey.value, timeout, retry, ...watching.hooks });
    let settle = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    // How a flow gets to a place is the same for every fault, and is looked at elsewhere: here it begins at the place.
    let isThere = false;
    const started: InspectionEvent[] = [];
    const flow = await place.drive(client, undefined, {
      change,
      inspect: (event) => {
        if (isThere) watching.follow(event);
        else if (event.type === "@xstate.actor") started.push(event);
        // A login within a link settles by itself.
        if (isThere && event.type === "@xstate.snapshot" && "value" in event.snapshot) {
          const { value } = event.snapshot;
          if ([place.target, "failed", "awaitingInteraction", place.sessionEnd].includes(formatStateValue(value)))
            settle();
        }
      },
    });
    isThere = true;
    for (const event of started) watching.follow(event);
    await settled;
    flow.stop();
    const lines = bank.lines();
    const sent = bank.wire.requests.map(({ bytes }) => bytes).join("\n");
    return {
      seen: Object.values(canaries).flatMap(({ name, token }) => (sent.includes(token) ? [name] : [])),
      expected: [
        ...(lines.length > 0 ? ["apiKey"] : []),
        ...(lines.some((line) => line.startsWith("POST")) ? ["username", "password"] : []),
        ...(lines.some((line) => line.startsWith("POST /login/?key")) ? ["answer"] : []),
        ...(lines.some((line) => line.endsWith("?key")) ? ["firstKey"] : []),
      ],
      // Where the fault lies at the address, the bank itself sees nothing of the request.
      hasCome: typeof play !== "function" || lines.includes(place.line),
    };
  } finally {
    await bank.close();
  }
}

const formatStateValue = (value: unknown): string =>
  typeof value === "string" ? value : Object.entries(Object(value)).flat().join(".");

describe("no secret gets out, wherever it comes, with", () => {
  test.each(faults.map(([fault, places]) => ({ fault, places, name: fault.fault })))(
    "$name",
    async ({ fault, places }) => {
      expect(placesOfRequests).toHaveLength(3);
      const canaries = newDisguises();
      const watching = watch(Object.values(canaries), isQuick);
      const ends = await Promise.all(places.map((place) => suffer(fault, place, canaries, watching)));
      // Rejections and warnings are told a turn later.
      await new Promise((resolve) => setImmediate(resolve));

      // A right answer shows the person what the bank wrote.
      expect(watching.findings(fault.isRepeated ? personal : [])).toEqual([]);
      for (const { seen, expected, hasCome } of ends) {
        expect(hasCome).toBe(true);
        expect(seen).toEqual(expect.arrayContaining(expected));
      }
      expect(watching.sightings("snapshot")).toBeGreaterThanOrEqual(places.length);
      for (const source of silent) expect(watching.sightings(source)).toBe(0);
    },
  );
});
