import { linkPaths, type Path } from "ventanilla/testing";
import { findPath } from "./paths.ts";

const paths = linkPaths({
  settings: {
    clientSelection: true,
    sessionReplacement: true,
    answerTimeout: 300_000,
    dependentChoices: true,
    destinations: true,
  },
});
const steps = [
  "loadingProviders",
  "choosingProvider",
  "loadingFields",
  "submitting",
  "answering",
  "choosingClient",
  "failed",
  "loadingDestinations",
  "linkFailed",
  "linked",
  "cancelled",
];

/** The paths to the steps at which the component stays, by the names of the steps. */
export const stepPaths: ReadonlyMap<string, Path> = new Map([
  ...steps.map((step) => [step, findPath(step, paths)] as const),
  // Its fields depend on each other.
  [
    "enteringCredentials",
    findPath(
      "enteringCredentials",
      paths.filter(({ provider }) => provider === "puente_co"),
    ),
  ],
  ["clientRequired", findPath("clientRequired", linkPaths({ settings: {} }))],
]);
