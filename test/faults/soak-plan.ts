import type { FailureCode } from "ventanilla";
import { failures } from "../../src/core/api/failures.ts";
import type { Scene } from "./faulty-bank.ts";
import { quickFaults, type Row, slowFaults, toFailureOnce } from "./table.ts";

/** One planned request, and the response to it. */
export interface Step {
  readonly kind: "login" | "check" | "read" | "once";
  readonly target: string;
  readonly form: Readonly<Record<string, string>>;
  readonly response: Readonly<Record<string, unknown>>;
  /** The fault of each try. */
  readonly faults: readonly (SoakFault | undefined)[];
}

interface SoakFault {
  readonly play: ((scene: Scene) => unknown) | "cancel";
  /** How the login ends, unless a read is tried again. */
  readonly end: string;
  /** How it ends if the request is sent once. */
  readonly endOnce: string;
  readonly isPassing: boolean;
  readonly isSlow: boolean;
}

/** A login that is planned to its end before it starts. */
export interface Plan {
  readonly number: number;
  readonly apiKey: string;
  readonly fields: { readonly provider: string; readonly username: string; readonly password: string };
  readonly answers: readonly string[];
  readonly client: string;
  readonly validate: boolean;
  readonly steps: readonly Step[];
  /** How often the bank gets each step's request. */
  readonly sends: readonly number[];
  /** The outcome's status or the fault's code. */
  readonly end: string;
  /** With `loggedIn`. */
  readonly key: string | undefined;
}

export const TRIES_OF_A_READ = 2;

const toSoakFaults = (rows: readonly Row[]): SoakFault[] =>
  rows.flatMap((row) => {
    const { play, code, reads, stuckAt } = row;
    // What lies at the address no bank can do, and what goes well is no fault.
    if (typeof play !== "function" || code === "success") return [];
    const endOnce = toFailureOnce(row).code;
    return [{ play, end: code, endOnce, isPassing: reads === "again", isSlow: stuckAt !== undefined }];
  });
const quick: readonly SoakFault[] = [
  ...toSoakFaults(quickFaults),
  { play: "cancel", end: "cancelled", endOnce: "cancelled", isPassing: false, isSlow: false },
];
const slow = toSoakFaults(slowFaults);

/** mulberry32: the same seed gives the same numbers, from 0 to under 1. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function createPlan(seed: number, number: number): Plan {
  const random = createRandom(seed + Math.imul(number, 0x9e3779b1));
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  // Each value names its login.
  const own = (what: string) => `${what}-${number}-${Math.floor(random() * 1e9).toString(36)}`;
  const fields = { provider: "test", username: own("user"), password: own("pass") };
  const apiKey = own("api");
  const client = own("client");
  const answers = [own("answer"), own("answer")];
  const validate = random() < 0.2;

  const faultFor = () => (random() < 0.12 ? pick(random() < 0.06 ? slow : quick) : undefined);
  const steps: Step[] = [];
  const add = (kind: Step["kind"], target: string, form: Step["form"], response: Step["response"]) =>
    steps.push({ kind, target, form, response, faults: Array.from({ length: TRIES_OF_A_READ }, faultFor) });

  let key: string | undefined;
  const withNewKey = () => {
    key = own("key");
    return { key };
  };
  const ask = (answer: string | undefined): Step["form"] => ({ ...fields, otp: answer ?? "" });

  if (validate) {
    const auth_fields = ["username", "password"].map((name) => ({ name, type: "text" }));
    add("check", "/provider/test/", {}, { status: "success", provider: { name: "Test", auth_fields } });
  }
  const shape = pick(["plain", "wrong", "asks", "asks", "asks twice", "keeps the key", "clients", "too many sessions"]);
  const question = () => ({ status: "interaction_required", field: "otp", context: own("question"), ...withNewKey() });
  let end = "loggedIn";
  if (shape === "wrong") {
    add("login", "/login/", fields, { status: "wrong_credentials" });
    end = "wrong_credentials";
  } else if (shape === "asks" || shape === "asks twice" || shape === "keeps the key") {
    add("login", "/login/", fields, question());
    for (const [index, answer] of answers.entries()) {
      const isLast = shape !== "asks twice" || index === 1;
      const target = `/login/?key=${key}`;
      const done = { status: "logged_in", ...(shape !== "keeps the key" && withNewKey()) };
      add("login", target, ask(answer), isLast ? done : question());
      if (isLast) break;
    }
  } else if (shape === "clients") {
    add("login", "/login/", fields, { status: "select_client", ...withNewKey() });
    add("read", `/client/?key=${key}`, {}, { status: "success", clients: { [client]: "A client" } });
    add("once", `/client/${client}/?key=${key}`, {}, { status: "success", ...withNewKey() });
  } else {
    if (shape === "too many sessions") {
      add("login", "/login/", fields, { status: "max_sessions_reached", ...withNewKey() });
      add("once", `/logout/?key=${key}`, {}, { status: "logged_out" });
    }
    add("login", "/login/", fields, { status: "logged_in", ...withNewKey() });
  }
  const result = runPlan(steps, end);
  const isLoggedIn = result.end === "loggedIn";
  return { number, apiKey, fields, answers, client, validate, steps, key: isLoggedIn ? key : undefined, ...result };
}

const isBroken = (end: string): boolean =>
  end === "unexpected_status" || (end in failures && failures[end as FailureCode].kind === "fault");

/** How far a login gets, and how often each request is sent: a login once, a read until its tries are used up. */
function runPlan(steps: readonly Step[], goal: string): Pick<Plan, "sends" | "end"> {
  const sends = steps.map(() => 0);
  for (const [index, { kind, faults }] of steps.entries()) {
    const tries = kind === "read" || kind === "check" ? TRIES_OF_A_READ : 1;
    for (let number = 1; number <= tries; number++) {
      sends[index] = number;
      const found = faults[number - 1];
      if (!found) break;
      // Whatever breaks in the check of the fields, the login goes on.
      if (kind === "check" && isBroken(found.end)) {
        if (found.isPassing) continue;
        break;
      }
      if (!found.isPassing || number === tries) {
        return { sends, end: kind === "read" || kind === "check" ? found.end : found.endOnce };
      }
    }
  }
  return { sends, end: goal };
}
