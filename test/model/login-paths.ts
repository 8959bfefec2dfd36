import { createBankClient, createLoginMachine, type LoginSettings } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { getNextSnapshot } from "xstate";
import { edgePaths } from "./edge-paths.ts";
import { loginCase, loginCaseNames } from "./login-cases.ts";

/** The settings under which a login is explored. */
export const loginVariants: Record<string, LoginSettings> = {
  "by the contract": { interactionLimit: 1 },
  "with clients to select and a session to replace": {
    clientSelection: true,
    sessionReplacement: true,
    interactionLimit: 2,
  },
};

/** The statechart to explore; nothing runs. */
export const loginToExplore = createLoginMachine(
  createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" }),
);

const pathsWith = (settings: LoginSettings) =>
  edgePaths(loginToExplore, {
    input: settings,
    happenings: loginCaseNames.map((name) => ({ name, event: loginCase(name).event as LoginEvent })),
    canHappen: ({ status, children }, name) => {
      const { slot } = loginCase(name);
      return status === "active" && (slot === undefined || slot in children);
    },
    next: (snapshot, event) => getNextSnapshot(loginToExplore, snapshot, event),
    stateKey: ({ value, context: { settings, interaction, key, failure, sessionReplaced } }) =>
      JSON.stringify([
        value,
        settings,
        Math.min(interaction?.number ?? 0, 3),
        key !== undefined,
        failure?.code === "max_sessions_reached",
        sessionReplaced,
      ]),
  });

/** Every path that is generated. */
export const loginPaths = Object.entries(loginVariants).flatMap(([variant, settings]) =>
  pathsWith(settings).map((path) => ({ variant, settings, path })),
);
