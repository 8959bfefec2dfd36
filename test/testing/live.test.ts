import type { FailureCode } from "ventanilla";
import { linkMachine } from "ventanilla/machines/link";
import { loginMachine } from "ventanilla/machines/login";
import { type Action, type Fault, type Path, runPath } from "ventanilla/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { findTransitions, recorder } from "../model/coverage.ts";
import { openScreen } from "./screen.ts";
import { unreachable } from "./unreachable.ts";

// Written by hand from the contract and its appendix, without a look at the statecharts: what the paths are derived
// from can't say whether it is right.
interface Row {
  /** How the path's name begins. */
  readonly when: string;
  readonly ends: string;
  readonly code?: FailureCode;
  /** What the bank gets, in order. */
  readonly sends: readonly string[];
}

const login = "POST /login/";
const answer = "POST /login/?key";
const clients = "GET /client/?key";
const select = "GET /client/{id}/?key";
const logout = "GET /logout/?key";
const banks = "GET /provider/";
const fields = "GET /provider/{code}/";
const destinations = "GET /transfer/destinations?key";

const rows: Record<"login" | "link", readonly Row[]> = {
  login: [
    { when: "the bank asks nothing more and the form is sent", ends: "loggedIn", sends: [login] },
    { when: "the bank asks for a one-time code and the code is given", ends: "loggedIn", sends: [login, answer] },
    {
      when: "the bank asks for a one-time code and the login is cancelled",
      ends: "enteringCredentials",
      sends: [login],
    },
    { when: "the bank asks twice and", ends: "loggedIn", sends: [login, answer, answer] },
    {
      when: "the bank blocks the user after three wrong codes and",
      ends: "failed",
      code: "user_blocked",
      sends: [login, answer, answer, answer],
    },
    {
      when: "the bank wants a new login after a wrong code and",
      ends: "loggedIn",
      sends: [login, answer, login, answer],
    },
    { when: "the password is wrong at first and the form is sent again", ends: "loggedIn", sends: [login, login] },
    { when: "the ids of the clients have letters and", ends: "loggedIn", sends: [login, clients, select] },
    {
      when: "the choice of a client breaks and",
      ends: "failed",
      code: "network_failed",
      sends: [login, clients, select],
    },
    { when: "another session is in the way and", ends: "loggedIn", sends: [login, logout, login] },
    {
      when: "closing one session is not enough and",
      ends: "failed",
      code: "max_sessions_reached",
      sends: [login, logout, login],
    },
    { when: "the connection breaks at the answer and", ends: "loggedIn", sends: [login, answer, login, answer] },
    { when: "the bank asks too often and", ends: "failed", code: "too_many_interactions", sends: [login, answer] },
    { when: "nobody answers in time and", ends: "failed", code: "expired", sends: [login] },
  ],
  link: [
    { when: "all goes well and the form is sent", ends: "linked", sends: [banks, fields, login, destinations] },
    {
      when: "the session has ended and the form is sent again",
      ends: "linked",
      sends: [banks, fields, login, destinations, login, destinations],
    },
    { when: "the bank is known and its session is enough and the form", ends: "linked", sends: [fields, login] },
    {
      when: "the bank is known and its session is enough and the flow is cancelled at the form",
      ends: "cancelled",
      sends: [fields],
    },
    {
      when: "the bank asks for a one-time code and the login is cancelled",
      ends: "enteringCredentials",
      sends: [banks, fields, login],
    },
    {
      when: "the bank asks for a one-time code and another bank is wanted",
      ends: "choosingProvider",
      sends: [banks, fields, login],
    },
    {
      when: "the list of banks breaks, what failed is tried again",
      ends: "linked",
      sends: [banks, banks, fields, login, destinations],
    },
    {
      when: "one choice narrows another and",
      ends: "linked",
      // Each choice is asked about; the second change gives up what the first one asked.
      sends: [banks, fields, `${fields}?key&value`, `${fields}?key&value`, login, destinations],
    },
  ],
};

const everyPath: readonly Path[] = [...generatedPaths.login, ...generatedPaths.link];

/** What came of a path: run once, on the real statecharts and the sandbox. */
interface Run {
  readonly error: unknown;
  readonly end: string;
  readonly code: FailureCode | undefined;
  readonly sent: readonly string[];
}

const runs = new Map<Path, Run>();
const { taken, inspect } = recorder();

async function runOnce(path: Path): Promise<void> {
  const { driver, sent, failure, close } = openScreen(path, inspect);
  const error = await runPath(path, driver, { timeout: 60_000 }).catch((thrown: unknown) => thrown);
  runs.set(path, { error, end: await driver.currentStep(), code: failure(), sent: sent.map(({ name }) => name) });
  close();
}

beforeAll(async () => {
  await Promise.all(everyPath.filter(({ settings }) => !settings.answerTimeout).map(runOnce));
  // Their second to answer must not pass while other paths keep the process busy.
  for (const path of everyPath.filter(({ settings }) => settings.answerTimeout)) await runOnce(path);
});

const count = (path: Path, type: Action["type"]) => path.steps.filter(({ action }) => action.type === type).length;

test.each(everyPath.map((path) => [path.flow, path.name, path] as const))("%s: %s", (_flow, _name, path) => {
  const { error, sent = [] } = runs.get(path) ?? {};
  expect(error).toBeUndefined();
  const times = (name: string) => sent.filter((other) => other === name).length;
  // One login for each form that the person sends, and one more for each session that was closed at the person's word.
  const isBlocking = ({ request, what }: Fault) =>
    request === "GET /logout/" && !JSON.stringify(what).includes("logged_out");
  const closed = count(path, "replaceSession") - path.faults.filter(isBlocking).length;
  expect(times("POST /login/")).toBe(count(path, "submit") + closed);
  expect(times("POST /login/?key")).toBe(count(path, "answer"));
});

describe("by the contract", () => {
  const all = Object.entries(rows).flatMap(([flow, list]) => list.map((row) => [flow, row.when, row] as const));
  test.each(all)("%s: when %s …", (flow, when, { ends, code, sends }) => {
    const found = everyPath.filter((path) => path.flow === flow && path.name.startsWith(`When ${when}`));
    expect(found).toHaveLength(1);
    expect(runs.get(found[0] as Path)).toEqual({ error: undefined, end: ends, code, sent: sends });
  });
});

describe("together the paths take", () => {
  const every = [...findTransitions(loginMachine), ...findTransitions(linkMachine)];
  const isExcluded = (name: string) =>
    unreachable.some(({ source, event }) => name.startsWith(`${source} on ${event},`));

  test("nothing is excluded that does not exist", () => {
    for (const { source, event } of unreachable) {
      expect(every.some((name) => name.startsWith(`${source} on ${event},`))).toBe(true);
    }
  });

  test("every other transition of both statecharts, and none of those", () => {
    expect([...taken].filter(isExcluded)).toEqual([]);
    expect(every.filter((name) => !isExcluded(name) && !taken.has(name))).toEqual([]);
  });
});
