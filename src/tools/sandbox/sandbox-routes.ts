import { describeProvider } from "./bank-model.ts";
import { type Session, Sessions } from "./bank-sessions.ts";
import { readForm } from "./posted-form.ts";
import type { SandboxSettings } from "./sandbox-options.ts";
import {
  invalidKey,
  loggedOut,
  missingParams,
  providerDoesntExist,
  type SandboxResponse,
  success,
} from "./sandbox-responses.ts";
import { Logins, readSelection } from "./scripted-logins.ts";

/** A request with its route. */
export interface Call {
  readonly request: Request;
  readonly query: URLSearchParams;
  /** The path's one parameter, decoded; empty if the route has none, or if it can't be decoded. */
  readonly parameter: string;
}

type Handler = (call: Call) => SandboxResponse | Promise<SandboxResponse>;

export interface Route {
  readonly method: string;
  /** Matches exactly: with or without a trailing slash it is another path. */
  readonly path: RegExp;
  readonly handle: Handler;
}

/** A real list has contained such an element. */
const namelessEntry = { code: "sinnombre_hn", country: "HN", name: null };

/** The routes of one sandbox, with its own sessions. */
export function createRoutes(settings: SandboxSettings): readonly Route[] {
  return Object.entries(createHandlers(settings)).map(([template, handle]) => {
    const [method = "", path = ""] = template.split(" ");
    return { method, path: new RegExp(`^${path.replace(/\{\w+\}/, "([^/]+)")}$`), handle };
  });
}

function createHandlers(settings: SandboxSettings): Readonly<Record<string, Handler>> {
  const { banks, malformed } = settings;
  const sessions = new Sessions(settings);
  const logins = new Logins(banks, sessions);

  const withSession =
    (handle: (session: Session, call: Call) => SandboxResponse): Handler =>
    (call) => {
      const key = readSessionKey(call);
      if (key === undefined) return missingParams;
      const session = sessions.find(key);
      return session && session.stage !== "interaction" ? handle(session, call) : invalidKey;
    };

  return {
    "GET /provider/": () =>
      success({
        providers: [
          ...[...banks.values()]
            .filter(({ isMalformed }) => malformed || !isMalformed)
            .map(({ code, country, name }) => ({ code, country, name })),
          ...(malformed ? [namelessEntry] : []),
        ],
      }),

    "GET /provider/{code}/": ({ parameter, query }) => {
      const bank = banks.get(parameter);
      if (!bank) return providerDoesntExist;
      const [field, value] = [query.get("key"), query.get("value")];
      return success({ provider: describeProvider(bank, field && value ? { field, value } : undefined) });
    },

    "POST /login/": async (call) => {
      const { signal } = call.request;
      const form = await readForm(call.request);
      if ("http" in form) {
        settings.report(call.request, form.mistake);
        return form;
      }
      const key = readSessionKey(call);
      settings.report(call.request, logins.findMistake(key, form));
      const pause = () => settings.clock.wait(settings.slowBankDelay, signal);
      return key === undefined ? logins.first(form, pause) : logins.second(key, form, pause);
    },

    "GET /transfer/destinations": withSession(({ stage, bank, account }) => {
      if (stage !== "open") return invalidKey;
      const all = [...bank.destinations, ...(bank.badElements?.destinations ?? [])];
      return account.destinations ?? success({ destinations: all });
    }),

    "GET /client/": withSession((session) =>
      success({ clients: Object.fromEntries(readSelection(session)?.clients ?? []) }),
    ),

    "GET /client/{id}/": withSession((session, { parameter }) => logins.chooseClient(session, parameter)),

    "GET /logout/": (call) => {
      const key = readSessionKey(call);
      if (key === undefined) return missingParams;
      const session = sessions.find(key);
      if (!session) return invalidKey;
      sessions.end(session);
      return loggedOut;
    },
  };
}

/** The session key of a request; `undefined` without one, and an invalid key for two different ones. */
function readSessionKey({ request, query }: Call): string | undefined {
  const header = request.headers.get("x-session-key");
  const sent = new Set(query.getAll("key"));
  if (header !== null) sent.add(header);
  if (sent.size === 0) return undefined;
  return sent.size === 1 ? [...sent][0] : "";
}
