import { type FailureCode, type LoginSettings, type LoginState, reveal } from "ventanilla";
import type { PausedLogin } from "../../machines/login.types.ts";
import { type LoginCaseName, loginCase, loginCaseNames } from "./login-cases.ts";
import { askedField, type LoginCondition, loginRows } from "./login-rows.ts";
import { type Oracle, only } from "./oracle.ts";

/** Where a login stands, as far as what comes next depends on it. */
export interface LoginFacts {
  readonly state: LoginState;
  /** Its own, or those of the login that it took up. */
  readonly settings: LoginSettings;
  readonly key: string | undefined;
  /** Questions so far; remembered through a replacement, so that a trace of them would show. */
  readonly interactions: number;
  /** The field of the last one. */
  readonly field: "otp" | "captcha" | undefined;
  /** Answers to that field in a row that the bank has asked for again. */
  readonly answersSent: number;
  /** A session of this login was replaced, or it was tried. */
  readonly replaced: boolean;
  readonly failure: FailureCode | undefined;
}

/** Whether the session that is one too many can be closed: asked for, known by its key, and not tried before. */
export function isReplaceable({ settings, failure, key, replaced }: LoginFacts): boolean {
  return settings.sessionReplacement === true && failure === "max_sessions_reached" && key !== undefined && !replaced;
}

const isBelowLimit = ({ settings, interactions }: LoginFacts): boolean =>
  interactions < (settings.interactionLimit ?? 10);

const holds: Record<LoginCondition, (facts: LoginFacts) => boolean> = {
  "key at hand": ({ key }) => key !== undefined,
  "no key at hand": ({ key }) => key === undefined,
  "below the limit": isBelowLimit,
  "at the limit": (facts) => !isBelowLimit(facts),
  "clients can be selected": ({ settings }) => settings.clientSelection === true,
  "clients can't be selected": ({ settings }) => settings.clientSelection !== true,
  replaceable: isReplaceable,
};

export function loginOracle(settings: LoginSettings): Oracle<LoginFacts, LoginCaseName> {
  return {
    start: {
      state: "idle",
      settings,
      key: undefined,
      interactions: 0,
      field: undefined,
      answersSent: 0,
      replaced: false,
      failure: undefined,
    },
    names: loginCaseNames,
    next(facts, name) {
      const rows = loginRows.filter((row) => row.in === facts.state && row.when === name);
      const row = only(rows.filter((candidate) => (candidate.if ?? []).every((condition) => holds[condition](facts))));
      if (!row) return "ignored";
      const state = row.to;
      const { paused } = loginCase(name);
      if (paused) return { state, ...toFacts(paused), field: askedField[name], failure: undefined };
      const isAfresh = state === "idle" || name === "credentials are submitted";
      return {
        state,
        settings: facts.settings,
        key: keyAfter(facts, name, row.to, row.because),
        ...questionsAfter(facts, name, state, row.because),
        replaced: !isAfresh && (facts.replaced || name === "the other session is replaced"),
        failure: row.because,
      };
    },
  };
}

// A login goes on from where it was paused, whatever the one that takes it up was about.
function toFacts({ settings, key, interaction, sessionReplaced }: PausedLogin) {
  const { number: interactions = 0, answersSent = 0 } = interaction ?? {};
  return { settings, key: reveal(key), interactions, answersSent, replaced: sessionReplaced };
}

function keyAfter({ key }: LoginFacts, name: LoginCaseName, state: LoginState, because: string | undefined) {
  const replied = loginCase(name).key;
  if (state === "idle") return undefined;
  // A login from the beginning has no key: what is at hand belongs to the one before.
  if (state === "submitting") return name === "the question is answered" ? key : undefined;
  // What failed leaves no key, but for the session that is one too many: only the answer itself can name it.
  if (state === "failed") return because === "max_sessions_reached" ? replied : undefined;
  return replied ?? key;
}

function questionsAfter(
  { interactions, field, answersSent }: LoginFacts,
  name: LoginCaseName,
  state: LoginState,
  because: string | undefined,
): Pick<LoginFacts, "interactions" | "field" | "answersSent"> {
  if (state === "awaitingInteraction") {
    const next = askedField[name];
    return { interactions: interactions + 1, field: next, answersSent: next === field ? answersSent + 1 : 0 };
  }
  const isKept = state === "replacingSession" || because === "max_sessions_reached";
  if (isKept || name === "the question is answered") return { interactions, field, answersSent };
  return { interactions: 0, field: undefined, answersSent: 0 };
}

/** The settings that the oracle tells apart. */
export const loginSettings: Record<string, LoginSettings> = {
  "by the contract": {},
  "with no question allowed": { interactionLimit: 0 },
  "with clients to select": { clientSelection: true, interactionLimit: 1 },
  "with a session to replace": { sessionReplacement: true, interactionLimit: 1 },
  "with both and two questions": { clientSelection: true, sessionReplacement: true, interactionLimit: 2 },
  "with both refused": { clientSelection: false, sessionReplacement: false, interactionLimit: 1 },
};
