import { type LinkDriver, type Path, PathError, runPath } from "ventanilla/testing";
import { expect, test } from "vitest";
import { generatedPaths } from "../../generated-paths.ts";
import { openScreen } from "./screen.ts";

/** What a wrong screen does in place of the right one. */
type Wrong = (right: LinkDriver, screen: ReturnType<typeof openScreen>) => Partial<LinkDriver>;

/** It shows one step as another. */
const showing =
  (wrong: string, shown: string): Wrong =>
  (right) => ({ currentState: () => (right.currentState() === wrong ? shown : right.currentState()) });

/** A button does nothing. */
const without =
  (verb: keyof LinkDriver): Wrong =>
  () => ({ [verb]: () => {} });

/** It has one text for everything at a step. */
const saying =
  (step: string, text: string): Wrong =>
  (right) => ({ currentText: () => (right.currentState() === step ? text : (right.currentText?.() ?? "")) });

/** It adds texts, and removes none. */
const keepingErrors: Wrong = (right) => {
  let shown = "";
  return {
    currentText: () => {
      shown += `\n${right.currentText?.()}`;
      return shown;
    },
  };
};

/** It sends the first answer again. */
const repeatingAnswers: Wrong = (right) => {
  let first: Parameters<typeof right.answer>[0] | undefined;
  return {
    answer: (answer) => {
      first ??= answer;
      return right.answer(first);
    },
  };
};

/** It sends the place of a client in the list. */
const sendingIndex: Wrong = (right, { look }) => ({
  choose: (value) => {
    const view = look();
    return right.choose("clients" in view ? String(view.clients.findIndex(({ id }) => id === value)) : value);
  },
});

/** The kind of screen, how it is wrong, and a part of the names of the paths that detect it. */
const wrongScreens: [flow: "login" | "link", wrong: string, by: string, Wrong][] = [
  ["login", "it shows a failure as a success", "has blocked the user", showing("failed", "loggedIn")],
  ["login", "it takes a missing client for a session", "wants a client", showing("failed", "loggedIn")],
  ["login", "it has no spinner", "the login gets no response", showing("submitting", "idle")],
  ["link", "it shows every failure as the login's", "the list of banks is refused", showing("linkFailed", "failed")],
  ["link", "it shows the list once all is over", "the flow is cancelled", showing("cancelled", "choosingProvider")],

  ["login", "its cancel button does nothing", "the login is cancelled at the question", without("cancel")],
  ["login", "it ignores the answer", "one-time code and the code is given", without("answer")],
  ["login", "it can't close the other session", "another session is in the way", without("replaceSession")],
  ["link", "it leaves out the retry", "what failed is tried again", without("retry")],
  ["link", "it has no way back to the list", "another bank is wanted at the form", without("changeProvider")],

  ["login", "it has one text for all failures", "has blocked the user", saying("failed", "Something went wrong.")],
  ["link", "it has no text for a failure around the login", "the list of banks is refused", saying("linkFailed", "")],
  ["login", "it does not show the bank's question", "asks a personal question", saying("awaitingInteraction", "")],

  ["login", "it keeps the error of a failed try", "wrong at first and the form is sent again", keepingErrors],
  ["link", "it keeps the error of a failed try", "wrong at first and the form is sent again", keepingErrors],

  [
    "link",
    "its cancel button for the flow goes back to the list",
    "the flow is cancelled at the form",
    (right) => ({
      cancelLink: () => (right.currentState() === "choosingProvider" ? right.cancelLink() : right.changeProvider()),
    }),
  ],
  ["login", "it sends the first answer again", "the bank asks twice", repeatingAnswers],
  ["link", "it sends the first answer again", "the bank asks twice", repeatingAnswers],
  ["login", "it sends the index of a client", "the ids of the clients have letters", sendingIndex],
  ["link", "it sends the index of a client", "the ids of the clients have letters", sendingIndex],
  ["link", "its cancel button does nothing", "the login is cancelled at the question", without("cancel")],
  [
    "login",
    "it leaves out optional fields and choices",
    "the form has a choice to make",
    (right) => ({ fill: ({ username = "", password = "" }) => right.fill({ username, password }) }),
  ],
  [
    "login",
    "it always takes the first client",
    "the ids of the clients have letters and a client is chosen",
    (right, { look }) => ({
      choose: () => {
        const view = look();
        return right.choose(("clients" in view && view.clients[0]?.id) || "");
      },
    }),
  ],
];

async function isDetected(change: Wrong, path: Path): Promise<boolean> {
  const screen = openScreen(path);
  const right = { ...screen.driver };
  try {
    await runPath(path, { ...right, ...change(right, screen) }, { timeout: 700 });
    return false;
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return true;
  } finally {
    screen.close();
  }
}

test.concurrent.each(wrongScreens)("a wrong %s screen is detected: %s", async (flow, _name, by, change) => {
  const candidates = generatedPaths[flow].filter(({ name, settings }) => name.includes(by) && !settings.answerTimeout);
  expect(await Promise.all(candidates.map((path) => isDetected(change, path)))).toContain(true);
});
