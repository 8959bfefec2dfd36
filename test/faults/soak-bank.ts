import { isDeepStrictEqual } from "node:util";
import { createRandom, type Plan, TRIES_OF_A_READ } from "./soak-plan.ts";
import { formatLine, formatResponse, listen, type Received } from "./wire.ts";

export type SoakBank = Awaited<ReturnType<typeof openSoakBank>>;

/** A bank that knows what every login is going to do, and complains of whatever else comes. */
export async function openSoakBank(seed: number) {
  const random = createRandom(seed);
  const complaints: string[] = [];
  const expected = new Map<string, { plan: Plan; cancel: () => void; sends: number[] }>();
  const complain = ({ number }: Plan, what: string) => {
    if (complaints.length < 20) complaints.push(`login ${number}: ${what}`);
  };
  const elsewhere = await listen({ onRequest: (socket) => socket.destroy() });
  const wire = await listen({
    remember: false,
    onRequest: (socket, request) => {
      const login = expected.get(request.headers["x-api-key"] ?? "");
      if (!login) return complaints.push(`an unknown API key at ${formatLine(request)}`);
      const { plan, sends, cancel } = login;
      for (const stranger of strangersIn(request, plan)) complain(plan, `${stranger} at ${formatLine(request)}`);
      const index = findStep(plan, sends, request);
      const step = plan.steps[index];
      if (!step) return complain(plan, `${formatLine(request)} was not to come, or not again`);
      if (sends.some((times, at) => times < (plan.sends[at] ?? 0) && at < index)) {
        complain(plan, `${formatLine(request)} came too early`);
      }
      const number = (sends[index] ?? 0) + 1;
      sends[index] = number;
      const fault = number <= (plan.sends[index] ?? 0) ? step.faults[number - 1] : undefined;
      if (fault?.play === "cancel") return cancel();
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
    expect: (plan: Plan, cancel: () => void) =>
      expected.set(plan.apiKey, { plan, cancel, sends: plan.steps.map(() => 0) }),
    /** Forgets a login, once its requests were counted. */
    dismiss: (plan: Plan) => {
      const sends = expected.get(plan.apiKey)?.sends ?? [];
      // Its short time-out may strike before the bank gets to read the request: the plan stays for that.
      if (plan.isSlow) return;
      if (!isDeepStrictEqual(sends, plan.sends)) complain(plan, `sent ${sends} times, planned ${plan.sends}`);
      expected.delete(plan.apiKey);
    },
    complain,
    close: async () => {
      await Promise.all([wire.close(), elsewhere.close()]);
    },
  };
}

/** Which step a request is of: the one that is due, else one that it may repeat. The same read can stand in a plan twice. */
function findStep(plan: Plan, sends: readonly number[], request: Received): number {
  const isDone = (times: number, at: number) => (sends[at] ?? 0) >= times;
  const due = plan.sends.findIndex((times, at) => !isDone(times, at) && plan.sends.slice(0, at).every(isDone));
  const step = plan.steps[due];
  if (step && isStep(step, request)) return due;
  return plan.steps.findIndex((other, at) => isStep(other, request) && (sends[at] ?? 0) < countAllowed(plan, at));
}

/** How often a request may come: on a machine out of breath a short time-out may strike unplanned, and a read comes again. */
function countAllowed({ steps, sends, isSlow }: Plan, index: number): number {
  return isSlow && steps[index]?.kind === "read" ? TRIES_OF_A_READ : (sends[index] ?? 0);
}

function isStep({ kind, target, form }: Plan["steps"][number], request: Received): boolean {
  const isLogin = request.method === "POST";
  const sent = Object.fromEntries(new URLSearchParams(request.body));
  return (kind === "login") === isLogin && request.target === target && isDeepStrictEqual(sent, { ...form });
}

/** What a request holds that belongs to another login. */
function strangersIn({ bytes }: Received, { number }: Plan): string[] {
  const marked = [...bytes.matchAll(/\b(api|user|pass|answer|client|key|question)-(\d+)-/g)];
  return marked
    .filter(([, , whose]) => Number(whose) !== number)
    .map(([, what, whose]) => `the ${what} of login ${whose}`);
}
