import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BankError, createBankClient, login, reveal } from "ventanilla";
import { expect, onTestFinished, test } from "vitest";
import { openSoakBank, type SoakBank } from "./soak-bank.ts";
import { createPlan, type Plan, TRIES_OF_A_READ } from "./soak-plan.ts";
import { holdTimeout } from "./timeouts.ts";

const LOGINS = Number(process.env["VENTANILLA_SOAK"] ?? 200);
// The run of every day is the same every day; the long one looks further.
const SEED = Number(
  process.env["VENTANILLA_SEED"] ?? (LOGINS > 200 ? Math.floor(Math.random() * 2 ** 31) : 20_261_120),
);
const AT_A_TIME = 100;
const MEGABYTE = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Logs in as planned and says how it ended. */
async function run(bank: SoakBank, plan: Plan): Promise<string> {
  const caller = new AbortController();
  const { length, runOut } = holdTimeout();
  bank.expect(plan, { cancel: () => caller.abort(), runOut });
  // A time-out runs out when the bank says so, and never for a machine that is slow.
  const client = createBankClient({
    baseUrl: bank.url,
    apiKey: plan.apiKey,
    timeout: { login: length, read: length },
    retry: { limit: TRIES_OF_A_READ - 1, delay: 5 },
    responseLimit: 1_000_000,
    // The bank counts each read.
    directory: false,
  });
  const answers = [...plan.answers];
  const outcome = await login(client, {
    ...plan.fields,
    validate: plan.validate,
    signal: caller.signal,
    sessionReplacement: true,
    onInteraction: ({ context }) => {
      if (!context.startsWith(`question-${plan.number}-`)) bank.complain(plan, `was asked ${context}`);
      return answers.shift() ?? null;
    },
    onSelectClient: (clients) => {
      if (clients[0]?.id !== plan.client) bank.complain(plan, `was given ${clients[0]?.id}`);
      return clients[0] ?? null;
    },
  }).catch((error: unknown) => error);
  bank.dismiss(plan);
  if (outcome instanceof BankError) return outcome.code;
  if (outcome instanceof Error) return `no coded fault: ${outcome.name}`;
  const end = outcome as Awaited<ReturnType<typeof login>>;
  if (end.status === "logged_in" && reveal(end.key) !== plan.key) bank.complain(plan, `got ${reveal(end.key)}`);
  return end.status === "failed" ? end.failure.code : end.status;
}

/** Runs the logins of these numbers, a hundred at a time, and counts how they end. */
async function runAll(bank: SoakBank, from: number, to: number, ends: Map<string, number>): Promise<void> {
  let next = from;
  const work = async () => {
    while (next <= to) {
      const number = next++;
      const plan = createPlan(SEED, number);
      const end = await run(bank, plan);
      if (end !== plan.end) bank.complain(plan, `ended with ${end}, planned ${plan.end}`);
      ends.set(end, (ends.get(end) ?? 0) + 1);
      if (number % 1000 === 0 && LOGINS > 200) console.log(`login ${number} of ${LOGINS}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

const megabytesInUse = async () => {
  // What finalizers hold goes a turn after what they are for.
  for (let turn = 0; turn < 3; turn++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed / MEGABYTE;
};

test(
  `${LOGINS} logins at a faulty bank, a hundred at a time, end as planned, and none gets another's`,
  async () => {
    console.log(`VENTANILLA_SEED=${SEED} repeats this run`);
    const bank = await openSoakBank(SEED);
    onTestFinished(() => bank.close());
    const ends = new Map<string, number>();
    const half = Math.floor(LOGINS / 2);
    // What is built up once does not count: code, pools, caches. The first half warms up, and is judged like the second.
    await runAll(bank, 1, half, ends);
    const before = await megabytesInUse();
    const start = performance.now();
    await runAll(bank, half + 1, LOGINS, ends);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const after = await megabytesInUse();

    console.log(
      `the second half took ${seconds} s; heap ${before.toFixed(1)} MB before it, ${after.toFixed(1)} MB after`,
      Object.fromEntries([...ends].sort(([, left], [, right]) => right - left)),
    );
    expect(bank.complaints).toEqual([]);
    expect(bank.elsewhere.connections()).toBe(0);
    expect([...ends.values()].reduce((sum, count) => sum + count, 0)).toBe(LOGINS);
    expect(ends.get("logged_in")).toBeGreaterThan(LOGINS / 3);
    expect(after - before).toBeLessThan(12);
  },
  120_000 + LOGINS * 60,
);
