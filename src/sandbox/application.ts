import { H3, type H3Event } from "h3";
import {
  type Answer,
  internalError,
  invalidKey,
  loggedOut,
  methodNotAllowed,
  missingApiKey,
  missingParams,
  notFound,
  providerDoesntExist,
  requestAborted,
  success,
  unknownApiKey,
} from "./answers.ts";
import { describeProvider } from "./bank.ts";
import { banks } from "./banks/index.ts";
import { readForm } from "./form.ts";
import { keySource } from "./keys.ts";
import { Logins } from "./login.ts";
import { type SandboxOptions, settle } from "./options.ts";
import { type OpenSession, Sessions } from "./sessions.ts";

interface Route {
  readonly method: "GET" | "POST";
  /** To the letter: a trailing slash more or less is another path. */
  readonly path: string;
  answer(event: H3Event): Answer | Promise<Answer>;
}

/** The sandbox as an application of h3. In a file of its own: the types of h3 need more than a user of this package has. */
export function createApplication(options: SandboxOptions): H3 {
  const { apiKey, seed, clock, slowBankDelay, bodyLimit, ...lifetimes } = settle(options);
  const sessions = new Sessions(clock, lifetimes, keySource(seed));
  const logins = new Logins(banks, sessions);

  const withSession =
    (answer: (key: string, session: OpenSession, event: H3Event) => Answer) =>
    (event: H3Event): Answer => {
      const key = readSessionKey(event);
      if (key === undefined) return missingParams;
      const session = sessions.find(key);
      return session && session.stage !== "interaction" ? answer(key, session, event) : invalidKey;
    };

  const routes: readonly Route[] = [
    {
      method: "GET",
      path: "/provider/",
      answer: () =>
        success({ providers: [...banks.values()].map(({ code, country, name }) => ({ code, country, name })) }),
    },
    {
      method: "GET",
      path: "/provider/:code/",
      answer: (event) => {
        const bank = banks.get(readParameter(event, "code"));
        if (!bank) return providerDoesntExist;
        const field = event.url.searchParams.get("key");
        const value = event.url.searchParams.get("value");
        return success({ provider: describeProvider(bank, field && value ? { field, value } : undefined) });
      },
    },
    {
      method: "POST",
      path: "/login/",
      answer: async (event) => {
        const form = await readForm(event.req, bodyLimit);
        if ("http" in form) return form;
        const key = readSessionKey(event);
        const pause = () => clock.wait(slowBankDelay, event.req.signal);
        return key === undefined ? logins.first(form, pause) : logins.second(key, form, pause);
      },
    },
    {
      method: "GET",
      path: "/transfer/destinations",
      answer: withSession((_key, { stage, bank }) =>
        stage === "open" ? success({ destinations: bank.destinations }) : invalidKey,
      ),
    },
    {
      method: "GET",
      path: "/client/",
      answer: withSession((_key, { selection }) => success({ clients: Object.fromEntries(selection?.clients ?? []) })),
    },
    {
      method: "GET",
      path: "/client/:id/",
      answer: withSession((key, session, event) => logins.chooseClient(key, session, readParameter(event, "id"))),
    },
    {
      method: "GET",
      path: "/logout/",
      answer: (event) => {
        const key = readSessionKey(event);
        if (key === undefined) return missingParams;
        if (!sessions.find(key)) return invalidKey;
        sessions.end(key);
        return loggedOut;
      },
    },
  ];

  const application = new H3({
    // A path that can't be decoded is an unknown path or provider like any other, and its sender needs an API key too.
    allowMalformedURL: true,
    // Nothing may reach a log: an event's URL holds the session key.
    silent: true,
    onError: (_error, event) => send(event, event.req.signal.aborted ? requestAborted : internalError),
  });
  application.use((event, next) => {
    const refused = refuseKey(event, apiKey) ?? refuseSlash(event);
    return refused ? send(event, refused) : next();
  });
  for (const { method, path, answer } of routes) {
    application.on(method, path, async (event) => send(event, await answer(event)));
    application.all(path, (event) => send(event, methodNotAllowed(method)));
  }
  application.all("/**", (event) => send(event, notFound));
  return application;
}

function send(event: H3Event, { http, body, headers = {} }: Answer): Answer["body"] {
  event.res.status = http;
  event.res.headers.set("cache-control", "no-store");
  for (const [name, value] of Object.entries(headers)) event.res.headers.set(name, value);
  return body;
}

function refuseKey(event: H3Event, apiKey: string): Answer | undefined {
  const sent = event.req.headers.get("x-api-key");
  if (!sent) return missingApiKey;
  return sent === apiKey ? undefined : unknownApiKey;
}

// The router takes `/login` for `/login/`, the contract doesn't.
function refuseSlash(event: H3Event): Answer | undefined {
  const path = event.context.matchedRoute?.route ?? "";
  return path.endsWith("/") === event.url.pathname.endsWith("/") ? undefined : notFound;
}

/** The session key of a request: undefined where there is none, and no session's key where two of them disagree. */
function readSessionKey(event: H3Event): string | undefined {
  const header = event.req.headers.get("x-session-key");
  const sent = new Set(event.url.searchParams.getAll("key"));
  if (header !== null) sent.add(header);
  if (sent.size === 0) return undefined;
  return sent.size === 1 ? [...sent][0] : "";
}

function readParameter(event: H3Event, name: string): string {
  try {
    return decodeURIComponent(event.context.params?.[name] ?? "");
  } catch {
    return "";
  }
}
