import { linkPaths, type Path } from "ventanilla/testing";

const paths = linkPaths({
  settings: { clientSelection: true, sessionReplacement: true, answerTimeout: 300_000, dependentChoices: true },
});
const withoutClients = linkPaths({ settings: {} });

/** The shortest path to a step: a path, cut off where the step shows. */
function findShortestPath(step: string, from: readonly Path[] = paths, provider?: string): Path {
  const candidates = from
    .filter((path) => provider === undefined || path.provider === provider)
    .map((path) => ({
      ...path,
      steps: path.steps.slice(0, path.steps.findIndex(({ expected }) => expected === step) + 1),
    }))
    .filter((path) => path.start === step || path.steps.length > 0)
    .sort((one, other) => one.steps.length - other.steps.length);
  const [path] = candidates;
  if (!path) throw new Error(`No path shows ${step}.`);
  return path as Path;
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
  ].map((step) => [step, findShortestPath(step)] as const),
  ["enteringCredentials", findShortestPath("enteringCredentials", paths, "puente_co")],
  ["clientRequired", findShortestPath("clientRequired", withoutClients)],
  ["loadingProviders", findShortestPath("loadingProviders")],
  ["loadingFields", findShortestPath("loadingFields")],
  ["loadingDestinations", findShortestPath("loadingDestinations")],
];

/** The path to one of them. */
export function findPath(step: string): Path {
  const [, path] = restingSteps.find(([name]) => name === step) ?? [];
  if (!path) throw new Error(`No path leads to ${step}.`);
  return path;
}
