/**
 * Paths through the statecharts, to run against any screen.
 *
 * @packageDocumentation
 */

export { linkEvents, loginEvents, serializeState } from "./graph-events.ts";
export { PathError, type PathErrorCode } from "./path-error.ts";
export { fetchFor, type PathFetch } from "./path-fetch.ts";
export { type LinkPathOptions, type LoginPathOptions, linkPaths, loginPaths } from "./path-generation.ts";
export type {
  Action,
  Fault,
  FieldLabel,
  FieldLabels,
  LinkPath,
  LoginPath,
  Path,
  PathFailure,
  PathStep,
  Received,
  RequestName,
  ShownState,
} from "./path-types.ts";
export { type RunPathOptions, runPath } from "./run-path.ts";
export type { LinkDriver, LoginDriver } from "./screen-driver.ts";
export { viewDriver } from "./view-driver.ts";
