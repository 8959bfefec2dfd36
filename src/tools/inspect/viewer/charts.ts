import { linkMachine } from "../../../../machines/link.ts";
import { loginMachine } from "../../../../machines/login.ts";

/** The drawn statecharts. A layout begins with a random order of the states: with these seeds the fewest arrows cross. */
export const charts = [
  {
    machine: loginMachine,
    title: "The login statechart",
    layout: { "elk.randomSeed": "30", "elk.layered.edgeLabels.centerLabelPlacementStrategy": "WIDEST_LAYER" },
  },
  {
    machine: linkMachine,
    title: "The link statechart",
    layout: { "elk.randomSeed": "30", "elk.layered.edgeLabels.centerLabelPlacementStrategy": "TAIL_LAYER" },
  },
] as const;
