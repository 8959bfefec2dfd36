// How many responses one relay keeps for its pages, and what each takes. Run by `npm run bench -- attempts`.
import { randomBytes } from "node:crypto";
import { createBankClient, createMemoryClaimStore } from "../../src/index.ts";
import { createRelay } from "../../src/servers/relay/index.ts";
import { findResponse, usernames } from "./canned.ts";

/** Seconds for which docs/relay-operate.md promises a response, at this many logins and answers a second. */
const LIFETIME = 600;
const PROMISED = 30;

const PAGE = "https://shop.example";
const relay = createRelay({
  client: createBankClient({
    baseUrl: "http://bank.example",
    apiKey: "key",
    fetch: async (input, init) => new Response(findResponse(String(input), await new Request(input, init).text())),
  }),
  sealKey: randomBytes(32).toString("base64"),
  allowedOrigins: [PAGE],
  claimStore: createMemoryClaimStore(),
  readUser: () => "account-12345678",
  rateLimit: false,
  onLogin: () => {},
});
const headers = { origin: PAGE, "x-ventanilla": "1", "content-type": "application/x-www-form-urlencoded" };
const ids: string[] = [];

/** Sends first logins at which the bank asks for a code. */
async function logIn(count: number): Promise<void> {
  const body = new URLSearchParams({ provider: "test", username: usernames.interaction, password: "gfdsa" });
  for (let index = 0; index < count; index++) {
    const id = crypto.randomUUID();
    ids.push(id);
    const request = new Request(`${PAGE}/login/`, {
      method: "POST",
      body: body.toString(),
      headers: { ...headers, "x-attempt-id": id },
    });
    const response = await relay(request);
    if (response.status !== 200) throw new Error(`The relay responded with HTTP ${response.status}.`);
  }
}

async function readHeap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return process.memoryUsage().heapUsed;
}

await logIn(2_000);
const before = await readHeap();
await logIn(10_000);
const size = (await readHeap()) - before;
// More than it keeps.
await logIn(20_000);
let kept = 0;
for (const id of ids) {
  const response = await relay(new Request(`${PAGE}/attempt/${id}/`, { headers }));
  if (response.status === 200) kept += 1;
}
const rate = kept / LIFETIME;
console.log(`${Math.round(size / 10_000)} bytes for each response, its id in the claim store included`);
console.log(`${kept} responses are kept: those of ${LIFETIME} s at ${rate.toFixed(0)} logins and answers a second`);
if (rate < PROMISED) {
  console.log(`docs/relay-operate.md promises ${PROMISED} a second`);
  process.exitCode = 1;
}
