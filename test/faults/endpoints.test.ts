import { inspect } from "node:util";
import { type BankClient, BankError, reveal, type Secret, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/core/api/bank-request.ts";
import { failures } from "../../src/core/api/failures.ts";
import { API_KEY, openFaultyBank } from "./faulty-bank.ts";
import { isRead, waits } from "./places.ts";
import { quickFaults, type Row, representatives, slowFaults, toFailureOnce } from "./table.ts";
import { holdTimeout } from "./timeouts.ts";

const plain = { provider: "test", username: "12345", password: "gfdsa" };
const interactive = { provider: "test", username: "12345otp", password: "asdfg" };
const selecting = { provider: "canal_pa", username: "newkey", password: "s3creto", company_code: "7701" };
const secrets = [API_KEY, plain.password, interactive.password, selecting.password];

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
}

/** Plays a fault at the last of these requests, and checks all requests that the bank got. */
async function play<Result>(
  { play: fault, stuckAt, reads, code }: Row,
  { lines, after = [], goesOn = code === "success" }: Played,
  run: (client: BankClient) => Promise<Result>,
): Promise<Result> {
  const before = lines.slice(0, -1);
  const line = lines.at(-1) ?? "";
  const tries = isRead(line) && reads === "again" ? 2 : 1;
  const bank = await openFaultyBank(fault, line);
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

const answer = { ...interactive, otp: "8888" };
const endpoints: Readonly<Record<Endpoint, readonly Called[]>> = {
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
  // No bank has it: test/servers/relay/lost-responses.test.ts.
  "GET /attempt/{id}/": [],
  "GET /approval/": [],
};
const calls = Object.entries(endpoints).flatMap(([request, rows]) => rows.map((row) => [request, ...row] as const));

// Every fault at one read and at one request that is sent once; every other place with one fault of each failure.
describe.concurrent.each([...quickFaults, ...slowFaults])("$fault", (row) => {
  const isRepresentative = representatives.has(row);
  test.for(isRepresentative ? calls : calls.filter(([, lines]) => ["GET /provider/", first].includes(lines.join())))(
    `at %s, after $1: ${row.code}`,
    async ([request, lines, says, call, form]) => {
      const { code, details } = isRead(lines.at(-1) ?? "") ? row : toFailureOnce(row);
      await play(row, { lines }, async (client) => {
        const session = form && (await client.login(form));
        const key = session && "key" in session && session.key ? session.key : secret("no key is needed");
        const end = await call(client, key).catch((error: unknown) => error);
        if (code === "success") expect(end).toMatchObject({ status: says });
        else if (failures[code].kind === "outcome") expect(end).toMatchObject({ status: code, ...details });
        else {
          expect(end).toBeInstanceOf(BankError);
          expect(end).toMatchObject({ code, request, ...details });
          expect(end).not.toHaveProperty("cause");
          const seen = inspect(end, { depth: 9, showHidden: true });
          expect([...secrets, reveal(key)].filter((value) => seen.includes(value))).toEqual([]);
        }
      });
    },
  );

  test.each(isRepresentative ? waits : [])(`ends $name: ${row.code}`, async (wait) => {
    const { drive, target, sessionEnd, before, line } = wait;
    const { code, details } = isRead(line) ? row : toFailureOnce(row);
    const isPassing =
      wait.isCourtesy && code !== "success" && (code === "unexpected_status" || failures[code].kind === "fault");
    const goesOn = code === "success" || isPassing;
    const { end, failure } = await play(row, { ...wait, goesOn, lines: [...before, line] }, async (client) => {
      const flow = await drive(client);
      const end = await flow.until(target, "failed", sessionEnd);
      flow.stop();
      return { end, failure: flow.failure() };
    });
    if (goesOn) expect([end, failure]).toEqual([target, undefined]);
    else {
      expect(end).toBe(code === "invalid_key" ? sessionEnd : "failed");
      expect(failure).toMatchObject({ kind: failures[code].kind, code, ...details });
    }
  });
});
