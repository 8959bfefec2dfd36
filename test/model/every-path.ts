import type { InspectionEvent } from "xstate";
import type { Bank } from "../bank/bank.ts";
import { withoutPrefixes } from "./edge-paths.ts";
import { linkPaths } from "./link-paths.ts";
import { runLink } from "./link-run.ts";
import { loginPaths } from "./login-paths.ts";
import { runLogin } from "./login-run.ts";

/** A path that is run against a bank, each step of it held against the oracle. */
export interface RunnablePath {
  readonly name: string;
  readonly steps: readonly string[];
  /** @param beforeStep called before each step, with its number from 0. */
  run(bank: Bank, inspect: (event: InspectionEvent) => void, beforeStep?: (index: number) => void): Promise<void>;
}

/** The generated paths of both statecharts; none begins with another. */
export const everyPath: readonly RunnablePath[] = [
  ...withoutPrefixes(loginPaths).map(({ variant, settings, path }) => ({
    name: `a login ${variant}: ${path.join(", then ")}`,
    steps: [`a login ${variant}`, ...path],
    run: (...[bank, ...hooks]: Parameters<RunnablePath["run"]>) => runLogin(bank, settings, path, ...hooks),
  })),
  ...withoutPrefixes(linkPaths).map(({ variant, settings, path }) => ({
    name: `a link ${variant}: ${path.join(", then ")}`,
    steps: [`a link ${variant}`, ...path],
    run: (...[bank, ...hooks]: Parameters<RunnablePath["run"]>) => runLink(bank, settings, path, ...hooks),
  })),
];
