import type { FormValues } from "../login/form-fields.ts";
import type { QuestionView } from "../view/question-view.ts";
import type { Action, LinkStepName, LoginStepName, PathStep, RequestName } from "./path-types.ts";
import { listAnswers, type Scenario, toFormValues } from "./scenario.ts";
import type { Simulation } from "./simulation.ts";

type StepName = LoginStepName | LinkStepName;

const places: Readonly<Record<StepName, string>> = {
  loadingProviders: "while the banks are listed",
  choosingProvider: "at the list of banks",
  loadingFields: "while the form is read",
  enteringCredentials: "at the form",
  submitting: "while the bank is asked",
  answering: "at the question",
  listingClients: "while the clients are listed",
  choosingClient: "at the choice of a client",
  selectingClient: "while the client is selected",
  clientRequired: "where a client is missing",
  replacingSession: "while the other session is closed",
  failed: "at the failure",
  loggedIn: "after the login",
  loadingDestinations: "while the destinations are listed",
  linkFailed: "at the failure around the login",
  linked: "after the link",
  cancelled: "at the end",
};

const outcomes: Readonly<Record<StepName, string>> = {
  loadingProviders: "the banks are waited for",
  choosingProvider: "there are banks to choose from",
  loadingFields: "the form is waited for",
  enteringCredentials: "there is a form to fill in",
  submitting: "the bank is waited for",
  answering: "there is a question to answer",
  listingClients: "the clients are waited for",
  choosingClient: "there are clients to choose from",
  selectingClient: "the client is waited for",
  clientRequired: "the login rests without a client",
  replacingSession: "the end of the other session is waited for",
  failed: "the login fails",
  loggedIn: "the login succeeds",
  loadingDestinations: "the destinations are waited for",
  linkFailed: "the link fails",
  linked: "the bank is linked",
  cancelled: "the flow is over",
};

const ordinals = ["", "second ", "third ", "fourth "];
const things: Readonly<Record<string, string>> = {
  personal_question: "answer",
  token: "token",
  captcha: "answer",
  channel: "choice",
  app_confirmation: "confirmation",
};

/** What is done, as part of a sentence. */
export function formatSentence(action: Action, { view, progress }: Simulation, scenario: Scenario): string {
  const place = places[view.step];
  const again = (request: RequestName) => (progress.counts[request] ? " again" : "");
  switch (action.type) {
    case "choose":
      return view.step === "choosingProvider"
        ? `a bank is chosen${again("GET /provider/{code}/")}`
        : `a client is chosen${again("GET /client/{id}/")}`;
    case "fill":
      return `the form is filled in${isRightForm(action.values, scenario) ? "" : " with a mistake"}${again("POST /login/")}`;
    case "submit":
      return `the form is sent${again("POST /login/")}`;
    case "answer":
      return answerSentence(action.text, "question" in view ? view.question : undefined, scenario);
    case "cancel":
      return `the login is cancelled ${place}`;
    case "replaceSession":
      return `the other session is closed${again("GET /logout/")}`;
    case "retry":
      return "what failed is tried again";
    case "changeProvider":
      return `another bank is wanted ${place}`;
    case "cancelLink":
      return `the flow is cancelled ${place}`;
    case "wait":
      return `the time runs out ${place}`;
  }
}

function isRightForm(values: FormValues, { account }: Scenario): boolean {
  const right = toFormValues(account);
  return Object.entries(values).every(([name, value]) => right[name] === value);
}

function answerSentence(text: string, question: QuestionView | undefined, { account }: Scenario): string {
  const { field, number = 1 } = question ?? {};
  const thing = things[field?.name ?? ""] ?? "code";
  const right = listAnswers(account);
  if (!right.includes(text)) return `a ${ordinals[number - 1] ?? ""}wrong ${thing} is given`;
  return `the ${number > right.length ? "right " : ""}${thing} is given`;
}

// What a path is about, wherever in it that happens.
const telling: readonly Action["type"][] = ["cancel", "replaceSession", "retry", "changeProvider", "wait"];

/** The name of a path: when the bank does what, and what the person does about it, then what shows. */
export function formatPathName(when: string, steps: readonly PathStep<StepName>[], end: StepName): string {
  const decisive = steps.filter(({ action }, index) => telling.includes(action.type) || index === steps.length - 1);
  const [last, ...others] = decisive.map(({ sentence }) => sentence).reverse();
  const parts = [when, ...others.reverse()].join(", ");
  return `When ${parts}${last === undefined ? "" : ` and ${last}`}, ${outcomes[end]}`;
}
