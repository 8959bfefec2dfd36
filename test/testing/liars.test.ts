import type { FormValues } from "ventanilla";
import { type LinkDriver, type Path, PathError, runPath } from "ventanilla/testing";
import { expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { openScreen, type Screen } from "./screen.ts";

/** A screen that is wrong in one way. */
type Lie = (honest: LinkDriver, screen: Screen) => Partial<LinkDriver>;

const withoutText =
  (isMute: (step: string) => boolean): Lie =>
  (honest) => ({ currentText: () => (isMute(honest.currentStep() as string) ? "" : (honest.currentText?.() ?? "")) });

/** The kind of screen, how it is wrong, a path that finds it out, and the step that it shows in place of another. */
const wrongSteps: [flow: "login" | "link", lie: string, by: string, step: string, shown: string][] = [
  ["login", "it shows a failure as a success", "the bank has blocked the user", "failed", "loggedIn"],
  ["login", "it takes a missing client for a session", "the bank wants a client", "clientRequired", "loggedIn"],
  ["login", "it has no spinner", "the login stays without an answer", "submitting", "enteringCredentials"],
  ["link", "it shows every failure as the login's", "the list of banks is refused", "linkFailed", "failed"],
  [
    "link",
    "it goes on showing the list when the flow is cancelled",
    "the flow is cancelled",
    "cancelled",
    "choosingProvider",
  ],
];

/** The kind of screen, how it is wrong, and a path that finds it out. */
const lies: [flow: "login" | "link", lie: string, by: string, Lie][] = [
  ...wrongSteps.map(([flow, lie, by, wrong, shown]): (typeof lies)[number] => [
    flow,
    lie,
    by,
    (honest) => ({ currentStep: () => (honest.currentStep() === wrong ? shown : honest.currentStep()) }),
  ]),
  ["login", "its cancel button does nothing", "the login is cancelled at the question", () => ({ cancel: () => {} })],
  [
    "link",
    "its cancel button for the flow goes back to the list",
    "the flow is cancelled at the form",
    (honest) => ({
      cancelLink: () => (honest.currentStep() === "choosingProvider" ? honest.cancelLink() : honest.changeProvider()),
    }),
  ],
  [
    "link",
    "it has no way back to the list",
    "another bank is wanted at the form",
    () => ({ changeProvider: () => {} }),
  ],
  ["link", "it leaves out the retry", "what failed is tried again", () => ({ retry: () => {} })],
  ["login", "it can't close the other session", "another session is in the way", () => ({ replaceSession: () => {} })],
  [
    "login",
    "it ignores the answer",
    "the bank asks for a one-time code and the code is given",
    () => ({ answer: () => {} }),
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
      let values: Readonly<Record<string, string>> = {};
      let isSent = false;
      return {
        fill: (given) => {
          values = given;
          isSent = false;
          honest.fill(given);
        },
        currentStep: () => {
          const step = honest.currentStep();
          if (step !== "failed" || isSent) return step;
          isSent = true;
          honest.fill(values);
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
    "it shows what it showed before",
    "the bank asks nothing more",
    (honest) => {
      let [before, now] = ["", honest.currentStep() as string];
      return {
        currentStep: () => {
          const step = honest.currentStep() as string;
          if (step !== now) [before, now] = [now, step];
          return before || now;
        },
      };
    },
  ],
  [
    "login",
    "it flickers",
    "the bank asks nothing more",
    (honest) => {
      let looks = 0;
      return { currentStep: () => (looks++ % 2 === 0 ? honest.currentStep() : "") };
    },
  ],
  [
    "login",
    "it leaves out optional fields and choices",
    "the form has a choice to make",
    (honest) => ({
      fill: ({ username = "", password = "" }) => honest.fill({ username, password }),
    }),
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
  [
    "login",
    "it shows the same text for every failure",
    "the bank has blocked the user",
    (honest) => ({
      currentText: () => (honest.currentStep() === "failed" ? "Something went wrong." : (honest.currentText?.() ?? "")),
    }),
  ],
  [
    "link",
    "it has no text for a failure around the login",
    "the list of banks is refused",
    withoutText((step) => step === "linkFailed"),
  ],
  [
    "login",
    "it does not show the bank's question",
    "the bank asks a personal question",
    withoutText((step) => step === "answering"),
  ],
];

const paths: Record<"login" | "link", readonly Path[]> = {
  login: generatedPaths.login.filter(({ settings }) => !settings.answerTimeout),
  link: generatedPaths.link,
};

/** The names of the paths that find a screen out. */
async function caughtBy(lie: Lie, candidates: readonly Path[], timeout = 60_000): Promise<readonly string[]> {
  const names = await Promise.all(
    candidates.map(async (path) => {
      const screen = openScreen(path);
      const honest = { ...screen.driver };
      try {
        await runPath(path, { ...honest, ...lie(honest, screen) }, { timeout });
        return [];
      } catch (error) {
        if (!(error instanceof PathError)) throw error;
        return [path.name];
      } finally {
        screen.close();
      }
    }),
  );
  return names.flat();
}

test("a double click is no lie: the statechart takes it once", async () => {
  const sentTwice: Lie = (honest, { look }) => {
    let values: FormValues = {};
    return {
      fill: (given) => {
        values = given;
        return honest.fill(given);
      },
      submit: () => {
        const view = look();
        if (!("form" in view)) throw new Error("There is no form.");
        const initial = Object.fromEntries(view.form.fields.map((field) => [field.name, field.initial]));
        view.submit({ ...initial, ...values });
        view.submit({ ...initial, ...values });
      },
    };
  };
  expect(await caughtBy(sentTwice, paths.login)).toEqual([]);
});

test.concurrent.each(lies)("a %s screen is found out when %s", async (flow, _name, by, lie) => {
  const candidates = paths[flow].filter(({ name }) => name.includes(by));
  expect(await caughtBy(lie, candidates, 700)).not.toEqual([]);
});
