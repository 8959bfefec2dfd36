/** A bug for the simulation to find. */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  /** Once in that file. */
  readonly text: string;
  /** In its place. */
  readonly bug: string;
  /** The checker that is meant for it. */
  readonly promise: string;
}

/** @param planted a bug that the code has in that file. */
export function bundleSimulation(file: string, planted?: PlantedBug): Promise<void>;

export function readPlantedBugs(): readonly PlantedBug[];
