import { trimSlashes } from "../../core/api/base-url.ts";
import type { BankError } from "../../core/api/errors.ts";
import type { FailureCode } from "../../core/api/failures.ts";
import {
  createInputError,
  type OptionParsers,
  optional,
  parseFlag,
  parseFunction,
  parseMilliseconds,
  parseOptions,
  parseValid,
  type StringOrSecret,
  unchecked,
  withDefault,
} from "../../core/api/input-checks.ts";
import { isLoopback } from "../../core/http/loopback.ts";
import { type RefusalMemory, rememberRefusals } from "../../core/login/known-refusals.ts";
import type { Store } from "../../core/tokens/store.ts";
import { type Environment, systemEnvironment } from "../environment.ts";
import { isProviderCode } from "../relay/relay-call.ts";
import type { RelayEvent } from "../relay/relay-events.ts";
import { type RelayOptions, sharedOptions } from "../relay/relay-options.ts";

/**
 * Where a hosted login is. `created`: its address was not opened. `opened`: a page shows it. `awaiting_interaction`: the bank has asked the person a
 * question. The other four are ends, and stay: a session; a failure after which nothing can be tried at this address; a cancel, by the
 * person or by `cancel`; the time is over.
 */
export type HostedStatus = "created" | "opened" | "awaiting_interaction" | HostedEndStatus;

/** How a hosted login ends. */
export type HostedEndStatus = "logged_in" | "failed" | "cancelled" | "expired";

export const hostedEnds = ["logged_in", "failed", "cancelled", "expired"] as const satisfies HostedEndStatus[];

/** Whether nothing comes after a status. */
export const isHostedEnd = (status: HostedStatus): status is HostedEndStatus =>
  hostedEnds.some((end) => end === status);

/** A hosted login. No member is secret. */
export interface HostedSession {
  /** Names the session. The address can't be opened with it. */
  readonly id: string;
  /** What `create` was given. */
  readonly user: string;
  readonly status: HostedStatus;
  /** Whether nothing comes after this status. */
  readonly over: boolean;
  /** The bank's code: that of the login after `logged_in`, otherwise the one that `create` was given. */
  readonly provider?: string;
  /** Why it `failed`; with the `lastStep` `refused`, why its last submit was. */
  readonly failure?: FailureCode;
  /**
   * With `cancelled` and `expired`: the step at which its person has left. `created`: the address was not opened. `opened`: a page showed the form, and nothing was
   * sent. `submitting`: something was at the bank. `awaiting_interaction`: the bank had asked a question. `refused`: nothing came of the last submit.
   */
  readonly lastStep?: "created" | "opened" | "submitting" | "awaiting_interaction" | "refused";
  /** The id of its last login, as logs and telemetry have it. Absent until a form was sent. */
  readonly login?: string;
  /** With `logged_in`: when the session at the bank began. A key may be good for minutes only: take it when `onEnd` tells. */
  readonly loggedInAt?: Date;
  /** Until when a person can begin or answer. */
  readonly expiresAt: Date;
}

/** The end of a hosted login, for `onEnd`. */
export interface HostedEnd
  extends Pick<HostedSession, "id" | "user" | "provider" | "failure" | "lastStep" | "login" | "loggedInAt"> {
  readonly status: HostedEndStatus;
}

/** One request of a page to the relay that was responded to, for a log. No member is secret. */
export interface HostedEvent extends RelayEvent {
  /** The session's id. Absent if the request was refused before it was known. */
  readonly session?: string;
  /** The `user` of the session, as `create` was given it. */
  readonly user?: string;
}

/** A step of a hosted login on the way to its end, for `onProgress`. */
export interface HostedProgress extends Pick<HostedSession, "id" | "user" | "provider" | "failure" | "login"> {
  /** `opened`: a page shows it. `awaiting_interaction`: the bank has asked a question. `refused`: nothing came of a submit, and the person may try again. */
  readonly type: "opened" | "awaiting_interaction" | "refused";
  /** The number of the submit, from 1 on. `opened` has none. */
  readonly number?: number;
}

/** What `createHostedLogin` takes. Those of `createRelay` are described there. */
export interface HostedLoginOptions
  extends Pick<
    RelayOptions,
    | "client"
    | "sealKey"
    | "logoHosts"
    | "clientSelection"
    | "logout"
    | "interactionLifetime"
    | "readCaller"
    | "rateLimit"
  > {
  /** Keeps the sessions: `createMemoryStore()` for one process, or one of `ventanilla/tokens` that all instances share. */
  readonly store: Store;
  /** The address that the handler is reached at, path included: `https://login.shop.example/bank`. Plain `http` on this machine alone. */
  readonly url: string;
  /** The name of your app, as people know it. The page shows it. */
  readonly name: string;
  /** The address of your logo, which the page shows beside the bank. Default: the initials of `name`. */
  readonly logo?: string;
  /** The colour of the page's main button and links: `#1f4fd8`, dark enough to be read on white. A dark page has a lighter shade of it. Default: blue. */
  readonly accent?: string;
  /**
   * Lets the person's browser fill in the user name and the password that it has saved for the origin of `url`, and save new ones. Only if that
   * origin serves bank logins alone: a login of your own site would go to the bank. Default false.
   */
  readonly savedLogins?: boolean;
  /** The origins that a page may go back to, exactly: `https://shop.example`. Default: none. */
  readonly returnTo?: readonly string[];
  /**
   * As of `rememberRefusals`: a form that the bank has refused is not sent again, and its person reads `known_wrong`; the same form once more, in the same session, is sent. Faults of its store go to `onError`, unless
   * it has its own. Default: each submit is one more try at the bank.
   */
  readonly refusals?: RefusalMemory;
  /** Milliseconds for which a session can be read, and its key be taken for the first time, after it could last be used. Default 86 400 000, a day. */
  readonly retention?: number;
  /**
   * Milliseconds for which its recipient can take a key again. Then the next `sweep` removes it. `ventanilla mcp`, whose recipient is a conversation, keeps it as long as the session.
   * Default 600 000, ten minutes.
   */
  readonly keyRetention?: number;
  /**
   * Called once for each session, when it has ended. If it throws or takes more than 10 seconds, or if the process dies, any instance
   * calls it again a minute later, at `read`, an opening or `sweep`: tell the calls apart by `id`. The page does not wait for it.
   */
  readonly onEnd: (end: HostedEnd) => unknown;
  /**
   * Called for each step on the way. Once at most: not again if it throws, takes more than 10 seconds or if the process dies, so what has to be
   * known is read from `read` and `onEnd`. Neither the page nor the bank waits for it.
   */
  readonly onProgress?: (progress: HostedProgress) => unknown;
  /** Called with each request of a page to the relay, for a log. What it throws changes no response. */
  readonly onEvent?: (event: HostedEvent) => unknown;
  /**
   * Called with each fault of the service, of the store and of the functions given here. One that belongs to a session has the session's id as `session`;
   * one of a request to the relay has the `id` of its event. What it throws changes nothing.
   */
  readonly onError?: (error: BankError, subject: Pick<HostedEvent, "id" | "session">) => unknown;
}

/** What a session is created with. */
export interface NewHostedSession {
  /** Whose login it is, by a name of your own, such as the account's id, of 255 characters at most. No person sees it. */
  readonly user: string;
  /** The bank's code, if it is known: the person then chooses none, and a login at another bank is refused. */
  readonly provider?: string;
  /** The person's user name at the bank, if it is known: the form begins with it. It is stored sealed. */
  readonly username?: StringOrSecret;
  /** The language of the page: a tag, such as `es-MX`. Default, and where there are no texts in it: that of the browser, else `en`. */
  readonly locale?: string;
  /** Where the page goes in the end, with `session` and `status` in its query; of a listed origin. Default: it stays, and says that it is done. */
  readonly returnTo?: string;
  /** Milliseconds in which a person can begin or answer. Default 900 000, a quarter of an hour. */
  readonly expiresIn?: number;
  /** Refuses a login with another user name than `username`, before anything is sent. Default false. */
  readonly bindUsername?: boolean;
  /** Sends a form although `refusals` knows it as refused: the bank may take it by now. Default false. */
  readonly ignoreKnownRefusal?: boolean;
  /**
   * What to do with an open session that was made with `whenOpen` for the same `user` and `provider`. `reuse`: it is the result, and nothing is
   * made, if it has the same `username`, `bindUsername`, `ignoreKnownRefusal`, `locale` and `returnTo`, and at least half of the asked time. `cancel`: it is cancelled. It needs `provider`. Default: there are two.
   */
  readonly whenOpen?: "reuse" | "cancel";
}

/** A session that was made, with its address. */
export interface CreatedSession {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/** What an erasure has found. */
export interface ErasedSessions {
  /** How many sessions there were. A repeat of the call finds none. */
  readonly sessions: number;
  /** Of how many the bank may have got a login: what it works on is not aborted. A repeat of the call in the next five minutes says so again. */
  readonly mayHaveArrived: number;
}

/** Who takes a session key. */
export interface TakeKeyOptions {
  /**
   * Names the recipient, by 1 to 255 characters: an id of the job that stores the key. A repeated call with the same one gets the same key, so a call
   * that was interrupted is repeated as it was. No secret.
   */
  readonly idempotencyKey: string;
}

/** The options with every default filled in and every value checked. */
export type HostedSettings = ReturnType<typeof createHostedSettings>;

/** Characters of the name of a user. */
export const USER_LIMIT = 255;

/** A language tag (BCP 47): `es`, `es-MX`, `zh-Hant-TW`. */
export const languageTag = /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{1,8})*$/;

const newSessionOptions = {
  user: parseValid(
    (user) => typeof user === "string" && user !== "" && user.length <= USER_LIMIT,
    `must be a text of 1 to ${USER_LIMIT} characters`,
  ),
  provider: optional(parseValid(isProviderCode, "must be a bank's code")),
  username: unchecked,
  locale: optional(parseValid((locale) => languageTag.test(locale), "must be a language tag, such as es-MX")),
  returnTo: unchecked,
  expiresIn: optional(parseMilliseconds),
  bindUsername: parseFlag,
  ignoreKnownRefusal: parseFlag,
  whenOpen: optional(parseValid((value) => value === "reuse" || value === "cancel", "must be reuse or cancel")),
} satisfies OptionParsers<NewHostedSession>;

/** Checks what a session is created with, but for what the bank knows. */
export function checkNewSession(
  session: NewHostedSession,
  { returnTo: origins }: Pick<HostedSettings, "returnTo">,
): void {
  const { provider, username, returnTo, bindUsername, whenOpen } = parseOptions(session, newSessionOptions);
  if (returnTo !== undefined && !origins.includes(toSafeUrl(returnTo)?.origin ?? "")) {
    throw createInputError("returnTo", "must be an address of a listed origin");
  }
  if (bindUsername && !username) throw createInputError("bindUsername", "needs username");
  if (whenOpen !== undefined && provider === undefined) throw createInputError("whenOpen", "needs provider");
}

/** Milliseconds after its expiry in which a session can be read, by default. */
export const RETENTION = 86_400_000;

const hostedLoginOptions = {
  ...sharedOptions,
  onEvent: optional(parseFunction),
  onError: optional(parseFunction),
  url: parseAddress,
  name: parseValid((name) => typeof name === "string" && name.trim() !== "", "must be a text"),
  logo: optional(parseValid(toSafeUrl, "must be an https address, or http on this machine")),
  accent: optional(parseValid(isReadableOnWhite, "must be a colour such as #1f4fd8, dark enough to be read on white")),
  savedLogins: parseFlag,
  returnTo: withDefault([], parseValid(areOrigins, "must be a list of https origins, or http on this machine")),
  refusals: unchecked,
  retention: withDefault(RETENTION, parseMilliseconds),
  keyRetention: withDefault(600_000, parseMilliseconds),
  onEnd: parseFunction,
  onProgress: optional(parseFunction),
} satisfies OptionParsers<HostedLoginOptions>;

/** Checks and completes the options of `createHostedLogin`. */
export function createHostedSettings(options: HostedLoginOptions, environment: Environment = systemEnvironment) {
  const { url, ...settings } = parseOptions(options, hostedLoginOptions);
  if (settings.refusals !== undefined) rememberRefusals(settings.client, settings.refusals);
  return {
    ...settings,
    environment,
    /** The address, with a slash at its end. */
    url: `${trimSlashes(url.href)}/`,
    origin: url.origin,
    /** The path of the address, with a slash at its end. */
    prefix: `${trimSlashes(url.pathname)}/`,
  };
}

function areOrigins(list: readonly string[]): boolean {
  return Array.isArray(list) && list.every((origin) => toSafeUrl(origin)?.origin === origin);
}

function parseAddress(field: string, text: string): URL {
  const url = toSafeUrl(text);
  if (url && !url.search && !url.hash && !url.username) return url;
  throw createInputError(field, "must be an https address without a query, or http on this machine");
}

/** Whether a colour has a contrast of 4.5 to 1 with white (WCAG 2.2, 1.4.3). */
function isReadableOnWhite(color: string): boolean {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return false;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5;
}

/** An address that no one on the way can read. */
export function toSafeUrl(text: unknown): URL | undefined {
  if (typeof text !== "string" || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.host)) ? url : undefined;
}
