import { createBankClient, createCredentials, createLoginMachine, readState, secret } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";
import { createActor, waitFor } from "xstate";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });

const actor = createActor(createLoginMachine(client), { input: {} });
actor.subscribe((snapshot) => console.log(readState(snapshot).state, snapshot.hasTag("busy") ? "…" : ""));
actor.on("interaction.required", ({ interaction }) => console.log(interaction.context));
actor.start();

// Values are wrapped before an event is sent: the statechart, its snapshots and an inspector never see them.
const credentials = createCredentials({ provider: "test", username: "12345pq", password: "asdfg" });
actor.send({ type: "credentials.submit", credentials });
await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));

actor.send({ type: "interaction.answer", answer: { personal_question: secret("8888") } });
const { output } = await waitFor(actor, (snapshot) => snapshot.status === "done");
console.log(output);
await bank.close();
