import { getShortestPaths } from "@xstate/graph";
import { fromTransition } from "xstate";
import type { LinkSettings } from "../../machines/link.types.ts";
import type { LoginSettings } from "../../machines/login.types.ts";
import { linkScenarios } from "./link-scenarios.ts";
import { loginScenarios } from "./login-scenarios.ts";
import { formatPathName, formatSentence } from "./path-sentences.ts";
import type { Action, LinkPath, LoginPath, Path } from "./path-types.ts";
import { type Scenario, toProviderDetail } from "./scenario.ts";
import { isFullyShown, nextAnswer, nextFormValues } from "./scripted-bank.ts";
import { type Simulation, simulate } from "./simulation.ts";

/** Which paths through a login screen. */
export interface LoginPathOptions {
  /**
   * The settings that your screen has, where they are fixed: only what is possible under them. Default: each path comes with
   * settings of its own, and together they reach every transition.
   */
  readonly settings?: LoginSettings;
}

/** Which paths through a link screen. */
export interface LinkPathOptions {
  /**
   * The settings that your screen has, where they are fixed: only what is possible under them. Default: each path comes with
   * settings of its own, and together they reach every transition.
   */
  readonly settings?: LinkSettings;
}

/**
 * The paths through a login screen, generated from the statechart: for each transition that a person at a screen can bring
 * about, the shortest path to it, and for each scenario of a bank, the path to its end (contract, section 3).
 * The same options give the same paths. Needs the package `@xstate/graph`.
 */
export function loginPaths({ settings }: LoginPathOptions = {}): readonly LoginPath[] {
  return generatePaths("login", loginScenarios, settings) as readonly LoginPath[];
}

/**
 * The paths through a link screen, from the choice of a bank to the destinations (contract, section 1), generated as
 * `loginPaths` generates its own. Of the login within there are as many as show each of its screens.
 */
export function linkPaths({ settings }: LinkPathOptions = {}): readonly LinkPath[] {
  return generatePaths("link", linkScenarios, settings) as readonly LinkPath[];
}

// A longer one can't run out within a test.
const LONGEST_WAIT = 2000;

/** A path before it is chosen and named: its start, and the simulation after each action. */
interface Candidate {
  readonly scenario: Scenario;
  readonly settings: LinkSettings;
  readonly start: Simulation;
  readonly simulations: readonly Simulation[];
}

function generatePaths(
  flow: Path["flow"],
  scenarios: readonly Scenario[],
  settings: LinkSettings | undefined,
): readonly Path[] {
  const candidates = scenarios.flatMap((scenario) => generateCandidates(flow, scenario, settings ?? scenario.settings));
  return withoutPrefixes(chooseShortest(flow, candidates)).map((candidate) => toPath(flow, candidate));
}

/** The shortest path to each state that a person can reach, then each action that is possible there: by `@xstate/graph`. */
function generateCandidates(flow: Path["flow"], scenario: Scenario, settings: LinkSettings): readonly Candidate[] {
  const conditions = { flow, scenario, settings };
  const known = new Map<string, Simulation>();
  const after = (actions: readonly Action[]): Simulation => {
    const name = JSON.stringify(actions);
    const last = actions.at(-1);
    const simulation =
      known.get(name) ?? simulate(conditions, last && { after: after(actions.slice(0, -1)), action: last });
    known.set(name, simulation);
    return simulation;
  };
  const start = after([]);
  const actionsAt = (simulation: Simulation) => listActions(scenario, settings, simulation);
  const logic = fromTransition<Simulation, Action, never, object>(
    ({ actions }, action) => after([...actions, action]),
    start,
  );
  const shortest = getShortestPaths(logic, {
    events: ({ context }) => actionsAt(context),
    serializeState: ({ context }) => context.state,
    serializeEvent: (action) => JSON.stringify(action),
    // Ends a search through a statechart that counts without end.
    limit: 20_000,
  }).map(({ steps }) => steps.slice(1).map(({ event }) => event));
  const candidates = shortest.flatMap((actions) => actionsAt(after(actions)).map((action) => [...actions, action]));
  return [[], ...candidates].map((actions) => ({
    scenario,
    settings,
    start,
    simulations: actions.map((_, index) => after(actions.slice(0, index + 1))),
  }));
}

/** What a person can do next; a form that is filled in is sent. */
function listActions(
  scenario: Scenario,
  settings: LinkSettings,
  { view, progress, actions }: Simulation,
): readonly Action[] {
  if (actions.at(-1)?.type === "fill") return [{ type: "submit" }];
  const possible: Action[] = [];
  if (view.step === "choosingProvider") possible.push({ type: "choose", value: scenario.account.provider });
  if (view.step === "choosingClient") {
    // The last one: a screen that always takes the first one then fails.
    const client = view.clients.at(-1);
    if (client) possible.push({ type: "choose", value: client.id });
  }
  if ("form" in view) possible.push({ type: "fill", values: nextFormValues(scenario, progress) });
  if ("answer" in view) possible.push({ type: "answer", text: nextAnswer(scenario, progress) });
  const isHurried = (settings.answerTimeout ?? Number.POSITIVE_INFINITY) <= LONGEST_WAIT;
  if (isHurried && ["answering", "choosingClient"].includes(view.step)) possible.push({ type: "wait" });
  for (const type of ["replaceSession", "retry", "cancel", "changeProvider", "cancelLink"] as const) {
    if (Object.entries(view).some(([verb, does]) => verb === type && does !== undefined)) possible.push({ type });
  }
  return possible;
}

/** Chooses the first of the shortest candidates for each thing to cover. */
function chooseShortest(flow: Path["flow"], candidates: readonly Candidate[]): readonly Candidate[] {
  const shortest = new Map<string, Candidate>();
  for (const candidate of candidates) {
    for (const thing of listCovered(flow, candidate)) {
      const known = shortest.get(thing);
      if (!known || candidate.simulations.length < known.simulations.length) shortest.set(thing, candidate);
    }
  }
  const chosen = new Set(shortest.values());
  return candidates.filter((candidate) => chosen.has(candidate));
}

/** What a candidate covers: the transitions of its last action, and its scenario where that is complete. */
function listCovered(flow: Path["flow"], { scenario, start, simulations }: Candidate): readonly string[] {
  const [last = start, before = start] = simulations.slice(-2).reverse();
  // A person's event counts for each screen, a response of the bank once.
  const shown = last.transitions
    .filter(({ source }) => source.split(".")[0] === flow)
    .map(
      ({ source, event, place }) =>
        `${event.startsWith("xstate.") ? "" : before.view.step} ${source} ${event} ${place}`,
    );
  return isComplete(scenario, last) ? [...shown, scenario.when] : shown;
}

/** Whether the scenario has come to its end. */
function isComplete(scenario: Scenario, { view, progress, actions }: Simulation): boolean {
  if (scenario.isLate) return actions.at(-1)?.type === "wait";
  const hasEnded = ["loggedIn", "linked", "failed", "clientRequired"].includes(view.step);
  const goesOn = view.step === "failed" && view.replaceSession !== undefined;
  return hasEnded && !goesOn && isFullyShown(scenario, progress);
}

/** Leaves out each candidate that another one begins with or repeats. */
function withoutPrefixes(candidates: readonly Candidate[]): readonly Candidate[] {
  // What happens, up to and after each action.
  const texts = candidates.map(({ scenario, settings, simulations }) => {
    const conditions = JSON.stringify([scenario.account, scenario.faults, settings]);
    return [conditions, ...simulations.map(({ actions, view }) => JSON.stringify([actions.at(-1), view.step]))].join(
      "\n",
    );
  });
  return candidates.filter((_, index) => {
    const text = texts[index] as string;
    return texts.indexOf(text) === index && !texts.some((other) => other.startsWith(`${text}\n`));
  });
}

function toPath(flow: Path["flow"], { scenario, settings, start, simulations }: Candidate): Path {
  const steps = simulations.map((simulation, index) => {
    const action = simulation.actions.at(-1) as Action;
    const { view } = simulation;
    return {
      action,
      sentence: formatSentence(action, simulations[index - 1] ?? start, scenario),
      expected: view.step,
      ...(simulation.failure && { failure: simulation.failure }),
      // A picture has a text of this library, in the language of the screen.
      ...("question" in view &&
        view.question.kind !== "picture" &&
        view.question.text !== "" && { question: view.question.text }),
    };
  });
  const path = {
    flow,
    name: formatPathName(scenario.when, steps, steps.at(-1)?.expected ?? start.view.step),
    provider: scenario.account.provider,
    account: scenario.account,
    ...(flow === "login" && { detail: toProviderDetail(scenario.account) }),
    faults: scenario.faults.map(({ meaning: _, ...fault }) => fault),
    settings,
    start: start.view.step,
    ...(start.failure && { startFailure: start.failure }),
    steps,
  };
  return path as Path;
}
