import { createBankClient, createCredentials, createLinkMachine, linkView } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";
import { createActor, toPromise, waitFor } from "xstate";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });

const actor = createActor(createLinkMachine(client), { input: { destinations: true } });
actor.subscribe((snapshot) => console.log(linkView(snapshot, actor).state));
actor.start();

const { context } = await waitFor(actor, (snapshot) => snapshot.matches("choosingProvider"));
console.log(`${context.providers.length} banks`);
actor.send({ type: "provider.choose", provider: "faro_uy" });

await waitFor(actor, (snapshot) => snapshot.matches("loggingIn"));
const credentials = createCredentials({ provider: "faro_uy", username: "plain", password: "s3creto" });
actor.send({ type: "credentials.submit", credentials });

console.log(await toPromise(actor));
await bank.close();
