import type { LinkSettings, LoginSettings } from "ventanilla";
import type { AnyMachineSnapshot, InspectionEvent } from "xstate";
import type { HoldingBank } from "../bank/holding-bank.ts";
import { edgePaths, withoutPrefixes } from "./edge-paths.ts";
import { type LinkCaseName, linkCase, linkCaseNames } from "./link-cases.ts";
import { resumedLinks } from "./link-resumed.ts";
import { runLink } from "./link-run.ts";
import { linkModel } from "./link-steps.ts";
import type { LoginCaseName } from "./login-cases.ts";
import { runLogin } from "./login-run.ts";
import { loginModel } from "./login-steps.ts";

/** A path that is run against a bank, each step of it judged by the table. */
export interface RunnablePath {
  readonly name: string;
  readonly steps: readonly string[];
  /** @param beforeStep called before each step, with its number from 0. */
  run(
    bank: HoldingBank,
    inspect: (event: InspectionEvent) => void,
    beforeStep?: (index: number) => void,
  ): Promise<void>;
}

const loginVariants: Readonly<Record<string, LoginSettings>> = {
  "by the contract": { validate: false, interactionLimit: 1 },
  "with the fields checked": { validate: true, interactionLimit: 0 },
  "with clients to select and a session to replace": {
    validate: false,
    clientSelection: true,
    sessionReplacement: true,
    interactionLimit: 2,
  },
};

/** What only emits an event changes nothing, so it is no edge. */
const unknownApproval: readonly LoginCaseName[] = [
  "a paused question is taken up",
  "the wait for the bank's app breaks",
  "the question is confirmed",
];

const loginEdges = new Set<string>();
const linkEdges = new Set<string>();

function listLoginPaths(input: LoginSettings): readonly (readonly LoginCaseName[])[] {
  const toKey = ({ value, context }: AnyMachineSnapshot) => [
    value,
    context["settings"],
    Math.min(context["interaction"]?.number ?? 0, 3),
    context["credentials"] !== undefined,
    context["key"] !== undefined,
    context["failure"]?.code === "max_sessions_reached",
    context["sessionReplaced"],
  ];
  return [unknownApproval, ...edgePaths(loginModel, input, toKey, loginEdges)];
}

function listLinkPaths(input: LinkSettings): readonly (readonly LinkCaseName[])[] {
  const toKey = ({ value, context: { providers, provider, choice, key } }: AnyMachineSnapshot) => [
    value,
    providers.length > 0,
    provider !== undefined,
    choice !== undefined,
    key !== undefined,
  ];
  const edges = edgePaths(linkModel, input, toKey, linkEdges);
  const toLogin: readonly LinkCaseName[] = ["the banks are listed", "a bank is chosen", "the bank's fields are read"];
  // A bank that is known is neither listed nor chosen.
  const start = input.provider === undefined ? toLogin : toLogin.slice(2);
  // An event that a link passes on to its login changes nothing in the link, so it is no edge.
  const forwarded = linkCaseNames.filter((name) => linkCase(name).isForwarded).map((name) => [...start, name]);
  // A narrowing that breaks or is refused shows nothing that was narrowed before.
  const narrowedBefore = (["the narrowing is refused", "the narrowing breaks"] as const).map(
    (name): readonly LinkCaseName[] => [
      ...start,
      "a choice is made",
      "the choices are narrowed",
      "a choice is made",
      name,
    ],
  );
  return [...edges, ...forwarded, ...(input.dependentChoices ? narrowedBefore : [])];
}

function toRunnable<Name extends string, Settings>(
  flow: string,
  variants: Readonly<Record<string, Settings>>,
  listPaths: (settings: Settings) => readonly (readonly Name[])[],
  run: (bank: HoldingBank, settings: Settings, path: readonly Name[], ...hooks: RunHooks) => Promise<void>,
): readonly RunnablePath[] {
  return Object.entries(variants).flatMap(([variant, settings]) =>
    withoutPrefixes(listPaths(settings)).map((path) => ({
      name: `a ${flow} ${variant}: ${path.join(", then ")}`,
      steps: [`a ${flow} ${variant}`, ...path],
      run: (bank: HoldingBank, ...hooks: RunHooks) => run(bank, settings, path, ...hooks),
    })),
  );
}

type RunHooks = [inspect: (event: InspectionEvent) => void, beforeStep?: (index: number) => void];

/** The generated paths of both statecharts; none begins with another. */
export const everyPath: readonly RunnablePath[] = [
  ...toRunnable("login", loginVariants, listLoginPaths, runLogin),
  ...toRunnable("link", linkModel.variants, listLinkPaths, runLink),
  ...resumedLinks,
];
