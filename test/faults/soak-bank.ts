import { isDeepStrictEqual } from "node:util";
import { createRandom, type Plan } from "./soak-plan.ts";
import { formatLine, formatResponse, listen, type Received } from "./wire.ts";

/** What the bank brings about on the other side. */
interface Person {
  cancel(): void;
  /** Ends the wait for a response. */
  runOut(): void;
}

export type SoakBank = Awaited<ReturnType<typeof openSoakBank>>;

/** A bank that knows the plan of each login, and complains of every other request. */
export async function openSoakBank(seed: number) {
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
