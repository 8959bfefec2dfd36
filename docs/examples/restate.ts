import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http2";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { BankError, createBankClient, describeFailure } from "ventanilla";
import { createDurableLoginClient, durableLogin, durableLoginName } from "ventanilla/restate";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";
import { drainAtSigterm } from "./drain.ts";

const { PORT = "9080", RESTATE_ADMIN, RESTATE_INGRESS: ingress } = process.env;
const sealKey = randomBytes(32).toString("base64"); // in production: made once, and kept in a vault

// The worker: it holds the API key and the seal key, and nothing else.
const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });
const worker = createServer(createEndpointHandler({ services: [durableLogin({ client, sealKey })] }));
drainAtSigterm(worker);
worker.on("session", (session) => session.unref()); // Restate keeps its connection open, and this program has to end
await once(worker.listen(Number(PORT)), "listening");
console.log(`serves ${durableLoginName()}`);

// The caller: any process that holds the seal key. Here it goes on only where a Restate server runs.
if (ingress && RESTATE_ADMIN) {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ uri: `http://127.0.0.1:${PORT}` });
  await fetch(`${RESTATE_ADMIN}/deployments`, { method: "POST", headers, body });

  const logins = createDurableLoginClient({ ingress, sealKey });
  try {
    const name = `order-${randomUUID()}`; // a second start with this name begins no second login
    const id = await logins.start({ name, provider: "test", username: "12345otp", password: "asdfg" });
    const { interaction } = await logins.settled(id); // until it is answered every process may die
    if (interaction) await logins.answer(id, interaction, "8888");
    const outcome = await logins.wait(id);
    console.log(outcome.state);
    if (outcome.state === "loggedIn") console.log(await client.listTransferDestinations(outcome.key));
  } catch (error) {
    if (!(error instanceof BankError)) throw error;
    console.log(error.code, describeFailure(error).text); // with `outcome_unknown`: what to do now
  }
}
worker.close();
await bank.close();
