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
const states = [
  "loadingProviders",
  "choosingProvider",
  "loadingFields",
  "submitting",
  "awaitingInteraction",
  "selectClient",
  "failed",
  "loadingDestinations",
  "linkFailed",
  "linked",
  "cancelled",
];

/** The paths to the states in which the component stays, by what they show. */
export const stepPaths: ReadonlyMap<string, Path> = new Map([
  ...states.map((state) => [state, findPath(state, paths)] as const),
  // Its fields depend on each other.
  [
    "idle",
    findPath(
      "idle",
      paths.filter(({ provider }) => provider === "puente_co"),
    ),
  ],
  ["client_selection_off", findPath("failed", linkPaths({ settings: {} }), "client_selection_off")],
]);
