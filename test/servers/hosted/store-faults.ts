import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type BankError, createBankClient, reveal } from "ventanilla";
import { createHostedLogin, createNodeHandler, type HostedLogin, type Store } from "ventanilla/hosted";
import { startSandbox } from "../../bank/service.ts";
import { API_KEY, listen, SEAL_KEY } from "../relay/stage.ts";
import { createBrowser, TAKER } from "./stage.ts";

/** Thrown in place of what a store, or a process that is gone, would have done. */
class Gone extends Error {}

/** What happens at an operation. */
export type Fault = "instance killed" | "store fails";

/** A store as two instances and the app see it, and how it fails: it is up again after a second. */
export interface FaultyStore {
  /** Milliseconds for which it fails. Default 1,000. */
  readonly outage?: number;
  connect(): Store;
  fail(): Promise<void>;
  recover(): Promise<void>;
}

/** The operations of a whole login with one question, without reads. */
export const operations = [
  "app: swap hosted:…:open",
  "app: swap due:…:…:…",
  "app: swap user:…:…:…",
  "app: swap hosted:…",
  "swap hosted:…:opened",
  "swap hosted:…:life:0",
  "swap hosted:…:submit:0",
  "swap hosted:…:response:0",
  "swap hosted:…:result:0",
  "swap hosted:…:life:1",
  "swap hosted:…:submit:1",
  "swap hosted:…:key:1",
  "swap due:…:…:…",
  "swap hosted:…:end",
  "swap hosted:…:turn:0",
  "swap hosted:…:told",
  "delete due:…:…:…",
  "app: swap hosted:…:taker",
  "app: swap hosted:…:key:1",
] as const;

const OK = "2 sent, 2 at the bank";
const AGAIN = "3 sent, 2 at the bank, http_failed";
const GONE = "2 sent, 2 at the bank, network_failed";
const LOST = "3 sent, 3 at the bank, network_failed, outcome_unknown";
const GONE_AGAIN = "3 sent, 2 at the bank, network_failed";
const KEY_LOST = "4 sent, 4 at the bank, network_failed, outcome_unknown";

export type Operation = (typeof operations)[number];

/**
 * What each fault costs the person, by hand: what she has sent, what the bank has got, and what she was told. Without a fault that is a form and an
 * answer, and both are at the bank.
 */
export const table: readonly (readonly [
  Operation,
  { readonly [fault in Fault]: readonly [before: string, after: string] },
])[] = [
  ["app: swap hosted:…:open", appRow()],
  ["app: swap due:…:…:…", appRow()],
  ["app: swap user:…:…:…", appRow()],
  ["app: swap hosted:…", appRow()],
  ["swap hosted:…:opened", row(OK, OK, OK, OK)],
  // Nothing was sent: she sends it again.
  ["swap hosted:…:life:0", row(AGAIN, AGAIN, GONE_AGAIN, GONE_AGAIN)],
  // The instance died between its claim and the bank, and nobody can know that.
  ["swap hosted:…:submit:0", row(AGAIN, AGAIN, GONE_AGAIN, "3 sent, 2 at the bank, network_failed, outcome_unknown")],
  // What the bank said was in the memory of the instance alone, or without a word that it had come.
  ["swap hosted:…:response:0", row(OK, OK, LOST, LOST)],
  ["swap hosted:…:result:0", row(OK, OK, LOST, GONE)],
  ["swap hosted:…:life:1", row(AGAIN, AGAIN, GONE_AGAIN, GONE_AGAIN)],
  ["swap hosted:…:submit:1", row(AGAIN, AGAIN, GONE_AGAIN, "4 sent, 3 at the bank, network_failed, outcome_unknown")],
  // Nobody reads a key without the end that names it.
  ["swap hosted:…:key:1", row(OK, OK, KEY_LOST, KEY_LOST)],
  ["swap due:…:…:…", row(OK, OK, KEY_LOST, KEY_LOST)],
  ["swap hosted:…:end", row(OK, OK, KEY_LOST, GONE)],
  ["swap hosted:…:turn:0", row(OK, OK, OK, OK)],
  ["swap hosted:…:told", row(OK, OK, OK, OK)],
  ["delete due:…:…:…", row(OK, OK, OK, OK)],
  ["app: swap hosted:…:taker", appRow()],
  ["app: swap hosted:…:key:1", appRow()],
];

function row(failsBefore: string, failsAfter: string, killedBefore: string, killedAfter: string) {
  return { "store fails": [failsBefore, failsAfter], "instance killed": [killedBefore, killedAfter] } as const;
}

/** The app has its own process: the person notices nothing. */
function appRow() {
  return row(OK, OK, OK, OK);
}

/**
 * One login with one question, by a person who does what the page says, of an app that asks until it has what it wants. At one operation the store
 * fails, or the first of the two instances is killed.
 *
 * @returns what the person had to do, what she was told, and what the bank has got.
 */
export async function runWithFault(
  { outage = 1_000, connect, fail, recover }: FaultyStore,
  { operation, fault, time }: { operation?: Operation; fault?: Fault; time?: "before" | "after" } = {},
) {
  const bank = await startSandbox({ apiKey: API_KEY });
  const seen: string[] = [];
  let hasHappened = false;
  let recovered = Promise.resolve();
  let isKilled = false;
  const open = new Set<() => void>();

  async function happen(): Promise<void> {
    hasHappened = true;
    if (fault === "instance killed") {
      isKilled = true;
      for (const breakOff of open) breakOff();
      return;
    }
    await fail();
    recovered = wait(outage).then(recover);
  }

  /** The store as a process sees it. */
  function watch(prefix: string, isGone: () => boolean): Store {
    const store = connect();
    const guard =
      (name: "swap" | "read" | "delete") =>
      async (id: string, ...rest: never[]): Promise<never> => {
        if (isGone()) throw new Gone();
        const line = `${prefix}${name} ${id.replaceAll(/[\da-f]{15,}/g, "…")}`;
        if (name !== "read" && !/:life:\d+$/.test(line)) seen.push(line);
        else if (name === "swap" && !seen.includes(line)) seen.push(line);
        const isHere = !hasHappened && line === operation;
        if (isHere && time === "before") await happen();
        if (isGone()) throw new Gone();
        // @ts-expect-error the same parameters for each
        const result = await store[name](id, ...rest);
        if (isHere && time === "after") {
          await happen();
          // Its response is lost.
          throw new Gone();
        }
        if (isGone()) throw new Gone();
        return result as never;
      };
    return {
      swap: guard("swap"),
      read: guard("read"),
      delete: guard("delete"),
      list: (prefix, limit) => store.list(prefix, limit),
    };
  }

  const instances: HostedLogin[] = [];
  const origin = await listen(
    createServer(async (request, response) => {
      const number = isKilled ? 1 : 0;
      const handling = instances[number];
      if (!handling) return;
      const breakOff = () => void response.destroy();
      if (number === 0) open.add(breakOff);
      response.once("close", () => open.delete(breakOff));
      await createNodeHandler(handling.handle)(request, response);
    }),
  );
  const ends: string[] = [];
  const create = (store: Store, isGone: () => boolean = () => false) =>
    createHostedLogin({
      client: createBankClient({ baseUrl: bank.url, apiKey: API_KEY, retry: false }),
      sealKey: SEAL_KEY,
      store,
      url: `${origin}/login`,
      name: "Shop",
      rateLimit: false,
      onEnd: ({ status }) => {
        if (isGone()) throw new Gone();
        ends.push(status);
      },
    });
  instances.push(
    create(
      watch("", () => isKilled),
      () => isKilled,
    ),
    create(watch("", () => false)),
  );
  const app = create(watch("app: ", () => false));

  const told: string[] = [];
  const codeOf = (error: unknown) => (error as BankError).code;
  /** Until it succeeds, and for a minute at most. */
  async function insist<Result>(what: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await what();
      } catch (error) {
        if (tries === 200) throw error;
        await wait(300);
      }
    }
  }

  const { id, url } = await insist(() => app.create({ user: "42" }));
  const browser = createBrowser();
  let submits = 0;
  /** Sends something, once. @returns whether the page showed something else than an error. */
  const submit = (send: () => Promise<unknown>) => {
    submits += 1;
    return send().catch((error) => void told.push(codeOf(error)));
  };
  for (let tries = 0; tries < 100; tries += 1) {
    // An error is a reload, or the link once more.
    const { status, text } = await browser.open(url).catch(() => ({ status: 0, text: "" }));
    if (text.includes("Your bank is connected.")) break;
    const state = status === 200 ? await browser.readState().catch(() => undefined) : undefined;
    if (!state?.ok) {
      await wait(300);
      continue;
    }
    const { login: step } = await state.json();
    if (step?.question && !step.attempt) {
      await submit(() => browser.answer(step.question.key, { otp: "8888" }));
      continue;
    }
    if (step?.attempt) {
      const code = await browser
        .client()
        .readAttempt(step.attempt.id)
        .then(() => undefined, codeOf);
      if (code === undefined) continue;
      told.push(code);
      if (code !== "outcome_unknown") continue;
    }
    await submit(() => browser.logIn("12345otp", "asdfg"));
  }
  const key = reveal(await insist(() => app.takeKey(id, TAKER)));
  const sweep = async () => {
    await app.sweep();
    return ends.length > 0;
  };
  for (let tries = 0; tries < 10 && !(await sweep()); tries += 1) await wait(300);
  await recovered;
  // What a killed one has begun never ends.
  await Promise.all([app, ...instances.slice(isKilled ? 1 : 0)].map((hosted) => hosted.finish()));
  return {
    hasHappened,
    seen,
    /** What the person sent, what the bank got, what she was told. */
    row: `${submits} sent, ${bank.paths().filter((line) => line.startsWith("POST")).length} at the bank${told.map((code) => `, ${code}`).join("")}`,
    isKeyRight: key === [...bank.keys].at(-1),
    ends,
  };
}
