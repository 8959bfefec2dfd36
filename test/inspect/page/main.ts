import {
  type BankClient,
  createBankClient,
  createCredentials,
  createLinkMachine,
  createLoginMachine,
  linkView,
  loginView,
  secret,
} from "ventanilla";
// The half for browsers, as a bundler takes it.
import { inspectLogin, type LoginInspection } from "ventanilla/inspect";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor, linkPaths, loginPaths, type Path, runPath, viewDriver } from "ventanilla/testing";
import { createActor, waitFor } from "xstate";
import { type Reached, stateRecorder } from "../states.ts";

declare global {
  interface Window {
    /** Opens the window that watches, as a click does. */
    watchFrom: string;
    /** Runs every path of the test kit, and says which states were reached. */
    runEveryPath(): Promise<{ readonly paths: number; readonly reached: Reached[] }>;
    /** Logs in with a bank that says and is told nothing but these. */
    runWithCanaries(canaries: Readonly<Record<string, string>>): Promise<Reached[]>;
    stopWatching(): void;
  }
}

const inspections: LoginInspection[] = [];
document.querySelector("button")?.addEventListener("click", () => {
  inspections.push(inspectLogin({ url: window.watchFrom, history: 100_000 }));
});
const inspect = (event: Parameters<LoginInspection>[0]) => {
  for (const inspection of inspections) inspection(event);
};
window.stopWatching = () => {
  for (const inspection of inspections) inspection.stop();
};

async function run(path: Path): Promise<Reached[]> {
  const states = stateRecorder();
  const client = createBankClient({
    baseUrl: "http://bank.test",
    apiKey: SANDBOX_API_KEY,
    retry: false,
    fetch: fetchFor(path),
  });
  const both = (event: Parameters<LoginInspection>[0]) => {
    states.inspect(event);
    inspect(event);
  };
  const { stop, look } = begin(path, client, both);
  await runPath(path, viewDriver(look), { timeout: 60_000 });
  stop();
  return states.reached;
}

function begin(path: Path, client: BankClient, both: (event: Parameters<LoginInspection>[0]) => void) {
  if (path.flow === "link") {
    const actor = createActor(createLinkMachine(client), { input: path.settings, inspect: both }).start();
    return { stop: () => actor.stop(), look: () => linkView(actor.getSnapshot(), actor.send) };
  }
  const { provider, detail, settings: input } = path;
  const actor = createActor(createLoginMachine(client), { input, inspect: both }).start();
  return {
    stop: () => actor.stop(),
    look: () => loginView(actor.getSnapshot(), actor.send, { provider, detail }),
  };
}

window.runEveryPath = async () => {
  const paths: Path[] = [...loginPaths(), ...linkPaths()];
  const reached: Reached[] = [];
  for (const path of paths) reached.push(...(await run(path)));
  return { paths: paths.length, reached };
};

window.runWithCanaries = async ({
  username = "",
  password = "",
  answer = "",
  key = "",
  question = "",
  apiKey = "",
}) => {
  const states = stateRecorder();
  const answers = [
    { status: "interaction_required", key, context: question, field: "otp" },
    { status: "logged_in", key },
  ];
  const client = createBankClient({
    baseUrl: "http://bank.test",
    apiKey,
    fetch: async () => Response.json(answers.shift()),
  });
  const actor = createActor(createLoginMachine(client), {
    input: {},
    inspect: (event) => {
      states.inspect(event);
      inspect(event);
    },
  }).start();
  actor.send({ type: "credentials.submit", credentials: createCredentials({ provider: "test", username, password }) });
  await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
  actor.send({ type: "interaction.answer", answer: secret(answer) });
  await waitFor(actor, ({ status }) => status === "done");
  return states.reached;
};
