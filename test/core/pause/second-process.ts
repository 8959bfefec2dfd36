import { createBankClient, resume } from "ventanilla";
import { createMemoryStore } from "ventanilla/tokens";

// A program that processes.test.ts runs: it resumes the login, sends the one-time code, and lists the destinations.

const { BASE_URL: baseUrl = "", API_KEY: apiKey = "", SEAL_KEY: key = "", TOKEN: token = "" } = process.env;
const client = createBankClient({ baseUrl, apiKey });
let outcome = await resume(client, token, { key, claimStore: createMemoryStore({ rows: new Map() }) });
if (outcome.state === "awaitingInteraction") outcome = await outcome.answer("8888");
if (outcome.state === "loggedIn")
  process.stdout.write(JSON.stringify(await client.listTransferDestinations(outcome.key)));
