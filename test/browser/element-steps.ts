import { linkPaths, type Path } from "ventanilla/testing";

const paths = linkPaths({
  settings: { clientSelection: true, sessionReplacement: true, answerTimeout: 300_000, dependentChoices: true },
});
const withoutClients = linkPaths({ settings: {} });

/** The shortest way to a step: a path, cut off where the step shows. */
function shortestWayTo(step: string, from: readonly Path[] = paths, provider?: string): Path {
  const ways = from
    .filter((path) => provider === undefined || path.provider === provider)
    .map((path) => ({
      ...path,
      steps: path.steps.slice(0, path.steps.findIndex(({ expected }) => expected === step) + 1),
    }))
    .filter((path) => path.start === step || path.steps.length > 0)
    .sort((one, other) => one.steps.length - other.steps.length);
  const [way] = ways;
  if (!way) throw new Error(`No path shows ${step}.`);
  return way as Path;
}

/** Each step that rests, and how it is reached. */
export const restingSteps: readonly (readonly [step: string, way: Path])[] = [
  ...[
    "choosingProvider",
    "submitting",
    "answering",
    "failed",
    "choosingClient",
    "linkFailed",
    "linked",
    "cancelled",
  ].map((step) => [step, shortestWayTo(step)] as const),
  ["enteringCredentials", shortestWayTo("enteringCredentials", paths, "puente_co")],
  ["clientRequired", shortestWayTo("clientRequired", withoutClients)],
  ["loadingProviders", shortestWayTo("loadingProviders")],
  ["loadingFields", shortestWayTo("loadingFields")],
  ["loadingDestinations", shortestWayTo("loadingDestinations")],
];

/** The way to one of them. */
export function wayTo(step: string): Path {
  const [, way] = restingSteps.find(([name]) => name === step) ?? [];
  if (!way) throw new Error(`No way leads to ${step}.`);
  return way;
}
