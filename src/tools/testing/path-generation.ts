import type { LinkSettings } from "../../../machines/link.types.ts";
import type { LoginSettings } from "../../../machines/login.types.ts";
import { type Locale, locales } from "../../core/texts/languages.ts";
import { linkScenarios, narrowing } from "./link-scenarios.ts";
import { loginScenarios } from "./login-scenarios.ts";
import { listPairs } from "./pairs.ts";
import { formatPathName, formatSentence } from "./path-sentences.ts";
import type {
  Action,
  FieldLabels,
  LinkPath,
  LoginPath,
  Path,
  PathFailure,
  PathStep,
  RequestName,
  ScreenContent,
} from "./path-types.ts";
import { type Scenario, toFormValues, toProviderDetail } from "./scenario.ts";
import { isFullyShown, nextAccount, nextAnswer, nextFormValues } from "./scripted-bank.ts";
import { type Conditions, createSimulator, readBank, type Simulate, type Simulation } from "./simulation.ts";
import { listShownFields } from "./view-driver.ts";

export interface LoginPathOptions {
  /**
   * The fixed settings of your screen: only what is possible with them. Default: each path has
   * its own settings, and together they reach every transition.
   */
  readonly settings?: LoginSettings;
}

export interface LinkPathOptions {
  /**
   * The fixed settings of your screen: only what is possible with them. Default: each path has
   * its own settings, and together they reach every transition.
   */
  readonly settings?: LinkSettings;
}

/**
 * The paths through a login screen, generated from the statechart: for each transition that a person at a screen can cause,
 * the shortest path to it, and for each scenario of a bank, the path to its end (contract, section 3).
 * The same options give the same paths.
 */
export function loginPaths({ settings }: LoginPathOptions = {}): readonly LoginPath[] {
  return generatePaths("login", loginScenarios, settings) as readonly LoginPath[];
}

/**
 * The paths through a link screen, from the choice of a bank to the destinations (contract, section 1), generated as
 * `loginPaths` generates its own. They show each screen of the login within the link.
 */
export function linkPaths({ settings }: LinkPathOptions = {}): readonly LinkPath[] {
  return generatePaths("link", linkScenarios, settings) as readonly LinkPath[];
}

// A longer time can't end within a test.
const LONGEST_WAIT = 2000;

function generatePaths(
  flow: Path["flow"],
  scenarios: readonly Scenario[],
  settings: LinkSettings | undefined,
): readonly Path[] {
  const simulate = createSimulator();
  const ends = scenarios.flatMap((scenario) =>
    simulateAll(simulate, { flow, scenario, settings: settings ?? scenario.settings }),
  );
  const chosen = withoutPrefixes(coverPairs(chooseShortest(ends), ends));
  return chosen.map((end, index) => toPath(end, index + 1, chosen.length));
}

// Ends a search through a statechart that counts without end.
const LIMIT = 20_000;

/** The start, and each action that is possible in a state that a person can reach, each by a shortest path: breadth first. */
function simulateAll(simulate: Simulate, conditions: Conditions): readonly Simulation[] {
  const start = simulate(conditions);
  const all = [start];
  const known = new Set([start.state]);
  const left = [start];
  for (const reached of left) {
    for (const action of listActions(reached)) {
      const next = simulate(conditions, reached, action);
      all.push(next);
      if (all.length > LIMIT) throw new Error(`There is no end of what follows when ${conditions.scenario.when}.`);
      if (known.has(next.state)) continue;
      known.add(next.state);
      left.push(next);
    }
  }
  return all;
}

/** What a person can do next; a form that is filled in is sent. */
function listActions({ conditions: { scenario, settings }, view, progress, action }: Simulation): readonly Action[] {
  const { leaves } = scenario;
  const isLeaving = leaves !== undefined && readBank(view) === leaves.provider;
  if (action?.type === "fill") return [{ type: isLeaving ? "changeProvider" : "submit" }];
  if (isLeaving) return "form" in view ? [{ type: "fill", values: toFormValues(leaves) }] : [];
  const possible: Action[] = [];
  const account = nextAccount(scenario, progress);
  if (view.state === "choosingProvider") {
    const { provider } = (progress.counts["GET /provider/{code}/"] ? undefined : leaves) ?? account;
    possible.push({ type: "choose", value: provider });
  }
  if (view.state === "selectClient") {
    // First the last client, then the first one: a screen that always takes the first one fails, and so does one that sends an earlier choice again.
    const client = view.clients.at(progress.counts["GET /client/{id}/"] ? 0 : -1);
    if (client) possible.push({ type: "choose", value: client.id });
  }
  const isAtItsBank = [undefined, account.provider].includes(readBank(view));
  if ("form" in view && isAtItsBank) possible.push({ type: "fill", values: nextFormValues(scenario, progress) });
  if ("answer" in view) possible.push({ type: "answer", answer: nextAnswer(scenario, progress) });
  const isHurried = (settings.answerTimeout ?? Number.POSITIVE_INFINITY) <= LONGEST_WAIT;
  if (isHurried && !view.busy && ("question" in view || "expiresAt" in view)) possible.push({ type: "wait" });
  for (const type of ["replaceSession", "retry", "cancel", "changeProvider", "cancelLink"] as const) {
    if (Object.entries(view).some(([verb, does]) => verb === type && does !== undefined)) possible.push({ type });
  }
  return possible;
}

/** Chooses the first of the shortest paths to each thing to cover. */
function chooseShortest(ends: readonly Simulation[]): readonly Simulation[] {
  const shortest = new Map<string, Simulation>();
  for (const end of ends) {
    for (const thing of listCovered(end)) {
      const known = shortest.get(thing);
      if (!known || end.before.length < known.before.length) shortest.set(thing, end);
    }
  }
  const chosen = new Set(shortest.values());
  return ends.filter((end) => chosen.has(end));
}

/**
 * Adds paths until together they show each ordered pair that any path shows: each time the first of the
 * shortest paths among those that show most of the missing pairs. Then it removes each path that the others make redundant.
 */
function coverPairs(chosen: readonly Simulation[], ends: readonly Simulation[]): readonly Simulation[] {
  const pairs = new Map<Simulation, readonly string[]>();
  // The paths that were chosen before come first.
  for (const end of ends)
    pairs.set(end, [...new Set([...(pairs.get(end.before.at(-1) ?? end) ?? []), ...listPairs(end)])]);
  const left = new Set([...pairs.values()].flat());
  const all = new Set<Simulation>();
  const add = (end: Simulation) => {
    all.add(end);
    for (const pair of pairs.get(end) ?? []) left.delete(pair);
  };
  chosen.forEach(add);
  while (left.size > 0) {
    const rated = ends.map((end) => [end, (pairs.get(end) ?? []).filter((pair) => left.has(pair)).length] as const);
    const isBetter = ([end, count]: (typeof rated)[number], [best, most]: (typeof rated)[number]) =>
      count > most || (count === most && end.before.length < best.before.length);
    const [best] = rated.reduce((best, other) => (isBetter(other, best) ? other : best));
    add(best);
  }
  const covered = new Map(
    [...all].map((end) => [end, new Set([...end.before, end].flatMap(listCovered).concat(pairs.get(end) ?? []))]),
  );
  for (const end of all) {
    const others = [...all].filter((other) => other !== end);
    const isCovered = (thing: string) => others.some((other) => covered.get(other)?.has(thing));
    if ([...(covered.get(end) ?? [])].every(isCovered)) all.delete(end);
  }
  return ends.filter((end) => all.has(end));
}

/** The state of a screen, including the request that it waits for. */
const toPlace = (view: Simulation["view"]): string => (view.state === "submitting" ? view.request : view.state);

/** What a path covers: the transitions of its last action, and its scenario if that is complete. */
function listCovered(end: Simulation): readonly string[] {
  const { flow, scenario } = end.conditions;
  const before = toPlace((end.before.at(-1) ?? end).view);
  // A person's event counts for each screen, a response of the bank once.
  const shown = end.transitions
    .filter(({ source }) => source.split(".")[0] === flow)
    .map(({ source, event, place }) => `${event.startsWith("xstate.") ? "" : before} ${source} ${event} ${place}`);
  return isComplete(end) ? [...shown, scenario.when] : shown;
}

/** Whether the scenario has ended. */
function isComplete({ conditions: { scenario }, view, progress, action }: Simulation): boolean {
  if (scenario.isLate) return action?.type === "wait";
  const hasEnded = ["loggedIn", "linked", "failed"].includes(view.state);
  const goesOn = view.state === "failed" && view.replaceSession !== undefined;
  return hasEnded && !goesOn && isFullyShown(scenario, progress);
}

/** Removes each path that another one begins with or repeats. */
function withoutPrefixes(ends: readonly Simulation[]): readonly Simulation[] {
  const texts = ends.map((end) => {
    const { scenario, settings } = end.conditions;
    const steps = [...end.before, end].map(({ action, view }) => JSON.stringify([action, toPlace(view)]));
    const { account, faults, changesAppearance } = scenario;
    return [JSON.stringify([account, faults, changesAppearance, settings]), ...steps].join("\n");
  });
  return ends.filter((_, index) => {
    const text = texts[index] as string;
    return texts.indexOf(text) === index && !texts.some((other) => other.startsWith(`${text}\n`));
  });
}

function toPath(end: Simulation, number: number, count: number): Path {
  const { flow, scenario, settings } = end.conditions;
  const [start = end] = end.before;
  const held = scenario.faults.find(({ what }) => what === "held")?.request;
  const steps = [...end.before, end].slice(1).map((simulation) => {
    const action = simulation.action as Action;
    return {
      action,
      sentence: formatSentence(action, simulation),
      expected: simulation.view.state,
      ...(simulation.view.busy && held && { held }),
      ...listRequests(simulation),
      ...describeScreen(simulation),
    };
  });
  const path = {
    flow,
    name: formatPathName(scenario.when, steps, end.view),
    number,
    count,
    provider: scenario.account.provider,
    account: scenario.account,
    ...(flow === "login" && { detail: toProviderDetail(scenario, scenario.account.provider) }),
    faults: scenario.faults.map(({ meaning: _, ...fault }) => fault),
    settings,
    start: start.view.state,
    startScreen: describeScreen(start),
    steps: scenario.changesAppearance ? steps.flatMap(withChangedAppearance) : steps,
  };
  return path as Path;
}

/** The requests that the bank has received after an action that sends one. */
function listRequests({ conditions: { scenario }, before, progress }: Simulation): Pick<PathStep, "requests"> {
  const isSame = Object.entries(progress.counts).every(([name, count]) => {
    return before.at(-1)?.progress.counts[name as RequestName] === count;
  });
  if (isSame) return {};
  // A screen may know the banks and their forms from elsewhere, and a choice that is changed immediately may send no request.
  const isOfBank = ([name]: [string, number]) =>
    !name.startsWith("GET /provider/") ||
    scenario.faults.some(({ request }) => request === name && request !== narrowing);
  const requests = Object.fromEntries(Object.entries(progress.counts).filter(isOfBank));
  return Object.keys(requests).length === 0 ? {} : { requests };
}

/** What the screen has to show at a step. */
function describeScreen(simulation: Simulation): ScreenContent {
  const { view, before, action } = simulation;
  const fields = listShownFields(view);
  const isNew = before.every((earlier) => readBank(earlier.view) !== readBank(view));
  const values = action?.type === "fill" ? action.values : undefined;
  const filled = values || isNew ? fields.filter(({ name, initial }) => (values?.[name] ?? initial) !== "") : [];
  // At the same bank the user name may stay, and while a form is filled in its fields are the person's.
  const empty = values
    ? []
    : fields.filter(({ input, initial }) => initial === "" && ("question" in view || input === "password" || isNew));
  return {
    ...("failure" in view && { failure: toPathFailure(simulation) }),
    // A picture has a text of this library, in the language of the screen.
    ...("question" in view &&
      view.question.kind !== "picture" &&
      view.question.text !== "" && { question: view.question.text }),
    ...(view.state === "selectClient" && { clients: view.clients.map(({ name }) => name) }),
    ...(fields.length > 0 && { fields: fields.map(({ name }) => name), labels: toLabels(simulation) }),
    ...(empty.length > 0 && { emptyFields: empty.map(({ name }) => name) }),
    ...(filled.length > 0 && { filledFields: filled.map(({ name }) => name) }),
  };
}

function toPathFailure({ look }: Simulation): PathFailure {
  const [first, ...others] = locales.map(look).flatMap((view) => ("failure" in view ? [view.failure] : []));
  if (!first) throw new Error("There is no failure.");
  return { code: first.code, texts: [first, ...others].map(({ text }) => text) };
}

function toLabels({ look }: Simulation): Readonly<Record<Locale, FieldLabels>> {
  const inLanguage = (locale: Locale): FieldLabels =>
    Object.fromEntries(
      listShownFields(look(locale)).map(({ name, label, choices }) => [
        name,
        choices.length > 0 ? { label, choices } : { label },
      ]),
    );
  return Object.fromEntries(locales.map((locale) => [locale, inLanguage(locale)])) as Record<Locale, FieldLabels>;
}

/** A step of a screen that changes its language or theme once the form is filled in, and while the bank asks. */
function withChangedAppearance<Step extends PathStep<string>>(step: Step): readonly Step[] {
  if (step.action.type !== "fill" && step.expected !== "awaitingInteraction") return [step];
  return [step, { ...step, action: { type: "changeAppearance" }, sentence: "the language or the theme is changed" }];
}
