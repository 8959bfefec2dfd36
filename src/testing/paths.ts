import type { LinkSettings } from "../link/settings.ts";
import type { LoginSettings } from "../login/settings.ts";
import { linkSituations } from "./link-situations.ts";
import { loginSituations } from "./login-situations.ts";
import type { LinkPath, LoginPath, Path } from "./path.ts";
import type { Taken } from "./rehearsal.ts";
import { nameOfPath } from "./sentences.ts";
import type { Situation } from "./situation.ts";
import { type Way, waysOf } from "./walk.ts";

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
 * about, the shortest way there, and for each situation that a bank can be in, the way to its end (interface.md, section 3).
 * The same options give the same paths. Needs the package `@xstate/graph`.
 */
export function loginPaths({ settings }: LoginPathOptions = {}): readonly LoginPath[] {
  return pathsOf("login", loginSituations, settings) as readonly LoginPath[];
}

/**
 * The paths through a link screen, from the choice of a bank to the destinations (interface.md, section 1), generated as
 * `loginPaths` generates its own. Of the login within there are as many as show each of its screens.
 */
export function linkPaths({ settings }: LinkPathOptions = {}): readonly LinkPath[] {
  return pathsOf("link", linkSituations, settings) as readonly LinkPath[];
}

function pathsOf(
  flow: Path["flow"],
  situations: readonly Situation[],
  settings: LinkSettings | undefined,
): readonly Path[] {
  const ways = situations.flatMap((situation) => waysOf(flow, situation, settings ?? situation.settings));
  return withoutBeginnings(shortestWays(flow, ways)).map((way) => pathOf(flow, way));
}

/** For each thing to be shown the first of the shortest ways. */
function shortestWays(flow: Path["flow"], ways: readonly Way[]): readonly Way[] {
  const shortest = new Map<string, Way>();
  for (const way of ways) {
    for (const thing of thingsShown(flow, way)) {
      const known = shortest.get(thing);
      if (!known || way.steps.length < known.steps.length) shortest.set(thing, way);
    }
  }
  const chosen = new Set(shortest.values());
  return ways.filter((way) => chosen.has(way));
}

function thingsShown(flow: Path["flow"], { taken, situation, isWhole }: Way): readonly string[] {
  const transitions = taken.filter((one) => one.flow === flow).map((one) => transitionName(one));
  return isWhole ? [...transitions, situation.when] : transitions;
}

// What a person does is another thing on each screen; what the bank says is not.
function transitionName({ step, source, event, row }: Taken): string {
  return `${event.startsWith("xstate.") ? "" : step} ${source} ${event} ${row}`;
}

/** Leaves out what another way begins with, and what it repeats. */
function withoutBeginnings(ways: readonly Way[]): readonly Way[] {
  const texts = ways.map(({ situation, settings, steps }) => ({
    conditions: JSON.stringify([situation.account, situation.faults, settings]),
    actions: steps.map(({ action, expected }) => JSON.stringify([action, expected])),
  }));
  return ways.filter((_, index) => {
    const { conditions, actions } = texts[index] as (typeof texts)[number];
    return !texts.some((other, otherIndex) => {
      const isLonger =
        other.actions.length > actions.length || (other.actions.length === actions.length && otherIndex < index);
      return (
        isLonger && other.conditions === conditions && actions.every((action, step) => other.actions[step] === action)
      );
    });
  });
}

function pathOf(flow: Path["flow"], { situation, settings, start, steps }: Way): Path {
  const end = steps.at(-1)?.expected ?? start;
  const path = {
    flow,
    name: nameOfPath(situation.when, steps, end),
    provider: situation.account.provider,
    account: situation.account,
    faults: situation.faults.map(({ request, number, what }) => ({
      request,
      ...(number !== undefined && { number }),
      what,
    })),
    settings,
    start,
    steps,
  };
  return path as Path;
}
