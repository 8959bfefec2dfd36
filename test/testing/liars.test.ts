import { type LinkDriver, type Path, PathError, runPath } from "ventanilla/testing";
import { expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { openScreen } from "./screen.ts";

/** A screen that is wrong in one way. */
type Lie = (honest: LinkDriver, screen: ReturnType<typeof openScreen>) => Partial<LinkDriver>;

/** It shows one step as another. */
const showing =
  (wrong: string, shown: string): Lie =>
  (honest) => ({ currentStep: () => (honest.currentStep() === wrong ? shown : honest.currentStep()) });

/** A button does nothing. */
const without =
  (verb: keyof LinkDriver): Lie =>
  () => ({ [verb]: () => {} });

/** It has one text for everything at a step. */
const saying =
  (step: string, text: string): Lie =>
  (honest) => ({ currentText: () => (honest.currentStep() === step ? text : (honest.currentText?.() ?? "")) });

/** The kind of screen, how it is wrong, and the paths of which one finds it out. */
const lies: [flow: "login" | "link", lie: string, by: string, Lie][] = [
  ["login", "it shows a failure as a success", "has blocked the user", showing("failed", "loggedIn")],
  ["login", "it takes a missing client for a session", "wants a client", showing("clientRequired", "loggedIn")],
  ["login", "it has no spinner", "the login stays without an answer", showing("submitting", "enteringCredentials")],
  ["link", "it shows every failure as the login's", "the list of banks is refused", showing("linkFailed", "failed")],
  ["link", "it shows the list once all is over", "the flow is cancelled", showing("cancelled", "choosingProvider")],

  ["login", "its cancel button does nothing", "the login is cancelled at the question", without("cancel")],
  ["login", "it ignores the answer", "one-time code and the code is given", without("answer")],
  ["login", "it can't close the other session", "another session is in the way", without("replaceSession")],
  ["link", "it leaves out the retry", "what failed is tried again", without("retry")],
  ["link", "it has no way back to the list", "another bank is wanted at the form", without("changeProvider")],

  ["login", "it has one text for all failures", "has blocked the user", saying("failed", "Something went wrong.")],
  ["link", "it has no text for a failure around the login", "the list of banks is refused", saying("linkFailed", "")],
  ["login", "it does not show the bank's question", "asks a personal question", saying("answering", "")],

  [
    "link",
    "its cancel button for the flow goes back to the list",
    "the flow is cancelled at the form",
    (honest) => ({
      cancelLink: () => (honest.currentStep() === "choosingProvider" ? honest.cancelLink() : honest.changeProvider()),
    }),
  ],
  [
    "login",
    "it remembers the first answer",
    "the bank asks twice",
    (honest) => {
      let first: string | undefined;
      return {
        answer: (text) => {
          first ??= text;
          return honest.answer(first);
        },
      };
    },
  ],
  [
    "login",
    "it sends a form that failed once more by itself",
    "the connection breaks at the login",
    (honest) => {
      let values: Readonly<Record<string, string>> | undefined;
      return {
        fill: (given) => {
          values = given;
          honest.fill(given);
        },
        currentStep: () => {
          if (honest.currentStep() !== "failed" || !values) return honest.currentStep();
          honest.fill(values);
          values = undefined;
          honest.submit();
          return honest.currentStep();
        },
      };
    },
  ],
  [
    "login",
    "it answers twice",
    "the bank asks twice",
    (honest) => {
      let answered: string | undefined;
      return {
        answer: (text) => {
          answered = text;
          honest.answer(text);
        },
        currentStep: () => {
          if (honest.currentStep() !== "answering" || answered === undefined) return honest.currentStep();
          honest.answer(answered);
          answered = undefined;
          return honest.currentStep();
        },
      };
    },
  ],
  [
    "login",
    "it leaves out optional fields and choices",
    "the form has a choice to make",
    (honest) => ({ fill: ({ username = "", password = "" }) => honest.fill({ username, password }) }),
  ],
  [
    "login",
    "it always takes the first client",
    "the bank has two clients to choose from and a client is chosen",
    (honest, { look }) => ({
      choose: () => {
        const view = look();
        return honest.choose(("clients" in view && view.clients[0]?.id) || "");
      },
    }),
  ],
];

/** Whether a path finds a screen out. */
async function isCaught(lie: Lie, path: Path): Promise<boolean> {
  const screen = openScreen(path);
  const honest = { ...screen.driver };
  try {
    await runPath(path, { ...honest, ...lie(honest, screen) }, { timeout: 700 });
    return false;
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return true;
  } finally {
    screen.close();
  }
}

test.concurrent.each(lies)("a %s screen is found out when %s", async (flow, _name, by, lie) => {
  const candidates = generatedPaths[flow].filter(({ name, settings }) => name.includes(by) && !settings.answerTimeout);
  expect(await Promise.all(candidates.map((path) => isCaught(lie, path)))).toContain(true);
});
