import { isDeepStrictEqual } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BankError, createBankClient, login, reveal } from "ventanilla";
import { expect, onTestFinished, test } from "vitest";
import { createPlan, createRandom, type Plan, TRIES_OF_A_READ } from "./soak-plan.ts";
import { holdTimeout } from "./timeouts.ts";
import { formatLine, formatResponse, listen, type Received } from "./wire.ts";

const LOGINS = Number(process.env["VENTANILLA_SOAK"] ?? 200);
// The run of every day is the same every day; the long one looks further.
const SEED = Number(
  process.env["VENTANILLA_SEED"] ?? (LOGINS > 200 ? Math.floor(Math.random() * 2 ** 31) : 20_261_120),
);
const AT_A_TIME = 100;
const MEGABYTE = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** What the bank brings about on the other side. */
interface Person {
  cancel(): void;
  /** Ends the wait for a response. */
  runOut(): void;
}

type SoakBank = Awaited<ReturnType<typeof openSoakBank>>;

/** A bank that knows the plan of each login, and complains of every other request. */
async function openSoakBank(seed: number) {
  const random = createRandom(seed);
  const complaints: string[] = [];
  const expected = new Map<string, { plan: Plan; person: Person; sends: number[] }>();
  const complain = ({ number }: Plan, what: string) => {
    if (complaints.length < 20) complaints.push(`login ${number}: ${what}`);
  };
  const elsewhere = await listen({ onRequest: (socket) => socket.destroy() });
  const wire = await listen({
    remember: false,
    onRequest: (socket, request) => {
      const login = expected.get(request.headers["x-api-key"] ?? "");
      if (!login) return complaints.push(`an unknown API key at ${formatLine(request)}`);
      const { plan, sends, person } = login;
      for (const foreign of findForeignValues(request, plan)) complain(plan, `${foreign} at ${formatLine(request)}`);
      const due = plan.sends.findIndex((times, index) => (sends[index] ?? 0) < times);
      const step = plan.steps[due];
      if (!step || !isStep(step, request)) return complain(plan, `${formatLine(request)} was not to come now`);
      const fault = step.faults[sends[due] ?? 0];
      sends[due] = (sends[due] ?? 0) + 1;
      if (fault?.play === "cancel") return person.cancel();
      // Half a response is on its way by then.
      if (fault?.isSlow) setTimeout(person.runOut, 50);
      const pass = async () => void socket.write(formatResponse("200 OK", JSON.stringify(step.response)));
      if (fault) return fault.play({ socket, request, pass, elsewhere: `http://127.0.0.1:${elsewhere.port}` });
      // Responses overtake one another.
      return setTimeout(pass, random() < 0.3 ? random() * 20 : 0);
    },
  });
  return {
    url: `http://127.0.0.1:${wire.port}`,
    complaints,
    elsewhere,
    expect: (plan: Plan, person: Person) => expected.set(plan.apiKey, { plan, person, sends: plan.steps.map(() => 0) }),
    /** Forgets a login, once its requests were counted. */
    dismiss: (plan: Plan) => {
      const sends = expected.get(plan.apiKey)?.sends ?? [];
      if (!isDeepStrictEqual(sends, plan.sends)) complain(plan, `sent ${sends} times, planned ${plan.sends}`);
      expected.delete(plan.apiKey);
    },
    complain,
    close: async () => {
      await Promise.all([wire.close(), elsewhere.close()]);
    },
  };
}

function isStep({ kind, target, form }: Plan["steps"][number], request: Received): boolean {
  const isLogin = request.method === "POST";
  const sent = Object.fromEntries(new URLSearchParams(request.body));
  return (kind === "login") === isLogin && request.target === target && isDeepStrictEqual(sent, { ...form });
}

/** Values of other logins in a request. */
function findForeignValues({ bytes }: Received, { number }: Plan): string[] {
  const marked = [...bytes.matchAll(/\b(api|user|pass|answer|client|key|question)-(\d+)-/g)];
  return marked
    .filter(([, , whose]) => Number(whose) !== number)
    .map(([, what, whose]) => `the ${what} of login ${whose}`);
}

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
  const outcome = await login(
    client,
    { ...plan.fields },
    {
      settings: { validate: plan.validate, sessionReplacement: true },
      signal: caller.signal,
      onInteraction: ({ context }) => {
        if (!context.startsWith(`question-${plan.number}-`)) bank.complain(plan, `was asked ${context}`);
        return answers.shift() ?? null;
      },
      onSelectClient: (clients) => {
        if (clients[0]?.id !== plan.client) bank.complain(plan, `was given ${clients[0]?.id}`);
        return clients[0] ?? null;
      },
    },
  ).catch((error: unknown) => error);
  bank.dismiss(plan);
  if (outcome instanceof BankError) return outcome.code;
  if (outcome instanceof Error) return `no coded fault: ${outcome.name}`;
  const end = outcome as Awaited<ReturnType<typeof login>>;
  if (end.state === "loggedIn" && reveal(end.key) !== plan.key) bank.complain(plan, `got ${reveal(end.key)}`);
  return end.state === "failed" ? end.failure.code : end.state;
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
    expect(ends.get("loggedIn")).toBeGreaterThan(LOGINS / 3);
    expect(after - before).toBeLessThan(12);
  },
  120_000 + LOGINS * 60,
);
