import { getShortestPaths } from "@xstate/graph";
import { fromTransition } from "xstate";
import type { LinkSettings } from "../link/settings.ts";
import type { Action, LinkStepName, LoginStepName, PathStep } from "./path.ts";
import { Rehearsal, type Taken } from "./rehearsal.ts";
import { isShown, nextAnswer, nextValues, progressFacts } from "./scripted-bank.ts";
import { sentenceOf } from "./sentences.ts";
import type { Situation } from "./situation.ts";
import { type Standing, stepOf, viewOf } from "./standing.ts";

/** A way through the statecharts in one situation, and what its last action brings about. */
export interface Way {
  readonly situation: Situation;
  readonly settings: LinkSettings;
  readonly start: LoginStepName | LinkStepName;
  readonly steps: readonly PathStep<LoginStepName | LinkStepName>[];
  readonly taken: readonly Taken[];
  /** Whether the situation has shown all that it has to show. */
  readonly isWhole: boolean;
}

// The time that runs out has to run out within a test.
const LONGEST_WAIT = 2000;

/**
 * From everywhere that a person can get to by the shortest path, each thing that a person can do there: with `@xstate/graph`,
 * over the statecharts as they stand.
 */
export function waysOf(flow: "login" | "link", situation: Situation, settings: LinkSettings): readonly Way[] {
  const start = Rehearsal.start(flow, situation, settings);
  // The walk takes each step once; the ways take them again.
  const rehearsed = new WeakMap<Standing, Map<string, Rehearsal>>();
  const next = (standing: Standing, action: Action): Rehearsal => {
    const known = rehearsed.get(standing) ?? new Map<string, Rehearsal>();
    rehearsed.set(standing, known);
    const rehearsal = known.get(action.type) ?? Rehearsal.from(situation, standing);
    if (!known.has(action.type)) rehearsal.act(action);
    known.set(action.type, rehearsal);
    return rehearsal;
  };
  const logic = fromTransition<Standing, Action, never, object>(
    (standing, action) => next(standing, action).standing,
    start.standing,
  );
  const paths = getShortestPaths(logic, {
    events: ({ context }) => actionsAt(situation, context),
    serializeState: ({ context }) => JSON.stringify(facts(situation, context)),
    serializeEvent: (action) => JSON.stringify(action),
    // Ends a walk through a statechart that counts without end.
    limit: 20_000,
  });
  const way = (steps: Way["steps"], { taken, standing }: Rehearsal): Way => ({
    situation,
    settings,
    start: stepOf(start.standing),
    steps,
    taken,
    isWhole: isWhole(situation, standing, steps),
  });
  const stepBetween = (before: Standing, action: Action, after: Standing): Way["steps"][number] => ({
    action,
    sentence: sentenceOf(action, stepOf(before), before, situation),
    expected: stepOf(after),
  });
  const ways = paths.flatMap(({ state, steps }) => {
    const standings = steps.map((step) => step.state.context);
    const led = steps
      .slice(1)
      .map(({ event }, index) => stepBetween(standings[index] as Standing, event, standings[index + 1] as Standing));
    return actionsAt(situation, state.context).map((action) => {
      const rehearsal = next(state.context, action);
      return way([...led, stepBetween(state.context, action, rehearsal.standing)], rehearsal);
    });
  });
  return [way([], start), ...ways];
}

/** What a person can do at a screen in a situation. */
function actionsAt(situation: Situation, standing: Standing): readonly Action[] {
  const view = viewOf(standing, () => {});
  const actions: Action[] = [];
  if (view.step === "choosingProvider") actions.push({ type: "choose", value: situation.account.provider });
  if (view.step === "choosingClient") {
    // The last one, so that a screen which takes the first one for granted is found out.
    const client = view.clients.at(-1);
    if (client) actions.push({ type: "choose", value: client.id });
  }
  if ("form" in view) {
    const fill: Action = { type: "fill", values: nextValues(situation, standing.bank) };
    actions.push(standing.filled ? { type: "submit" } : fill);
  }
  if ("answer" in view) actions.push({ type: "answer", text: nextAnswer(situation, standing.bank) });
  if (["answering", "choosingClient"].includes(view.step) && isHurried(standing)) actions.push({ type: "wait" });
  for (const type of ["replaceSession", "retry", "cancel", "changeProvider", "leave"] as const) {
    if (type in view && (view as unknown as Readonly<Record<string, unknown>>)[type] !== undefined)
      actions.push({ type });
  }
  return actions;
}

function isHurried({ login }: Standing): boolean {
  return (login?.context.settings.answerTimeout ?? Number.POSITIVE_INFINITY) <= LONGEST_WAIT;
}

function isWhole(situation: Situation, standing: Standing, steps: Way["steps"]): boolean {
  if (situation.isLate) return steps.at(-1)?.action.type === "wait";
  const view = viewOf(standing, () => {});
  const hasEnded = ["loggedIn", "linked", "failed", "clientRequired"].includes(view.step);
  const goesOn = view.step === "failed" && view.replaceSession !== undefined;
  return hasEnded && !goesOn && isShown(situation, standing.bank);
}

/** What tells two standings apart. */
function facts(situation: Situation, { link, login, bank, filled }: Standing): unknown {
  const { providers, provider, key } = link?.context ?? {};
  return [
    [link?.value, providers?.length, provider, key !== undefined],
    [login?.value, login?.context.interaction?.number, login?.context.failure?.code, login?.context.sessionReplaced],
    progressFacts(situation, bank),
    filled !== undefined,
  ];
}
