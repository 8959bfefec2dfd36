import type { Answer } from "./answers.ts";

/** An account is a script: the login walks through its steps, and stops where one gives an answer. */
export type Step = InteractionStep | ClientsStep | PauseStep | LoggedInStep | RefusedStep;

/**
 * Which key the answer carries: one of its own, or the one the client already holds, which goes on working either way. A first
 * answer always makes one.
 */
export type KeyPolicy = "new" | "same";

export interface InteractionStep {
  readonly step: "interaction";
  /** The interactive field that is asked for. */
  readonly field: string;
  readonly context: string;
  readonly answer: string;
  /** What is asked for decides which error tells that it is missing: B1003 for a code, B1005 for a question. */
  readonly asks: "code" | "question";
  /** What a wrong answer is met with. All but `ask_again` end the interaction; that one ends at the third. */
  readonly wrong: "wrong_credentials" | "B1002" | "B1004" | "ask_again";
  /** What an answer that comes too late is met with. */
  readonly late: "Invalid key" | "B1006";
  readonly key: KeyPolicy;
}

export interface ClientsStep {
  readonly step: "clients";
  readonly clients: ReadonlyMap<string, string>;
  /** Whether choosing a client replaces the session key; the old one ends then. */
  readonly chosen: KeyPolicy;
}

interface PauseStep {
  readonly step: "pause";
}

export interface LoggedInStep {
  readonly step: "logged_in";
  /** `absent`: the answer carries no key and the one at hand stays valid. */
  readonly key: KeyPolicy | "absent";
}

interface RefusedStep {
  readonly step: "refused";
  readonly answer: Answer;
}

type Asked = Pick<InteractionStep, "field" | "context" | "answer"> &
  Partial<Pick<InteractionStep, "wrong" | "late" | "key">>;

const asking =
  (asks: InteractionStep["asks"]) =>
  (asked: Asked): InteractionStep => ({
    step: "interaction",
    asks,
    wrong: "wrong_credentials",
    late: "Invalid key",
    key: "same",
    ...asked,
  });

export const askCode = asking("code");
export const askQuestion = asking("question");

export const selectClient = (clients: Readonly<Record<string, string>>, chosen: KeyPolicy): ClientsStep => ({
  step: "clients",
  clients: new Map(Object.entries(clients)),
  chosen,
});

export const pause: PauseStep = { step: "pause" };

export const loggedIn = (key: LoggedInStep["key"] = "same"): LoggedInStep => ({ step: "logged_in", key });

export const refused = (answer: Answer): RefusedStep => ({ step: "refused", answer });
