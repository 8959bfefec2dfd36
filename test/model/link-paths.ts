import { createBankClient, createLinkMachine, type LinkSettings } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { getNextSnapshot } from "xstate";
import { edgePaths } from "./edge-paths.ts";
import { type LinkCaseName, linkCase, linkCaseNames } from "./link-cases.ts";

/** The settings under which a link is explored. */
export const linkVariants: Record<string, LinkSettings> = {
  "by the contract": {},
  "whose choices depend on each other": { dependentChoices: true },
  "at a bank that is known, for its session alone": { provider: "test", destinations: false, dependentChoices: true },
};

/** The statechart to explore; nothing runs. */
export const linkToExplore = createLinkMachine(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" }));

const edgesWith = (settings: LinkSettings) =>
  edgePaths(linkToExplore, {
    input: settings,
    happenings: linkCaseNames.map((name) => ({ name, event: linkCase(name).event as LinkEvent })),
    canHappen: ({ status, children }, name) => {
      const { slot } = linkCase(name);
      return status === "active" && (slot === undefined || slot in children);
    },
    next: (snapshot, event) => getNextSnapshot(linkToExplore, snapshot, event),
    stateKey: ({ value, context: { providers, provider, choice, key } }) =>
      JSON.stringify([value, providers.length > 0, provider !== undefined, choice !== undefined, key !== undefined]),
  });

// What a link passes on to its login leaves the link itself as it is, so it is no edge.
const toLogin: readonly LinkCaseName[] = ["the banks are listed", "a bank is chosen", "the bank's fields are read"];
const passedOn = linkCaseNames.filter((name) => linkCase(name).isForwarded);

// What breaks or is refused shows nothing that was narrowed before.
const narrowedBefore = (["the narrowing is refused", "the narrowing breaks"] as const).map((name) => [
  ...(["a choice is made", "the choices are narrowed", "a choice is made", name] as const),
]);

/** Every path that is generated. */
export const linkPaths = Object.entries(linkVariants).flatMap(([variant, settings]) => {
  // A bank that is known is neither listed nor chosen.
  const start = settings.provider === undefined ? toLogin : toLogin.slice(2);
  const paths: (readonly LinkCaseName[])[] = [...edgesWith(settings), ...passedOn.map((name) => [...start, name])];
  if (settings.dependentChoices) paths.push(...narrowedBefore.map((names) => [...start, ...names]));
  return paths.map((path) => ({ variant, settings, path }));
});
