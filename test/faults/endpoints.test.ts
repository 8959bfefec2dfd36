import { inspect } from "node:util";
import { type BankClient, BankError, type Secret, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import type { InspectionEvent } from "xstate";
import type { ServiceEndpoint } from "../../src/core/api/bank-request.ts";
import { failures } from "../../src/core/api/failures.ts";
import { createCanary, findCanaries } from "../leaks/canaries.ts";
import { isQuick, personal, silent, watch } from "../leaks/channels.ts";
import { echoingFaults } from "../leaks/echoes.ts";
import { API_KEY, openFaultyBank } from "./faulty-bank.ts";
import * as people from "./people.ts";
import { isRead, type Wait, waits } from "./places.ts";
import { isFromElsewhere, quickFaults, type Row, representatives, slowFaults, toFailureOnce } from "./table.ts";
import { holdTimeout } from "./timeouts.ts";

const provider = "test";
const plain = { ...people.plain, provider };
const { otp, ...interactive } = { ...people.asked, provider };
const selecting = { ...people.selecting, provider };
const secrets = Object.entries({ ...people.typed, "API key": API_KEY }).map((one) => createCanary(...one));

const [first, second, clients, choice, logout, fields] = [
  "POST /login/",
  "POST /login/?key",
  "GET /client/?key",
  "GET /client/0/?key",
  "GET /logout/?key",
  "GET /provider/test/",
];

interface Played {
  readonly lines: readonly string[];
  /** The requests that follow where it goes on. */
  readonly after?: readonly string[];
  readonly goesOn?: boolean;
  /** Gets each key that the bank gives out. */
  readonly onKey?: (key: string) => void;
}

/** Plays a fault at the last of these requests, and checks all requests that the bank got. */
async function play<Result>(
  { play: fault, stuckAt, reads, code }: Row,
  { lines, after = [], goesOn = code === "success", onKey }: Played,
  run: (client: BankClient) => Promise<Result>,
): Promise<Result> {
  const before = lines.slice(0, -1);
  const line = lines.at(-1) ?? "";
  const tries = isRead(line) && reads === "again" ? 2 : 1;
  const bank = await openFaultyBank(fault, line, onKey);
  try {
    const timeout = holdTimeout();
    if (stuckAt) bank.whenever(stuckAt, timeout.runOut);
    const result = await run(bank.client({ timeout: { login: timeout.length, read: timeout.length } }));
    // A client that gives up waiting hangs up.
    const givenUp = code === "request_timed_out" ? bank.wire.requests.slice(before.length) : [];
    await Promise.all(givenUp.map(({ hungUp }) => hungUp));
    expect(bank.tries()).toBe(tries);
    // Where the fault lies at the address, the bank itself sees nothing of the request.
    const seen = typeof fault === "function" ? Array.from({ length: tries }, () => line) : [];
    expect(bank.lines()).toEqual([...before, ...seen, ...(goesOn ? after : [])]);
    expect(bank.elsewhere.requests).toEqual([]);
    return result;
  } finally {
    await bank.close();
  }
}

/** One call of the client: its requests, and its result without a fault. */
type Called = readonly [
  lines: readonly string[],
  says: string,
  call: (client: BankClient, key: Secret) => Promise<{ readonly status: string }>,
  /** The login that brings the session key. Default: none is needed. */
  form?: typeof plain,
];

const answer = { ...interactive, otp };
const endpoints: Readonly<Record<ServiceEndpoint, readonly Called[]>> = {
  "POST /login/": [
    [[first], "logged_in", (client) => client.login(plain)],
    [[first, second], "logged_in", (client, key) => client.login(answer, { key }), interactive],
  ],
  "GET /provider/": [[["GET /provider/"], "success", (client) => client.listProviders()]],
  "GET /provider/{code}/": [[[fields], "success", (client) => client.getProvider("test")]],
  "GET /transfer/destinations": [
    [
      [first, "GET /transfer/destinations?key"],
      "success",
      (client, key) => client.listTransferDestinations(key),
      plain,
    ],
  ],
  "GET /client/": [[[first, clients], "success", (client, key) => client.listClients(key), selecting]],
  "GET /client/{id}/": [[[first, choice], "success", (client, key) => client.selectClient(key, "0"), selecting]],
  "GET /logout/": [[[first, logout], "logged_out", (client, key) => client.logout(key), plain]],
};
const calls = Object.entries(endpoints).flatMap(([request, rows]) => rows.map((row) => [request, ...row] as const));

// Every fault at one read, and in a flow at one request that is sent once. Every other place with one fault of each failure: a client has one
// way for all that end in it.
describe.concurrent.each([...quickFaults, ...slowFaults])("$fault", (row) => {
  test.for(representatives.has(row) ? calls : calls.filter(([request]) => request === "GET /provider/"))(
    `at %s, after $1: ${row.code}`,
    async ([request, lines, says, call, form]) => {
      const { code, details } = isRead(lines.at(-1) ?? "") ? row : toFailureOnce(row);
      const keys: string[] = [];
      await play(row, { lines, onKey: (key) => keys.push(key) }, async (client) => {
        const session = form && (await client.login(form));
        const key = session && "key" in session && session.key ? session.key : secret("no key is needed");
        const end = await call(client, key).catch((error: unknown) => error);
        if (code === "success") expect(end).toMatchObject({ status: says });
        else if (failures[code].kind === "outcome") expect(end).toMatchObject({ status: code, ...details });
        else {
          expect(end).toBeInstanceOf(BankError);
          expect(end).toMatchObject({ code, request, ...details });
          expect(end).not.toHaveProperty("cause");
          const all = [...secrets, ...keys.map((value) => createCanary("key", value))];
          expect(findCanaries(inspect(end, { depth: 9, showHidden: true }), all)).toEqual([]);
        }
      });
    },
  );
});

/** Watches for what is typed in, the API key, and each key that the bank gives out. */
function startWatch() {
  const canaries = [...secrets];
  const watching = watch(canaries, isQuick);
  return {
    onKey: (key: string) => void canaries.push(createCanary("key", key)),
    watching,
    /** Leads a flow to a place, and watches it from there. @returns where it ends. */
    lead: async (client: BankClient, { drive, target }: Wait, ...ends: readonly string[]) => {
      // How a flow gets to a place is the same for every fault: test/leaks/scan.test.ts looks at it.
      let isThere = false;
      const started: InspectionEvent[] = [];
      const flow = await drive(client, undefined, (event) => {
        if (isThere) watching.follow(event);
        else if (event.type === "@xstate.actor") started.push(event);
      });
      isThere = true;
      for (const event of started) watching.follow(event);
      const end = await flow.until(target, "failed", ...ends);
      flow.stop();
      return { end, failure: flow.failure() };
    },
    /** @param isShown whether the bank shows the person what it got. */
    expectClean: async (isShown = false) => {
      // Rejections and warnings are told a turn later.
      await new Promise((resolve) => setImmediate(resolve));
      expect(watching.findings(isShown ? personal : [])).toEqual([]);
      expect(watching.sightings("snapshot")).toBeGreaterThan(0);
      for (const source of silent) expect(watching.sightings(source)).toBe(0);
    },
  };
}

const secondLogin = waits.filter(({ name }) => name === "the second login");

describe("a flow ends with the failure, and shows no secret in any channel,", () => {
  test.each([...quickFaults, ...slowFaults])("after $fault: $code", async (row) => {
    const { lead, watching, onKey, expectClean } = startWatch();
    const places = representatives.has(row) ? waits : secondLogin;
    await Promise.all(
      places.map(async (wait) => {
        const { name, target, before, line } = wait;
        const { code, details } = isRead(line) ? row : toFailureOnce(row);
        const isPassing =
          wait.isCourtesy &&
          !isFromElsewhere(row) &&
          code !== "success" &&
          (code === "unexpected_status" || failures[code].kind === "fault");
        const goesOn = code === "success" || isPassing;
        const played = { ...wait, goesOn, onKey, lines: [...before, line] };
        const { end, failure } = await play(row, played, (client) => lead(client, wait));
        if (goesOn) expect([end, failure], name).toEqual([target, undefined]);
        else {
          expect(end, name).toBe("failed");
          expect(failure, name).toMatchObject({ kind: failures[code].kind, code, ...details });
        }
      }),
    );
    expect(watching.sightings("inspection")).toBeGreaterThan(places.length);
    await expectClean();
  });

  // What repeats a login in every other form: test/leaks/scan.test.ts.
  const repeated = ["a page of a refusal", "the status", "a text of a description", "the right answer"];
  const echoing = echoingFaults.filter(({ place }) => repeated.includes(place));
  test.each(echoing)("at a bank that repeats each request in $place", async ({ play: echo, isShown }) => {
    expect(echoing).toHaveLength(repeated.length);
    const { lead, onKey, expectClean } = startWatch();
    await Promise.all(
      waits.map(async (wait) => {
        const bank = await openFaultyBank(echo, wait.line, onKey);
        await lead(bank.client(), wait, "awaitingInteraction");
        expect(bank.lines()).toContain(wait.line);
        await bank.close();
      }),
    );
    await expectClean(isShown);
  });
});
