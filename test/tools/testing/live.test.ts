import type { FailureCode } from "ventanilla";
import { linkMachine } from "ventanilla/machines/link";
import { loginMachine } from "ventanilla/machines/login";
import { type Fault, type Path, runPath } from "ventanilla/testing";
import { beforeAll, expect, test } from "vitest";
import type { Action } from "../../../src/tools/testing/path-types.ts";
import { formatTitle, generatedPaths } from "../../generated-paths.ts";
import { findTransitions, recorder } from "../../machines/coverage.ts";
import { openScreen } from "./screen.ts";

/** The transitions that no person at a screen can cause, or that no step shows, and why. */
const unreachable = [
  ["login.awaitingInteraction on xstate.error.actor.interactionDeadline", "no waiting of ours throws"],
  ["login.selectClient.choosing on xstate.error.actor.choiceDeadline", "no waiting of ours throws"],
  [
    "login.awaitingInteraction on xstate.done.actor.awaitApproval,",
    "the service of the contract can't be asked: test/core/login/approval.test.ts",
  ],
  ["login.awaitingInteraction on xstate.error.actor.awaitApproval,", "the same"],
  [
    "login.idle on login.resume,",
    "a program takes up a paused login, by its token, and a screen one that its page has kept",
  ],
  [
    "login.submitting.sendingAnswer on xstate.done.actor.submitAnswer, row 1,",
    "what a relay has not got: test/machines/paths.test.ts",
  ],
  ["login.selectClient.selecting on xstate.done.actor.selectClient, row 1,", "the same"],
  ["login.submitting.resuming on", "the same"],
  ["login.idle on credentials.submit, row 1,", "a view makes secrets: test/leaks/plain.test.ts"],
  ["login.failed on credentials.submit, row 1,", "the same"],
  ["login.selectClient.resting on credentials.submit, row 1,", "the same"],
  ["login.awaitingInteraction on interaction.answer, row 1,", "the same"],
  ["login.submitting.routing on always, row 2,", "the screens of this test do not check the fields: test/core/login"],
  ["login.submitting.checkingFields on", "the same"],
  ["link.loadingProviders on login.resume,", "a screen that is reloaded: test/core/view/kept-login.test.ts"],
  ["link.choosingProvider on always,", "the same"],
  ["link.loadingFields on login.resume,", "the same"],
  ["link.loggingIn.active on always,", "the same"],
  ["login.selectClient.choosing on client.choose, row 2,", "a screen offers listed clients alone"],
  ["link.loggingIn on xstate.error.actor.login,", "a login ends its own faults as failures"],
  ["link.loggingIn on choices.narrow, row 1,", "a choice taken back changes choices, and no step"],
] as const;

const requests = {
  login: "POST /login/",
  answer: "POST /login/?key",
  clients: "GET /client/?key",
  select: "GET /client/{id}/?key",
  logout: "GET /logout/?key",
  banks: "GET /provider/",
  fields: "GET /provider/{code}/",
  narrow: "GET /provider/{code}/?key&value",
  destinations: "GET /transfer/destinations?key",
};

// Written by hand from the contract and its appendix, not from the statecharts that the paths are derived from:
// the beginning of the path's name, the requests that the bank gets, the last step, and the failure.
const rows: readonly [flow: "login" | "link", when: string, sends: string, ends: string, code?: FailureCode][] = [
  ["login", "the bank asks nothing more and the form is sent", "login", "loggedIn"],
  ["login", "the bank asks for a one-time code and the code is given", "login answer", "loggedIn"],
  [
    "login",
    "the next user is asked something else, the login is cancelled at the question and",
    "login login answer",
    "loggedIn",
  ],
  ["login", "the bank asks twice and", "login answer answer", "loggedIn"],
  [
    "login",
    "the bank blocks the user after three wrong codes and",
    "login answer answer answer",
    "failed",
    "user_blocked",
  ],
  ["login", "the bank wants a new login after a wrong code and", "login answer login answer", "loggedIn"],
  ["login", "the password is wrong at first and the form is sent again", "login login", "loggedIn"],
  ["login", "the ids of the clients have letters and a client", "login clients select", "loggedIn"],
  ["login", "the choice of a client breaks and", "login clients select", "failed", "network_failed"],
  ["login", "another session is in the way and", "login logout login", "loggedIn"],
  ["login", "closing one session is not enough and", "login logout login", "failed", "max_sessions_reached"],
  ["login", "the connection breaks at the answer and", "login answer login answer", "loggedIn"],
  ["login", "the bank asks too often and", "login answer", "failed", "too_many_interactions"],
  ["login", "no one answers in time and", "login", "failed", "expired"],
  ["link", "all goes well and the form is sent", "banks fields login destinations", "linked"],
  [
    "link",
    "the session has ended, what failed is tried again and the answers are given",
    "banks fields login answer destinations login answer destinations",
    "linked",
  ],
  ["link", "the bank is known and its session is enough and the form", "fields login", "linked"],
  ["link", "the bank is known and its session is enough and the flow is cancelled at the form", "fields", "cancelled"],
  [
    "link",
    "the next bank has another form",
    "banks fields login login answer clients fields login destinations",
    "linked",
  ],
  ["link", "the list of banks breaks, what failed is tried again", "banks banks fields login destinations", "linked"],
  // The second change comes in the same moment: the request of the first one is aborted.
  ["link", "one choice narrows another and", "banks fields narrow narrow login destinations", "linked"],
];

const everyPath: readonly Path[] = [...generatedPaths.login, ...generatedPaths.link];

/** What came of each path: run once, on the real statecharts and the sandbox. */
const runs = new Map<Path, { error: unknown; end: unknown; code: unknown; sent: readonly string[] }>();
const { taken, inspect } = recorder();

async function runOnce(path: Path): Promise<void> {
  const { driver, sent, failure, close } = openScreen(path, inspect);
  const error = await runPath(path, driver, { timeout: 60_000 }).catch((thrown: unknown) => thrown);
  runs.set(path, { error, end: await driver.currentState(), code: failure(), sent: sent.map(({ name }) => name) });
  close();
}

beforeAll(async () => {
  await Promise.all(everyPath.filter(({ settings }) => !settings.answerTimeout).map(runOnce));
  // Their second to answer must not pass while other paths run.
  for (const path of everyPath.filter(({ settings }) => settings.answerTimeout)) await runOnce(path);
});

const count = (path: Path, type: Action["type"]) => path.steps.filter(({ action }) => action.type === type).length;

test.each(everyPath.map((path, index) => [formatTitle(path, index), path] as const))("%s", (_title, path) => {
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

test.each(rows)("%s: when %s …", (flow, when, sends, end, code) => {
  const found = everyPath.filter((path) => path.flow === flow && path.name.startsWith(`When ${when}`));
  expect(found).toHaveLength(1);
  const sent = sends.split(" ").map((name) => requests[name as keyof typeof requests]);
  expect(runs.get(found[0] as Path)).toEqual({ error: undefined, end, code, sent });
});

test("together the paths take every transition of both statecharts, but those that are excluded", () => {
  const every = [...findTransitions(loginMachine), ...findTransitions(linkMachine)];
  const excluded = unreachable.map(([name]) => every.filter((each) => each.startsWith(name)));
  expect(excluded).not.toContainEqual([]);
  const where = "a scenario of login-scenarios.ts or link-scenarios.ts takes it, or it has its reason in `unreachable`";
  expect([...taken].sort(), where).toEqual(every.filter((name) => !excluded.flat().includes(name)).sort());
});
