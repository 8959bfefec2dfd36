import { randomBytes } from "node:crypto";
import {
  createBankClient,
  createMemoryClaimStore,
  credentialsOf,
  failureText,
  loginMachineOf,
  pause,
  resume,
  secret,
  TokenError,
} from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";
import { createActor, toPromise, waitFor } from "xstate";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });
const key = randomBytes(32).toString("base64"); // in production: made once, and kept in a vault

// In one process: the bank asks for a code, and the person needs time to find it.
const actor = createActor(loginMachineOf(client), { input: { answerTimeout: 300_000 } });
actor.start();
const credentials = credentialsOf({ provider: "test", username: "12345otp", password: "asdfg" });
actor.send({ type: "credentials.submit", credentials });
await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
const token = await pause(actor, { key, expiresIn: 300_000 });
console.log(token.length < 1024, actor.getSnapshot().status);

// In another: what waits there, and the answer.
const claimStore = createMemoryClaimStore(); // several instances: a store that they share, from "ventanilla/tokens"
const resumed = await resume(client, token, { key, claimStore });
console.log(resumed.getSnapshot().context.interaction?.context);
resumed.send({ type: "interaction.answer", answer: secret("8888") });
const session = await toPromise(resumed);
console.log(await client.listTransferDestinations(session.key));

try {
  await resume(client, token, { key, claimStore });
} catch (error) {
  if (!(error instanceof TokenError)) throw error;
  console.log(error.code, failureText(error.code, "es"));
}
await bank.close();
