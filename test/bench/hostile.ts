// The longest time that one response, or one call with a list or a text, holds the event loop, by what is in it. Run by `npm run bench -- hostile`.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { searchProviders } from "../../src/core/view/provider-search.ts";
import {
  type BankClient,
  createBankClient,
  createCredentials,
  createRelayClient,
  describeFailure,
  interactionKind,
  type ProviderEntry,
  resume,
  secret,
} from "../../src/index.ts";

/** What neither may exceed, in milliseconds: docs/security.md promises it. */
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

/** Banks as a response up to the limit can have them: the client cuts their names at 300 characters. */
const list = (toEntry: (at: number) => Partial<ProviderEntry>): readonly ProviderEntry[] => {
  const entries: ProviderEntry[] = [];
  for (let size = 0; ; ) {
    const entry = { code: entries.length.toString(36), name: "a", country: "UY", ...toEntry(entries.length) };
    size += Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (size > SIZE) return entries;
    entries.push(entry);
  }
};
const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
const codes = letters.flatMap((one) => letters.map((other) => one + other));
const shuffled = (at: number) => ((at + 1) * 7_919).toString(36);

const oddCountries = list((at) => ({ country: `C${at}` }));
const everyCode = list((at) => ({ country: codes[at % codes.length] ?? "" }));
const smallWords = list(() => ({ name: "a ".repeat(149) }));
const otherWords = list((at) => ({ name: `${shuffled(at)} ${shuffled(at + 1e6)} ${shuffled(at + 2e6)}` }));
const accents = list((at) => ({ name: `${at} ${"\u01c5\u00e9 ".repeat(90)}` }));
const legalForms = list(() => ({ name: "S.A. ".repeat(59) }));
const almostAlike = list((at) => ({ name: `${"a".repeat(290)}${at}` }));
const everyLetter = letters.join(" ");
const typingErrors = Array.from({ length: 40 }, (_, at) => `q${shuffled(at + 46_656)}`).join(" ");

const search = (providers: readonly ProviderEntry[], text: string) => () =>
  // Prepared each time: the first search of a list takes longest.
  searchProviders([...providers], { text });
const kind =
  (context: string, field = "otp") =>
  () =>
    interactionKind({ field, context });

/** Calls with a list of banks, or a text of the user of a screen, of the bank, or of the program. */
const calls: readonly [name: string, call: () => unknown][] = [
  ["search: another odd country for each bank, a country", search(oddCountries, "uruguay")],
  ["search: another odd country for each bank, each letter", search(oddCountries, everyLetter)],
  ["search: another odd country for each bank, typing errors", search(oddCountries, typingErrors)],
  ["search: every code of two letters, a country", search(everyCode, "uruguay")],
  ["search: every code of two letters, typing errors", search(everyCode, typingErrors)],
  ["search: names of 149 words, their word", search(smallWords, "a")],
  ["search: names of 149 words, 100 times their word", search(smallWords, fill("a ", 200))],
  ["search: names of other words, typing errors", search(otherWords, typingErrors)],
  ["search: names with accents", search(accents, "dze")],
  ["search: names of legal forms", search(legalForms, "sa")],
  ["search: names that are almost alike, a typing error", search(almostAlike, `${"a".repeat(198)}xx`)],
  ["search: a text of 4 MiB", search(oddCountries, fill("banco "))],
  ["interactionKind: a verb again and again", kind(fill("confirm "))],
  ["interactionKind: a verb without spaces", kind(fill("confirm\u00e9"))],
  ["interactionKind: a long word", kind(`confirm${fill("a\u00e9")}`)],
  ["interactionKind: an app again and again", kind(fill("app "))],
  ["interactionKind: spaces", kind(fill(" "))],
  ["interactionKind: a picture", kind(`data:image/png;base64,${fill("A")}`)],
  ["interactionKind: a picture with spaces", kind(`data:image/png;base64,${fill("A ")}`)],
  ["interactionKind: a long name", kind("x", fill("app_"))],
  ["createCredentials", () => createCredentials({ ...FORM, username: fill("a\u00e9"), password: fill("\u{1f600}") })],
  ["createCredentials: a long option", () => createCredentials({ ...FORM, [fill("a")]: "x" })],
  ["createBankClient: slashes", () => createBankClient({ baseUrl: `http://bank.example/${fill("/")}x`, apiKey: "k" })],
  ["createBankClient: a key of spaces", () => createBankClient({ baseUrl: "http://bank.example", apiKey: fill("a ") })],
  ["createRelayClient: slashes", () => createRelayClient({ baseUrl: `/bank${fill("/")}x` })],
  ["createRelayClient: countries", () => createRelayClient({ baseUrl: "/bank", countries: [`${fill("UY,")}u`] })],
  ["describeFailure: a language", () => describeFailure({ code: "invalid_key" }, fill("en-"))],
  ["resume: no token", () => resume(client, fill("."), { key: fill("A", 43) })],
  [
    "resume: a token",
    () =>
      resume(client, `${fill("e", SIZE / 2)}..${"a".repeat(16)}.${fill("a", SIZE / 2)}.${"a".repeat(22)}`, {
        key: fill("A", 43),
      }),
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
let failures = 0;

async function report(name: string, size: number | undefined, call: () => Promise<unknown>): Promise<void> {
  const holds: { clock: number; thread: number; end: string }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    collect();
    holds.push(await hold(call));
  }
  const best = Math.min(...holds.map(({ thread }) => thread));
  if (best > LONGEST_HOLD) failures++;
  const cells = [
    (size === undefined ? "" : ((size / SIZE) * 4).toFixed(1)).padStart(4),
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

console.log(`| ${"response".padEnd(56)} |  MiB | thread, best | worst | clock, worst | ends as |`);
for (const [name, text, call] of bodies) {
  body = text;
  await report(name, text.length, () => call(client));
}
for (const [name, call] of calls) await report(name, undefined, async () => call());
server.close();
if (failures > 0) {
  console.log(`${failures} of these hold the event loop for more than ${LONGEST_HOLD} ms.`);
  process.exitCode = 1;
}
