/**
 * Paths through the statecharts, to be run against a screen of your own. Peer: `@xstate/graph`.
 *
 * @packageDocumentation
 */

export type { LinkDriver, LoginDriver } from "./driver.ts";
export { fetchFor } from "./fetch.ts";
export type {
  Action,
  Fault,
  LinkPath,
  LinkStepName,
  LoginPath,
  LoginStepName,
  Path,
  PathStep,
  RequestName,
} from "./path.ts";
export { PathError } from "./path-error.ts";
export { type LinkPathOptions, type LoginPathOptions, linkPaths, loginPaths } from "./paths.ts";
export { type RunPathOptions, runPath } from "./run.ts";
export { viewDriver } from "./view-driver.ts";
