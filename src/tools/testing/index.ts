/**
 * Paths through the statecharts, to run against any screen.
 *
 * @packageDocumentation
 */

export { linkEvents, loginEvents, serializeState } from "./graph-events.ts";
export { PathError } from "./path-error.ts";
export { fetchFor, type PathFetch } from "./path-fetch.ts";
export { type LinkPathOptions, type LoginPathOptions, linkPaths, loginPaths } from "./path-generation.ts";
export type { Fault, FieldLabels, LinkPath, LoginPath, Path, Received } from "./path-types.ts";
export { type RunPathOptions, runPath } from "./run-path.ts";
export type { LinkDriver, LoginDriver } from "./screen-driver.ts";
export { viewDriver } from "./view-driver.ts";
