import {
  type BankClient,
  createMemoryClaimStore,
  type Failure,
  type LoginActor,
  type LoginHandlers,
  type LoginOptions,
  type LoginOutcome,
  login,
  resume,
} from "ventanilla";
import { KEY } from "../pause/paused.ts";
import type { Wait } from "./places.ts";

/** How a verb of the login ended. */
export interface Result {
  /** The status of its outcome; `undefined` where it was rejected. */
  readonly status: string | undefined;
  readonly error: unknown;
  /** What the statechart that ran it says. */
  readonly failure: Failure | undefined;
}

/** A call of the login's that waits for a response of the bank's. */
export interface Verb extends Pick<Wait, "name" | "before" | "line" | "kind" | "after"> {
  /** The status of the outcome where nothing is wrong. */
  readonly expected: string;
  run(client: BankClient): Promise<Result>;
}

type Call = (client: BankClient, inspect: Pick<LoginHandlers, "inspect">) => Promise<LoginOutcome>;

const plain = { provider: "test", username: "12345", password: "gfdsa" };
const interactive = { provider: "test", username: "12345otp", password: "asdfg" };
const selecting = {
  provider: "canal_pa",
  username: "newkey",
  password: "s3creto",
  fields: { company_code: "7701" },
  clientSelection: true,
};
const tooMany = { provider: "faro_uy", username: "sessions", password: "s3creto", sessionReplacement: true };

const logIn =
  (options: LoginOptions): Call =>
  (client, inspect) =>
    login(client, { ...options, ...inspect });

const answer: Call = async (client, inspect) => {
  const outcome = await logIn(interactive)(client, inspect);
  if (outcome.status !== "interaction_required") throw new Error(`nothing to answer: ${outcome.status}`);
  return outcome.answer("8888");
};

const choose: Call = async (client, inspect) => {
  const outcome = await logIn(selecting)(client, inspect);
  if (outcome.status !== "select_client" || !outcome.clients) throw new Error(`nothing to choose: ${outcome.status}`);
  return outcome.choose("0");
};

const takeUp: Call = async (client, inspect) => {
  const outcome = await logIn(interactive)(client, {});
  if (outcome.status !== "interaction_required") throw new Error(`nothing to pause: ${outcome.status}`);
  const token = await outcome.pause({ key: KEY });
  return resume(client, token, {
    key: KEY,
    claimStore: createMemoryClaimStore(),
    onInteraction: () => "8888",
    ...inspect,
  });
};

const verb = (name: string, call: Call, rest: Omit<Verb, "name" | "run">): Verb => ({
  name,
  run: async (client) => {
    const actors: LoginActor[] = [];
    const inspect: LoginHandlers["inspect"] = ({ actorRef, rootId }) => {
      if (actorRef.sessionId === rootId) actors.push(actorRef as LoginActor);
    };
    const ended = await call(client, { inspect }).then(
      ({ status }) => ({ status, error: undefined }),
      (error: unknown) => ({ status: undefined, error }),
    );
    return { ...ended, failure: actors[0]?.getSnapshot().context.failure };
  },
  ...rest,
});

const [aLogin, aSecondLogin, list] = ["POST /login/", "POST /login/?key", "GET /client/?key"];

export const verbs: readonly Verb[] = [
  verb("login(), at its first request", logIn(plain), {
    before: [],
    line: aLogin,
    kind: "login",
    expected: "logged_in",
    after: [],
  }),
  verb("login(), at the fields that it validates by", logIn({ ...plain, validate: true }), {
    before: [],
    line: "GET /provider/test/",
    kind: "read",
    expected: "logged_in",
    after: [aLogin],
  }),
  verb("login(), at the answer of its handler", logIn({ ...interactive, onInteraction: () => "8888" }), {
    before: [aLogin],
    line: aSecondLogin,
    kind: "login",
    expected: "logged_in",
    after: [],
  }),
  verb("login(), at the list of clients", logIn(selecting), {
    before: [aLogin],
    line: list,
    kind: "read",
    expected: "select_client",
    after: [],
  }),
  verb("login(), at the end of another session", logIn(tooMany), {
    before: [aLogin],
    line: "GET /logout/?key",
    kind: "once",
    expected: "logged_in",
    after: [aLogin],
  }),
  verb("outcome.answer()", answer, {
    before: [aLogin],
    line: aSecondLogin,
    kind: "login",
    expected: "logged_in",
    after: [],
  }),
  verb("outcome.choose()", choose, {
    before: [aLogin, list],
    line: "GET /client/0/?key",
    kind: "once",
    expected: "logged_in",
    after: [],
  }),
  verb("resume(), at the answer of its handler", takeUp, {
    before: [aLogin],
    line: aSecondLogin,
    kind: "login",
    expected: "logged_in",
    after: [],
  }),
];
