import { createBankClient, createMemoryClaimStore, resume, secret } from "ventanilla";
import { toPromise } from "xstate";

// A program of its own, run by processes.test.ts: takes a login up with the one-time code and lists the destinations.

const { BASE_URL: baseUrl = "", API_KEY: apiKey = "", SEAL_KEY: key = "", TOKEN: token = "" } = process.env;
const client = createBankClient({ baseUrl, apiKey });
const actor = await resume(client, token, { key, claimStore: createMemoryClaimStore() });
actor.send({ type: "interaction.answer", answer: secret("8888") });
const session = await toPromise(actor);
process.stdout.write(JSON.stringify(await client.listTransferDestinations(session.key)));
