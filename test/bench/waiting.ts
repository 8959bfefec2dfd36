import { createActor, waitFor } from "xstate";
import { createBankClient, createCredentials, createLoginMachine, type LoginActor, pause } from "../../src/index.ts";
import { findResponse, usernames } from "./canned.ts";

// A process of its own per figure: `waiting.js actors 1000` prints what that many logins that wait for an answer take.
const [kind, amount] = process.argv.slice(2);
const count = Number(amount);
const client = createBankClient({
  baseUrl: "http://bank.example",
  apiKey: "api-key",
  fetch: async (address, init) =>
    new Response(findResponse(String(address), await new Response(init?.body ?? null).text()), {
      headers: { "content-type": "application/json" },
    }),
});
const machine = createLoginMachine(client);
const key = Buffer.alloc(32, 7).toString("base64url");

async function waiting(number: number): Promise<LoginActor> {
  const actor = createActor(machine, { input: { answerTimeout: 3_600_000, validate: false } });
  actor.start();
  const username = `${usernames.interaction}-${number}`;
  const credentials = createCredentials({ provider: "test", username, password: `correct horse ${number}` });
  actor.send({ type: "credentials.submit", credentials });
  await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
  return actor;
}

const make = kind === "tokens" ? async (number: number) => pause(client, await waiting(number), { key }) : waiting;

function heap(): number {
  for (let pass = 0; pass < 3; pass++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

// What is loaded and compiled once belongs to no login.
for (let number = 0; number < 200; number++) {
  const made = await make(-number);
  if (typeof made !== "string") made.stop();
}
const kept: unknown[] = new Array(count);
const before = heap();
const started = performance.now();
for (let number = 0; number < count; number++) kept[number] = await make(number);
const milliseconds = performance.now() - started;
const bytes = heap() - before;
const [first] = kept;
process.stdout.write(
  JSON.stringify({ bytes, milliseconds, length: typeof first === "string" ? first.length : undefined }),
);
process.exit(kept.length === count ? 0 : 1);
