import type { FormValues } from "../../core/login/form-fields.ts";
import type { LoginRequest } from "../../core/login/login-state.ts";
import type { LinkView } from "../../core/view/link-view.ts";
import type { LoginView } from "../../core/view/login-view.ts";
import type { QuestionView } from "../../core/view/question-view.ts";
import type { SandboxAccount } from "../sandbox/account-table.ts";
import type { Action, PathStep, RequestName, ShownState } from "./path-types.ts";
import { listAnswers, toFormValues } from "./scenario.ts";
import { currentAccount, nextAccount } from "./scripted-bank.ts";
import { readBank, type Simulation } from "./simulation.ts";

/** A state in a sentence: as the place of an action, and as the end of a path. */
type Words = readonly [place: string, outcome: string];

const states: Readonly<Record<Exclude<ShownState, "submitting">, Words>> = {
  loadingProviders: ["while the banks are listed", "the banks are waited for"],
  choosingProvider: ["at the list of banks", "there are banks to choose from"],
  loadingFields: ["while the form is read", "the form is waited for"],
  idle: ["at the form", "there is a form to fill in"],
  awaitingInteraction: ["at the question", "there is a question to answer"],
  selectClient: ["at the choice of a client", "there are clients to choose from"],
  failed: ["at the failure", "the login fails"],
  loggedIn: ["after the login", "the login succeeds"],
  loadingDestinations: ["while the destinations are listed", "the destinations are waited for"],
  linkFailed: ["at the failure around the login", "the link fails"],
  linked: ["after the link", "the bank is linked"],
  cancelled: ["at the end", "the flow is over"],
};

const bank: Words = ["while the bank is asked", "the bank is waited for"];

const requests: Readonly<Record<LoginRequest, Words>> = {
  checkFields: bank,
  submitCredentials: bank,
  submitAnswer: bank,
  resume: bank,
  listClients: ["while the clients are listed", "the clients are waited for"],
  selectClient: ["while the client is selected", "the client is waited for"],
  closeSession: ["while the other session is being closed", "the end of the other session is waited for"],
};

const toWords = (view: LoginView | LinkView): Words => {
  if (view.state === "submitting") return requests[view.request];
  const isWithoutClient = view.state === "failed" && view.failure.code === "client_selection_off";
  return isWithoutClient ? ["at the missing client", "the login ends without a client"] : states[view.state];
};

const ordinals = ["", "second ", "third ", "fourth "];
const things: Readonly<Record<string, string>> = {
  personal_question: "answer",
  token: "token",
  captcha: "answer",
  channel: "choice",
  app_confirmation: "confirmation",
};

/** The action as part of a sentence. */
export function formatSentence(action: Action, { conditions: { scenario }, before }: Simulation): string {
  const { view, progress } = before.at(-1) as Simulation;
  const [place] = toWords(view);
  const again = (request: RequestName) => (progress.counts[request] ? " again" : "");
  switch (action.type) {
    case "choose":
      return view.state === "choosingProvider"
        ? `a bank is chosen${again("GET /provider/{code}/")}`
        : `a client is chosen${again("GET /client/{id}/")}`;
    case "fill": {
      const isRight = isRightForm(action.values, nextAccount(scenario, progress, readBank(view)));
      return `the form is filled in${isRight ? "" : " with a mistake"}${again("POST /login/")}`;
    }
    case "submit":
      return `the form is sent${again("POST /login/")}`;
    case "answer":
      return answerSentence(
        action.answer,
        "question" in view ? view.question : undefined,
        currentAccount(scenario, progress),
      );
    case "cancel":
      return `the login is cancelled ${place}`;
    case "replaceSession":
      return `the other session is to be closed${again("GET /logout/")}`;
    case "retry":
      return "what failed is tried again";
    case "changeProvider":
      return `another bank is wanted ${place}`;
    case "cancelLink":
      return `the flow is cancelled ${place}`;
    case "changeAppearance":
      return "the language or the theme is changed";
    case "wait":
      return `the time runs out ${place}`;
  }
}

function isRightForm(values: FormValues, account: SandboxAccount): boolean {
  const right = toFormValues(account);
  return Object.entries(values).every(([name, value]) => right[name] === value);
}

function answerSentence(
  answer: string | FormValues,
  question: QuestionView | undefined,
  account: SandboxAccount,
): string {
  const { field, number = 1 } = question ?? {};
  const thing = things[field?.name ?? ""] ?? "code";
  const right = listAnswers(account);
  if (typeof answer !== "string") return "the answers are given";
  if (thing === "confirmation") return `the confirmation is given${number > 1 ? " again" : ""}`;
  if (!right.includes(answer)) return `a ${ordinals[number - 1] ?? ""}wrong ${thing} is given`;
  return `the ${number > right.length ? "right " : ""}${thing} is given`;
}

// These actions are always part of a path's name.
const decisiveTypes: readonly Action["type"][] = ["cancel", "replaceSession", "retry", "changeProvider", "wait"];

/** The name of a path: what the bank does, what the person does, and what the screen then shows. */
export function formatPathName(when: string, path: readonly PathStep<string>[], end: LoginView | LinkView): string {
  const [, outcome] = toWords(end);
  const decisive = path.filter(({ action }, index) => decisiveTypes.includes(action.type) || index === path.length - 1);
  const [last, ...others] = decisive.map(({ sentence }) => sentence).reverse();
  const parts = [when, ...others.reverse()].join(", ");
  return `When ${parts}${last === undefined ? "" : ` and ${last}`}, ${outcome}`;
}
