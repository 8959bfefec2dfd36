import * as v from "valibot";
import type { KeptLogin, LoginEvent } from "../../../machines/login.types.ts";
import { LOGIN_HEADER, RELAY_HEADER, TOKEN_HEADER } from "../api/bank-request.ts";
import type { RelayClient } from "../api/client.ts";
import { mayHaveArrived } from "../api/failures.ts";
import { formatToken, parseLoginName, parseRelayKey, type RelayLogin } from "../api/relay-login.ts";
import { reveal } from "../api/reveal.ts";
import { secret } from "../api/secret.ts";
import { type LoginSnapshot, readState } from "../login/login-state.ts";
import type { LinkSnapshot } from "./link-view.ts";

/** Where a page keeps a login: `sessionStorage`, or something like it. What it throws is ignored: the login is not kept then. */
export type LoginStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The storage of this tab; `undefined` if there is none, or the page may not use it. */
export function findPageStorage(): Storage | undefined {
  return quietly(() => globalThis.sessionStorage);
}

const PREFIX = "ventanilla ";

/** Which login of the page it is: the address of its relay, whose it is, and which of the page's screens. */
const nameParts = v.tuple([v.string(), v.nullable(v.string()), v.nullable(v.string())]);

/** What is kept: nothing that was typed, and nothing that the bank has said. */
const storedLogin = v.object({
  version: v.literal(2),
  id: v.string(),
  token: v.string(),
  /** That of the last submit. */
  number: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** The bank's code: the page says at once which bank it waits for. */
  provider: v.string(),
});

/** A login as a page keeps it. */
export type StoredLogin = v.InferOutput<typeof storedLogin>;

/**
 * Forgets each login that screens have kept in this tab, of every account, and ends it at its relay: call it when a person signs out, once no screen is shown
 * any more. A session that was reached stays open at the bank.
 *
 * @param storage where they were kept. Default `sessionStorage`; nothing happens if there is none.
 */
export function forgetKeptLogins(storage: Storage | undefined = findPageStorage()): void {
  const names = quietly(() => Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? ""));
  for (const name of names ?? []) {
    if (!name.startsWith(PREFIX)) continue;
    const login = parse(
      storedLogin,
      quietly(() => storage?.getItem(name)),
    );
    quietly(() => storage?.removeItem(name));
    const [baseUrl] = parse(nameParts, name.slice(PREFIX.length)) ?? [];
    if (login && baseUrl !== undefined) cancelAt(baseUrl, login);
  }
}

/** The page may be left at once, and its person has no session of its own any more. */
function cancelAt(baseUrl: string, { id, token }: StoredLogin): void {
  const headers = { [RELAY_HEADER]: "1", [LOGIN_HEADER]: id, [TOKEN_HEADER]: token };
  globalThis.fetch(`${baseUrl}/cancel/`, { method: "POST", headers, keepalive: true }).catch(() => undefined);
}

/** What is needed of the actor of a login, or of a link flow. */
interface KeptActor {
  subscribe(observer: { next: (snapshot: LoginSnapshot | LinkSnapshot) => void; complete: () => void }): unknown;
  send(event: Extract<LoginEvent, { type: "login.resume" }>): void;
}

/** The names that screens of this page use, each in its storage. */
const inUse = new Set<{ readonly storage: LoginStorage; readonly name: string }>();

/**
 * Keeps the name of a login for as long as its relay has it: from before its first submit until the page shows its end. Once its actor is started, the login goes
 * on that a page has left, if there is one. One that the person leaves is ended at the relay.
 *
 * @param options.provider the only bank of this screen, if there is only one.
 * @param options.account whose login it is. That of another account is not found.
 * @param options.name tells this screen from others of the page.
 */
export function keepLogin(
  actor: KeptActor,
  client: Pick<RelayClient, "baseUrl" | "knowsUsers" | "cancelLogin">,
  {
    storage,
    provider,
    account,
    name: screen = provider,
  }: {
    readonly storage: LoginStorage | undefined;
    readonly provider: string | undefined;
    readonly account: string | undefined;
    readonly name?: string | undefined;
  },
): void {
  const name = PREFIX + JSON.stringify([client.baseUrl, account ?? null, screen ?? null]);
  const place = storage && { storage, name };
  let isStarted = false;
  let isOurs = false;
  /** What this screen has stored, or resumed: it removes no other screen's. */
  let stored = "";
  /** The login that the person may leave. */
  let open: { readonly login: RelayLogin; readonly isBusy: boolean } | undefined;

  /** @returns the login to go on with. */
  function start({ context: { settings } }: LoginSnapshot | LinkSnapshot): KeptLogin | undefined {
    isStarted = true;
    if (!place) return undefined;
    isOurs = ![...inUse].some((other) => other.storage === place.storage && other.name === place.name);
    if (!isOurs) return warnOfTwin();
    inUse.add(place);
    stored = quietly(() => place.storage.getItem(name)) ?? "";
    const login = parse(storedLogin, stored);
    if (login && (provider ?? login.provider) === login.provider) {
      const { id, token, number } = login;
      open = { login: { id, token, last: number }, isBusy: true };
      return { id, settings, provider: login.provider, token: secret(formatToken({ token, last: number - 1 })) };
    }
    stored = "";
    return undefined;
  }

  function store(text: string): void {
    if (text === stored || !isOurs) return;
    stored = text;
    quietly(() => (text ? place?.storage.setItem(name, text) : place?.storage.removeItem(name)));
  }

  // XState calls it first when the actor is started: never on a server, and not before a page is hydrated.
  actor.subscribe({
    next(snapshot) {
      if (!isStarted) {
        const paused = start(snapshot);
        if (paused) actor.send({ type: "login.resume", paused });
        return;
      }
      if (snapshot.status === "stopped" || (isLink(snapshot) && snapshot.context.resumed)) return;
      const login = isLink(snapshot) ? snapshot.children.login?.getSnapshot() : snapshot;
      const before = open;
      open = login && findOpen(login);
      // A link has the key of a session that was reached.
      const isLeft = login ? isLeftAt(login, before?.isBusy) : snapshot.context.key === undefined;
      if (before && !open && isLeft) {
        const { id, token } = before.login;
        client.cancelLogin({ id, token }).catch(() => undefined);
      }
      if (login && isUnknown(login)) return;
      // Before the relay's first response, what was stored stays.
      const mayStore = account !== undefined || (client.knowsUsers() ?? stored !== "");
      store(login && mayStore ? formatStored(login) : "");
    },
    complete() {
      if (place && isOurs) for (const one of inUse) if (one === place) inUse.delete(one);
      isStarted = false;
    },
  });
}

function warnOfTwin(): undefined {
  // biome-ignore lint/suspicious/noConsole: only its developer can give the screens names.
  console.warn(
    "ventanilla: two login screens of this page can't be told apart: a reload loses the login of the later one. Give each an id, or the option `name`.",
  );
}

const isLink = (snapshot: LoginSnapshot | LinkSnapshot): snapshot is LinkSnapshot => "resumed" in snapshot.context;

/** The login that a relay works on, or keeps for the person. */
function findOpen(login: LoginSnapshot): { readonly login: RelayLogin; readonly isBusy: boolean } | undefined {
  const named = nameLogin(login);
  return named && (login.hasTag("busy") || login.hasTag("open"))
    ? { login: named, isBusy: login.hasTag("busy") }
    : undefined;
}

/** Whether the person has left a login, or its page has ended it. What fails while a request is under way was ended by its response. */
const isLeftAt = (login: LoginSnapshot, wasBusy: boolean | undefined): boolean => {
  const { state } = readState(login);
  return state === "idle" || (state === "failed" && wasBusy === false);
};

/** Whether it is not known yet how a login has ended: the relay can still be asked. */
function isUnknown(login: LoginSnapshot): boolean {
  const { failure } = login.context;
  if (readState(login).state !== "failed" || !failure) return false;
  // This is the answer of the relay, which knows no more.
  const isConclusive = failure.code === "outcome_unknown" && failure.httpStatus === 409;
  return mayHaveArrived(failure) && !isConclusive;
}

/** The name of a login, with the number of its last submit that the relay has told. */
function nameLogin({ context: { id, key, token } }: LoginSnapshot): RelayLogin | undefined {
  if (!key && !token) return undefined;
  return quietly(() => (key ? parseRelayKey(reveal(key)) : parseLoginName({ id, token })));
}

/** Whether the number of the last submit is not told yet. */
function isSubmitting(login: LoginSnapshot): boolean {
  const state = readState(login);
  return state.state === "submitting" && state.request !== "listClients";
}

function formatStored(login: LoginSnapshot): string {
  const open = findOpen(login);
  if (!open) return "";
  const { id, token, last } = open.login;
  const number = isSubmitting(login) ? last + 1 : last;
  return JSON.stringify({ version: 2, id, token, number, provider: login.context.provider } satisfies StoredLogin);
}

/** What was kept; `undefined` if there is nothing, or something that this version can't read. */
function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string | null | undefined,
): v.InferOutput<Schema> | undefined {
  const { success, output } = v.safeParse(schema, text && quietly(() => JSON.parse(text)));
  return success ? output : undefined;
}

/** A full or forbidden storage throws. */
function quietly<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
