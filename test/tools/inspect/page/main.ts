import { createBankClient, createCredentials, createLoginMachine, secret } from "ventanilla";
// The half for browsers, as a bundler takes it.
import { inspectLogin, type LoginInspection } from "ventanilla/inspect";
import { createActor, waitFor } from "xstate";
import { type Reached, stateRecorder } from "../states.ts";

declare global {
  interface Window {
    /** The address of the window that watches. A click opens it. */
    watchFrom: string;
    /** Logs in at a bank with these values in the requests and responses. */
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

window.runWithCanaries = async ({
  username = "u",
  password = "p",
  answer = "a",
  key = "k",
  question = "",
  apiKey = "a",
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
    // The bank answers the two logins alone.
    input: { validate: false },
    inspect: (event) => {
      states.inspect(event);
      inspect(event);
    },
  }).start();
  actor.send({ type: "credentials.submit", credentials: createCredentials({ provider: "test", username, password }) });
  await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
  actor.send({ type: "interaction.answer", answer: { otp: secret(answer) } });
  await waitFor(actor, ({ status }) => status === "done");
  return states.reached;
};
