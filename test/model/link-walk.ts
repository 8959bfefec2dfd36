import { createBankClient, linkMachineOf } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { getNextSnapshot } from "xstate";
import { type LinkCaseName, linkCase, linkCaseNames } from "./link-cases.ts";
import { edgePaths } from "./walk.ts";

/** What is walked; nothing runs. */
export const walkedLink = linkMachineOf(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" }));

const edges = edgePaths(walkedLink, {
  input: {},
  happenings: linkCaseNames.map((name) => ({ name, event: linkCase(name).event as LinkEvent })),
  canHappen: ({ status, children }, name) => {
    const { slot } = linkCase(name);
    return status === "active" && (slot === undefined || slot in children);
  },
  next: (snapshot, event) => getNextSnapshot(walkedLink, snapshot, event),
  situation: ({ value, context: { providers, provider, key } }) =>
    JSON.stringify([value, providers.length > 0, provider !== undefined, key !== undefined]),
});

// What a link passes on to its login leaves the link itself as it is, so it is no edge.
const passedOn = linkCaseNames
  .filter((name) => linkCase(name).isForwarded)
  .map((name): LinkCaseName[] => ["the banks are listed", "a bank is chosen", "the bank's fields are read", name]);

/** Every path that is generated. */
export const linkPaths: readonly (readonly LinkCaseName[])[] = [...edges, ...passedOn];
