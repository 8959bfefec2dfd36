import { type Answer, invalidKey, loggedOut, missingParams, providerDoesntExist, success } from "./answers.ts";
import { describeProvider } from "./bank.ts";
import { banks } from "./banks/index.ts";
import { readForm } from "./form.ts";
import { keySource } from "./keys.ts";
import { Logins } from "./login.ts";
import type { SandboxSettings } from "./options.ts";
import { type OpenSession, Sessions } from "./sessions.ts";

/** A request that has found its route. */
export interface Call {
  readonly request: Request;
  readonly query: URLSearchParams;
  /** The path's one parameter, decoded; empty where the route has none, or where it can't be decoded. */
  readonly parameter: string;
}

export interface Route {
  readonly method: "GET" | "POST";
  /** To the letter: a trailing slash more or less is another path. */
  readonly path: RegExp;
  answer(call: Call): Answer | Promise<Answer>;
}

/** What one sandbox serves, with sessions of its own. */
export function createRoutes({
  seed,
  clock,
  slowBankDelay,
  bodyLimit,
  ...lifetimes
}: SandboxSettings): readonly Route[] {
  const sessions = new Sessions(clock, lifetimes, keySource(seed));
  const logins = new Logins(banks, sessions);

  const withSession =
    (answer: (key: string, session: OpenSession, call: Call) => Answer) =>
    (call: Call): Answer => {
      const key = readSessionKey(call);
      if (key === undefined) return missingParams;
      const session = sessions.find(key);
      return session && session.stage !== "interaction" ? answer(key, session, call) : invalidKey;
    };

  return [
    {
      method: "GET",
      path: /^\/provider\/$/,
      answer: () =>
        success({ providers: [...banks.values()].map(({ code, country, name }) => ({ code, country, name })) }),
    },
    {
      method: "GET",
      path: /^\/provider\/([^/]+)\/$/,
      answer: ({ parameter, query }) => {
        const bank = banks.get(parameter);
        if (!bank) return providerDoesntExist;
        const field = query.get("key");
        const value = query.get("value");
        return success({ provider: describeProvider(bank, field && value ? { field, value } : undefined) });
      },
    },
    {
      method: "POST",
      path: /^\/login\/$/,
      answer: async (call) => {
        const { request } = call;
        const form = await readForm(request, bodyLimit);
        if ("http" in form) return form;
        const key = readSessionKey(call);
        const pause = () => clock.wait(slowBankDelay, request.signal);
        return key === undefined ? logins.first(form, pause) : logins.second(key, form, pause);
      },
    },
    {
      method: "GET",
      path: /^\/transfer\/destinations$/,
      answer: withSession((_key, { stage, bank }) =>
        stage === "open" ? success({ destinations: bank.destinations }) : invalidKey,
      ),
    },
    {
      method: "GET",
      path: /^\/client\/$/,
      answer: withSession((_key, { selection }) => success({ clients: Object.fromEntries(selection?.clients ?? []) })),
    },
    {
      method: "GET",
      path: /^\/client\/([^/]+)\/$/,
      answer: withSession((key, session, { parameter }) => logins.chooseClient(key, session, parameter)),
    },
    {
      method: "GET",
      path: /^\/logout\/$/,
      answer: (call) => {
        const key = readSessionKey(call);
        if (key === undefined) return missingParams;
        if (!sessions.find(key)) return invalidKey;
        sessions.end(key);
        return loggedOut;
      },
    },
  ];
}

/** The session key of a request: undefined where there is none, and no session's key where two of them disagree. */
function readSessionKey({ request, query }: Call): string | undefined {
  const header = request.headers.get("x-session-key");
  const sent = new Set(query.getAll("key"));
  if (header !== null) sent.add(header);
  if (sent.size === 0) return undefined;
  return sent.size === 1 ? [...sent][0] : "";
}
