// The longest time that one response holds the event loop, by what is in it. Run by `npm run bench -- hostile`.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type BankClient, createBankClient, secret } from "../../src/index.ts";

/** What no response may exceed, in milliseconds: docs/security.md promises it. */
const LONGEST_HOLD = 250;
const ROUNDS = 5;

const SIZE = 4 * 1024 * 1024;
const fill = (unit: string, size = SIZE - 200) => unit.repeat(Math.floor(size / unit.length));
const createList = (unit: string, last = "0") => `[${fill(`${unit},`)}${last}]`;
const described = (description: string) => `{"status":"error","message":"x","description":${description}}`;
const interaction = (context: string) =>
  `{"status":"interaction_required","key":"k-1","field":"otp","context":"${context}"}`;
const members = (count: number) => Array.from({ length: count }, (_, n) => `"k${n.toString(36)}":0`).join();

const LONG = Object.fromEntries(
  Array.from({ length: 29 }, (_, n) => [`field_${n}`, `${fill("aä", 2_000)}${n}`] as const),
);
const HEADS = Object.fromEntries(
  Array.from({ length: 29 }, (_, n) => [`field_${n}`, `${"a".repeat(20 + n)}b`] as const),
);
const FORM = { provider: "test", username: "ana.perez", password: "((((a+)+)+)+$|[\\" };

const login =
  (more: Readonly<Record<string, string>> = {}) =>
  (client: BankClient) =>
    client.login({ ...FORM, ...more });
const providers = (client: BankClient) => client.listProviders();
const provider = (client: BankClient) => client.getProvider("test");
const clients = (client: BankClient) => client.listClients(secret("5e0a0b9a-session-key"));
/** A session whose login sent all that. */
const destinations = (more: Readonly<Record<string, string>>) => async (client: BankClient) => {
  const response = await client.login({ ...FORM, ...more });
  return "key" in response && response.key && client.listTransferDestinations(response.key);
};

const banks = (count: number) =>
  JSON.stringify({
    status: "success",
    providers: Array.from({ length: count }, (_, n) => ({
      code: `banco_${n}`,
      country: "UY",
      name: `Banco número ${n}`,
    })),
  });
const createDestination = (name: string) => `{"status":"success","destinations":[{"id":1,"name":"${name}"}]}`;

const bodies: readonly [name: string, body: string, call: (client: BankClient) => Promise<unknown>][] = [
  ["a list of 50,000 banks, as it should be", banks(50_000), providers],
  ["29 long fields, a long description", described(`"${fill("aä", SIZE / 2)}"`), login(LONG)],
  ["29 long fields, their echo", described(JSON.stringify(Object.values(LONG))), login(LONG)],
  ["29 fields alike, texts that almost match", described(`"${fill("a")}"`), login(HEADS)],
  ["29 fields alike, destinations that almost match", createDestination(fill("a")), destinations(HEADS)],
  [
    "29 fields alike, 60,000 destinations that almost match",
    `{"status":"success","destinations":[${fill(`{"id":1,"name":"${"a".repeat(40)}"},`)}{"id":1,"name":""}]}`,
    destinations(HEADS),
  ],
  ["a password that is a pattern, texts for it", described(`"${fill("((((a+")}"`), login()],
  ["a list of small numbers", described(createList("0")), login()],
  ["a list of large numbers", described(createList("12345678901")), login()],
  ["a list of fractions", described(createList("1.5")), login()],
  ["a list of empty objects", described(createList("{}")), login()],
  ["a list of empty lists", described(createList("[]")), login()],
  [
    "a list of objects, each of another shape",
    `{"status":"e","x":[${Array.from({ length: 200_000 }, (_, n) => `{"k${n}":0}`).join()}]}`,
    login(),
  ],
  ["a list of texts", described(createList('"ab"')), login()],
  ["lists in a list", described(`[${createList("0")}]`), login()],
  ["a list without an end", described(`[${fill("{},")}`), login()],
  ["deep lists", described(`${fill("[", SIZE / 2)}${fill("]", SIZE / 2)}`), login()],
  ["deep objects", described(`${fill('{"a":', SIZE / 2)}0${"}".repeat(SIZE / 2 / 5)}`), login()],
  ["a tree of deep lists", described(`${"[".repeat(30)}${fill("[[[[]]]],")}0${"]".repeat(30)}`), login()],
  ["200,000 members", `{"status":"e",${members(200_000)}}`, login()],
  ["9,000 members", described(`{${members(9_000)}}`), login()],
  [
    "a list of 600,000 values called __proto__",
    `{"__proto__":[${"0,".repeat(600_000)}0],"status":"e","constructor":{"prototype":[${"0,".repeat(600_000)}0]}}`,
    login(),
  ],
  ["one giant context", interaction(fill("x ")), login()],
  ["a context of escapes", interaction(fill("\\u0061")), login()],
  ["a context that is one echo", interaction(fill("ana.perez")), login()],
  ["a giant status", `{"status":"${fill("x")}"}`, login()],
  ["a giant key", `{"status":"logged_in","key":"${fill("x")}"}`, login()],
  ["a giant field", `{"status":"interaction_required","key":"k","field":"${fill("x")}"}`, login()],
  ["quotes and backslashes", `{"status":"${fill('\\"\\\\')}"}`, login()],
  ["nothing but quotes", fill('"'), login()],
  ["no JSON", fill("x"), login()],
  [
    "2,000 clients",
    `{"status":"success","clients":{${Array.from({ length: 2_000 }, (_, n) => `"${n}":"Client ${n}"`).join()}}}`,
    clients,
  ],
  ["200,000 clients", `{"status":"success","clients":{${members(200_000)}}}`, clients],
  ["300,000 banks without a name", `{"status":"success","providers":[${fill('{"code":"a"},')}{}]}`, providers],
  [
    "100,000 small banks",
    `{"status":"success","providers":[${fill('{"code":"a","name":"a"},')}{"code":"a","name":"a"}]}`,
    providers,
  ],
  ["a bank with a giant name", `{"status":"success","providers":[{"code":"a","name":"${fill("a")}"}]}`, providers],
  [
    "a bank with unknown members",
    `{"status":"success","providers":[{"code":"a","name":"a","x":[${"0,".repeat(9_000)}0]}]}`,
    providers,
  ],
  [
    "banks with unknown members",
    `{"status":"success","providers":[${fill(`{"code":"a","name":"a","x":[${"123456789,".repeat(500)}0]},`)}{"code":"a","name":"a"}]}`,
    providers,
  ],
  [
    "a provider with 3,000 fields",
    `{"status":"success","provider":{"name":"a","auth_fields":[${'{"name":"a"},'.repeat(3_000)}{"name":"a"}]}}`,
    provider,
  ],
  [
    "a provider with 9,000 fields",
    `{"status":"success","provider":{"name":"a","auth_fields":[${'{"name":"a"},'.repeat(9_000)}{"name":"a"}]}}`,
    provider,
  ],
];

let body = "";
const server = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  const isLogin = request.url?.startsWith("/login/") && body.includes("destinations");
  request
    .resume()
    .on("end", () => response.end(isLogin ? '{"status":"logged_in","key":"5e0a0b9a-session-key"}' : body));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
// Without a directory, each response is read.
const client = createBankClient({ baseUrl, apiKey: "api-key-canary-41d7", retry: false, directory: false });

/** Milliseconds that this thread has run: what other programs on the machine take does not count. Linux alone tells. */
function ran(): number {
  try {
    return Number(readFileSync(`/proc/${process.pid}/task/${process.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** The longest stretch between two turns of the event loop while a call lasts, on the clock and of this thread's time. */
async function hold(call: () => Promise<unknown>): Promise<{ clock: number; thread: number; end: string }> {
  let [clock, thread] = [0, 0];
  let last = [performance.now(), ran()] as const;
  let timer: NodeJS.Immediate;
  const beat = () => {
    const now = [performance.now(), ran()] as const;
    clock = Math.max(clock, now[0] - last[0]);
    thread = Math.max(thread, now[1] - last[1]);
    last = now;
    timer = setImmediate(beat);
  };
  timer = setImmediate(beat);
  const end = await call().then(
    (response) => String((response as { status?: string } | undefined)?.status),
    (error: { code?: string }) => String(error.code),
  );
  await new Promise((resolve) => setImmediate(resolve));
  clearImmediate(timer);
  return { clock, thread, end: end.slice(0, 30) };
}

// Garbage of one body is not the next one's.
const collect = () => globalThis.gc?.();
console.log(`| ${"response".padEnd(56)} |  MiB | thread, best | worst | clock, worst | ends as |`);
let failures = 0;
for (const [name, text, call] of bodies) {
  body = text;
  const holds: { clock: number; thread: number; end: string }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    collect();
    holds.push(await hold(() => call(client)));
  }
  const best = Math.min(...holds.map(({ thread }) => thread));
  if (best > LONGEST_HOLD) failures++;
  const cells = [
    ((text.length / SIZE) * 4).toFixed(1).padStart(4),
    best.toFixed(0).padStart(12),
    Math.max(...holds.map(({ thread }) => thread))
      .toFixed(0)
      .padStart(5),
    Math.max(...holds.map(({ clock }) => clock))
      .toFixed(0)
      .padStart(12),
    holds.at(-1)?.end,
  ];
  console.log(`| ${name.padEnd(56)} | ${cells.join(" | ")} |`);
}
server.close();
if (failures > 0) {
  console.log(`${failures} responses hold the event loop for more than ${LONGEST_HOLD} ms.`);
  process.exitCode = 1;
}
