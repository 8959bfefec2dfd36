import { LOGIN_HEADER } from "../../core/api/bank-request.ts";
import type { BankError } from "../../core/api/errors.ts";
import { createRandomId } from "../../core/api/random-id.ts";
import { createRefusals, toRefusal } from "../../core/login/known-refusals.ts";
import { isUsername } from "../kept/bank-calls.ts";
import type { KeptLogins } from "../kept/kept-logins.ts";
import type { LoginForm } from "../relay/browser-input.ts";
import { createDoor, type DoorRules } from "../relay/door.ts";
import { reportError } from "../relay/relay-events.ts";
import { createRelaySettings, type RelayOptions, sharedOptions } from "../relay/relay-options.ts";
import { notFound, notSignedIn, type RelayResponse, respond, toRefusalResponse } from "../relay/relay-responses.ts";
import { toReached } from "../relay/submits.ts";
import type { createBrowserCookie } from "./browser-cookie.ts";
import type { HostedSettings } from "./hosted-options.ts";
import type { HostedSessions } from "./hosted-sessions.ts";
import type { Session, SessionDoor } from "./session-row.ts";

/** Milliseconds for which the service's description of a bank's fields is reused. */
const MIN_AGE = 60_000;

/** The session that a request of a page is about, and the browser that it comes from. */
export interface Own {
  readonly session: Session;
  readonly browser: string;
}

/** The handler of the pages' requests, at `bank/`: it speaks as a relay does, and serves only the browser of a session. */
export function createHostedDoor(
  settings: HostedSettings,
  {
    logins,
    sessions,
    cookie,
  }: {
    readonly logins: KeptLogins<SessionDoor>;
    readonly sessions: HostedSessions;
    readonly cookie: ReturnType<typeof createBrowserCookie>;
  },
) {
  const { client, environment, origin, prefix, onEvent } = settings;
  const names = Object.keys(sharedOptions) as (keyof typeof sharedOptions)[];
  const shared = Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<
    RelayOptions,
    keyof typeof sharedOptions
  >;
  const relay = {
    ...createRelaySettings(
      {
        ...shared,
        allowedOrigins: [origin],
        path: `${prefix}bank/`,
        readUser: false,
        onLogin: () => undefined,
      },
      environment,
    ),
    ...(onEvent && { onEvent }),
  };
  // With a log the reason is in it. A console warning would be a line that is not JSON.
  if (onEvent) relay.warnOfSetup = () => {};
  const refusals = settings.refusals && createRefusals(client, { onError: reportRefusals, ...settings.refusals });

  function reportRefusals(fault: BankError): void {
    reportError(settings, fault, { id: crypto.randomUUID() });
  }

  /** The session that a request of a page is about, if its browser may continue it. */
  async function findOwn(request: Request): Promise<Own | undefined> {
    const id = request.headers.get(LOGIN_HEADER) ?? "";
    const browser = await cookie.read(request, id);
    const session = browser === undefined ? undefined : await sessions.find(id);
    if (!session || browser === undefined) return undefined;
    const { holder } = session.row;
    return holder === undefined || holder === browser ? { session, browser } : undefined;
  }

  /** Why a session refuses such a login. Nothing was sent. */
  function checkForm(
    { row: { door } }: Session,
    { provider, username }: LoginForm,
    kind: "credentials" | "answer",
  ): RelayResponse | undefined {
    if (door.provider !== undefined && door.provider !== provider) return unauthorizedProvider;
    if (kind === "answer" || !door.bindUsername || door.username === undefined) return undefined;
    return isUsername(username, door.username) ? undefined : otherUsername;
  }

  const rules: DoorRules<SessionDoor> = {
    async identify({ request }) {
      const own = await findOwn(request);
      return own ? { kept: own.session, holder: own.browser } : notSignedIn;
    },
    checkOpen: async (session) => ((await sessions.isOver(session)) ? notSignedIn : undefined),
    toLoginId: ({ id, row }) => row.login ?? id,
    toNewLoginId: () => createRandomId(),
    isBankFree: ({ row }) => row.door.provider === undefined,
    toSubject: ({ id }, login) => ({ id: login, session: id }),
    checkForm,
    async prepareLogin(session, form) {
      const { provider, username, password, others } = form;
      const known = await refusals?.find({ ...others, provider, username, password });
      const isIgnored = session.row.door.ignoreKnownRefusal || session.row.door.warnedOf === known?.refusedAt;
      const knownRefusal = known && !isIgnored && toRefusal(known);
      if (knownRefusal) {
        // The same form is sent if the person submits it again after the warning.
        const warnedOf = knownRefusal.refusedAt ?? 0;
        const warn = (row: Session["row"]) => ({ ...row, door: { ...row.door, isOpened: true as const, warnedOf } });
        await logins.change(session, warn);
        return toRefusalResponse(knownRefusal);
      }
      return known && (async (response) => refusals?.record(provider, known, response));
    },
    toEnd: (end, submit) =>
      end.status === "logged_in" && submit.number <= (end.number ?? 0) ? toReached(submit, "session") : notSignedIn,
    cancel: async () => notFound,
    gone: notSignedIn,
    toUnknown: () => notSignedIn,
    minAge: MIN_AGE,
    describe: (visitor) => (visitor?.kept ? { session: visitor.kept.id, user: visitor.kept.row.door.user } : {}),
    knowsUsers: true,
  };

  return { findOwn, ...createDoor(relay, { logins, rules }) };
}

const unauthorizedProvider = respond("error", { message: "Unauthorized provider" }, 403);
const otherUsername = respond("username_differs", {}, 403);
