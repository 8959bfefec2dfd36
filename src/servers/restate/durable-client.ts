import { loginMachine } from "../../../machines/login.ts";
import type { LoginSettings } from "../../../machines/login.types.ts";
import { createInputError, parseMilliseconds } from "../../core/api/input-checks.ts";
import { secret } from "../../core/api/secret.ts";
import type { CredentialTexts } from "../../core/login/credentials.ts";
import type { AnsweringHandlers, LoginHandlers } from "../../core/login/handlers.ts";
import {
  type AnsweringOptions,
  type LoginOptions,
  listOthers,
  toCredentialTexts,
  toSettings,
  type WithoutClients,
} from "../../core/login/login.ts";
import { LoginRun } from "../../core/login/login-run.ts";
import {
  type EndedOutcome,
  type LoginOutcome,
  type LoginOutcomeWithoutClients,
  toOutcome,
} from "../../core/login/outcome.ts";
import { toPlainSettings } from "../../core/login/validation.ts";
import { toLocale } from "../../core/texts/languages.ts";
import { checkKeys, type SealKeys } from "../../core/tokens/sealed-token.ts";
import { openPausedId, openSessionKey, SEAL_TTL, type SealOptions, sealCredentials } from "./durable-seals.ts";
import type { DurableState } from "./durable-state.ts";
import { createIngressCall, type DurableLoginClientOptions } from "./ingress-call.ts";
import { checkVersion, createLoginId, DURABLE_LOGIN_VERSION } from "./login-id.ts";
import { createRemoteActors, type RemoteCall, toPausedLogin, toRemoteSettings } from "./remote-actors.ts";

/** What begins a durable login that others wait for. */
export interface DurableLoginStart extends CredentialTexts {
  /** A name of the caller's for this login: letters, digits, `_` and `-`, 64 at most. The same name begins no second login. Default: random. */
  readonly name?: string;
  /** How the login behaves. Default: by the contract. */
  readonly settings?: LoginSettings;
}

/** What `login` of a durable client takes: what `login()` takes, and a name. */
export interface DurableLoginCall
  extends Omit<LoginOptions, "refusals" | "ignoreKnownRefusal">,
    Pick<DurableLoginStart, "name"> {}

/** Which login `resume` continues: its id, the token of a pause, or its name. */
export type DurableLoginReference = string | Pick<Required<DurableLoginStart>, "name">;

/** What `resume` of a durable client takes. */
export interface DurableResumeOptions extends LoginHandlers {
  /** What opens a token of `outcome.pause({ key })`. Default none: the login is named by its id. */
  readonly key?: SealKeys;
}

/** What every call takes. */
export interface DurableCallOptions {
  /** Gives the call up with `request_aborted`; the login goes on. */
  readonly signal?: AbortSignal;
  /** The language of a failure's text, a tag. Default `en`. */
  readonly locale?: string;
}

/** The durable logins behind one ingress. Every method rejects with a `BankError` where Restate can't be reached. */
export interface DurableLoginClient {
  /**
   * Logs in as `login()` does, with the same outcomes, events and handlers, where the login outlives this process. What was typed in
   * is sealed before it leaves. `outcome.pause({ key })` gives a token for `resume`; the login goes on waiting.
   *
   * @throws {BankError} as `login()`; `network_failed` if Restate can't be reached: the login may have begun, so `resume({ name })`.
   */
  login(options: DurableLoginCall & AnsweringOptions): Promise<EndedOutcome>;
  login(options: DurableLoginCall & WithoutClients): Promise<LoginOutcomeWithoutClients>;
  login(options: DurableLoginCall): Promise<LoginOutcome>;
  /**
   * Resumes a login by its id, its name or the token of a pause. Resolves to its outcome, with the same verbs, when it needs input or has ended.
   *
   * @throws {BankError} the code says what is wrong with the token; `invalid_input` naming `name`, or `id` where there is no such login.
   * @example
   * const outcome = await logins.resume({ name: "order-17" });
   */
  resume(login: DurableLoginReference, options: DurableResumeOptions & AnsweringHandlers): Promise<EndedOutcome>;
  resume(login: DurableLoginReference, options?: DurableResumeOptions): Promise<LoginOutcome>;
  /** Begins a login (contract, section 3), waits for nothing, and gives its id. What was typed in is sealed before it leaves. */
  start(form: DurableLoginStart, options?: DurableCallOptions): Promise<string>;
  /** Cancels the login, and the request that runs. */
  cancel(id: string, options?: DurableCallOptions): Promise<DurableState>;
  /** How the login stands now. @throws {BankError} `invalid_input` naming `id` where there is no such login, or no more. */
  state(id: string, options?: DurableCallOptions): Promise<DurableState>;
  /**
   * How the login ended, once it has: what the bank said is the outcome, what broke rejects.
   *
   * @throws {BankError} a fault of `docs/errors.md`. `outcome_unknown`: a worker died over the request; wait a few minutes,
   * and do not repeat it blindly.
   */
  wait(id: string, options?: DurableCallOptions): Promise<EndedOutcome>;
}

/**
 * A client of the durable logins that `durableLogin` serves. It seals what goes in and opens what comes out, so it belongs
 * on a server, beside the seal key.
 *
 * @throws {BankError} `invalid_input` naming the option.
 * @example
 * const logins = createDurableLoginClient({ ingress: "http://localhost:8080", sealKey });
 * let outcome = await logins.login({ provider: "test", username, password });
 * if (outcome.status === "interaction_required") outcome = await outcome.answer(code);
 */
export function createDurableLoginClient(options: DurableLoginClientOptions): DurableLoginClient {
  const { ingress: url, sealKey, version = DURABLE_LOGIN_VERSION } = options;
  checkKeys(sealKey, "sealKey");
  checkVersion(version);
  const sealTtl = parseMilliseconds("sealTtl", options.sealTtl ?? SEAL_TTL);
  const call = createIngressCall(options);

  const toLocaleMessage = ({ locale }: DurableCallOptions = {}) =>
    locale === undefined ? {} : { locale: toLocale(locale) };
  const newId = (name: string | undefined): string => {
    const id = createLoginId(version, name);
    if (id === undefined) throw createInputError("name", "must be 1 to 64 letters, digits, underscores and hyphens");
    return id;
  };
  const seal = async (id: string, form: CredentialTexts, settings: LoginSettings) => {
    const credentials = await sealCredentials(toCredentialTexts(form), { id, sealKey, sealTtl }, listOthers(form));
    return { credentials, settings: finite(settings) };
  };

  /** A login here that follows the one there. */
  const follow = (
    id: string,
    { settings, handlers }: { settings: LoginSettings; handlers: LoginHandlers },
    start?: object,
  ) => {
    let begun: Promise<unknown> | undefined;
    let cancelled: Promise<unknown> | undefined;
    const send: RemoteCall = async (handler, message, { signal, headers }) => {
      const isStart = handler === "start";
      // A start takes no signal: what it has begun is cancelled.
      const sent = call(id, handler, message, isStart ? { headers } : { signal, headers });
      if (isStart) begun = sent;
      await sent;
      return call(id, "settled", {}, { signal, headers });
    };
    const machine = loginMachine.provide({ actors: createRemoteActors(send, start, { id, sealKey, sealTtl }) });
    const cancel = (): Promise<unknown> => {
      // A login of this name that was not begun here belongs to another caller.
      if (start && !begun) return Promise.resolve();
      // Not before it has begun, or it would begin after that.
      cancelled ??= Promise.allSettled([begun]).then(() => call(id, "cancel"));
      return cancelled;
    };
    const run = new LoginRun({ baseUrl: url }, machine, toRemoteSettings(settings), handlers, cancel);
    run.actor.on("login.cancelled", () => {
      // A fault is reported by the outcome. Without one, the login ends when its time runs out.
      cancel().catch(() => undefined);
    });
    return run;
  };

  function login(options: DurableLoginCall & AnsweringOptions): Promise<EndedOutcome>;
  function login(options: DurableLoginCall & WithoutClients): Promise<LoginOutcomeWithoutClients>;
  function login(options: DurableLoginCall): Promise<LoginOutcome>;
  async function login({ name, ...options }: DurableLoginCall): Promise<LoginOutcome> {
    const id = newId(name);
    const settings = toSettings(options);
    const start = await seal(id, options, settings);
    // The worker has the credentials. Here their place must be filled.
    const fields = { username: secret(id), password: secret(id) };
    const credentials = { id, provider: options.provider, fields };
    return follow(id, { settings, handlers: options }, start).begin({ type: "credentials.submit", credentials });
  }

  function resume(
    login: DurableLoginReference,
    options: DurableResumeOptions & AnsweringHandlers,
  ): Promise<EndedOutcome>;
  function resume(login: DurableLoginReference, options?: DurableResumeOptions): Promise<LoginOutcome>;
  async function resume(
    login: DurableLoginReference,
    { key, ...handlers }: DurableResumeOptions = {},
  ): Promise<LoginOutcome> {
    const named = typeof login === "string" ? login : newId(login.name);
    const id = key === undefined ? named : await openPausedId(named, { keys: key, audience: url });
    const state = await call(id, "settled", {}, { signal: handlers.signal });
    if (state.over) return openOutcome(state, { id, sealKey });
    const paused = toPausedLogin(id, state);
    return follow(id, { settings: paused.settings, handlers }).begin({ type: "login.resume", paused });
  }

  return {
    login,
    resume,
    async start({ name, settings = {}, ...form }, callOptions) {
      const id = newId(name);
      await call(id, "start", await seal(id, form, settings), callOptions);
      return id;
    },
    cancel: (id, callOptions) => call(id, "cancel", undefined, callOptions),
    state: (id, callOptions) => call(id, "state", toLocaleMessage(callOptions), callOptions),
    async wait(id, callOptions) {
      return openOutcome(await call(id, "wait", toLocaleMessage(callOptions), callOptions), { id, sealKey });
    },
  };
}

/**
 * The outcome of a durable login that has ended, as `login()` returns it, its key opened.
 *
 * @throws {BankError} the fault that ended it.
 */
async function openOutcome(
  { state, provider, failure, loggedInAt, key: sealed }: DurableState,
  options: Pick<SealOptions, "id" | "sealKey">,
): Promise<EndedOutcome> {
  const key = sealed === undefined ? undefined : await openSessionKey(sealed, options);
  const known = state === "cancelled" ? "idle" : state;
  return toOutcome({ id: options.id, provider }, { state: known, key, loggedInAt, failure });
}

// Left out, they would fall back to their defaults; a deadline left out is none.
const longest: LoginSettings = {
  answerTimeout: 2 ** 31 - 1,
  interactionLimit: Number.MAX_SAFE_INTEGER,
  repeatLimit: Number.MAX_SAFE_INTEGER,
};

/** JSON has no infinity: what has no end is as long as it can be. */
function finite(settings: LoginSettings): LoginSettings {
  const known = Object.entries(toPlainSettings(settings)).map(([name, value]) => {
    return [name, value === Number.POSITIVE_INFINITY ? longest[name as keyof LoginSettings] : value];
  });
  return Object.fromEntries(known);
}
