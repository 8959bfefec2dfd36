import { createBankClient, createCredentials, createLoginMachine, pause } from "ventanilla";
import { createActor, waitFor } from "xstate";

// A program that processes.test.ts runs: it logs in, pauses, prints the token, and ends.

const { BASE_URL: baseUrl = "", API_KEY: apiKey = "", SEAL_KEY: key = "" } = process.env;
const client = createBankClient({ baseUrl, apiKey });
const actor = createActor(createLoginMachine(client), {
  input: { answerTimeout: 300_000 },
});
actor.start();
const credentials = createCredentials({ provider: "test", username: "12345otp", password: "asdfg" });
actor.send({ type: "credentials.submit", credentials });
await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
process.stdout.write(await pause(client, actor, { key }));
