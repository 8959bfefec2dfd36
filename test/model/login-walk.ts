import { createBankClient, createLoginMachine, type LoginSettings } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { getNextSnapshot } from "xstate";
import { loginCase, loginCaseNames } from "./login-cases.ts";
import { edgePaths } from "./walk.ts";

/** The settings under which a login is walked. */
export const loginVariants: Record<string, LoginSettings> = {
  "by the contract": { interactionLimit: 1 },
  "with clients to select and a session to replace": {
    clientSelection: true,
    sessionReplacement: true,
    interactionLimit: 2,
  },
};

/** What is walked; nothing runs. */
export const walkedLogin = createLoginMachine(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" }));

const pathsWith = (settings: LoginSettings) =>
  edgePaths(walkedLogin, {
    input: settings,
    happenings: loginCaseNames.map((name) => ({ name, event: loginCase(name).event as LoginEvent })),
    canHappen: ({ status, children }, name) => {
      const { slot } = loginCase(name);
      return status === "active" && (slot === undefined || slot in children);
    },
    next: (snapshot, event) => getNextSnapshot(walkedLogin, snapshot, event),
    situation: ({ value, context: { settings, interaction, key, failure, sessionReplaced } }) =>
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
