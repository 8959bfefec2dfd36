import type { LoginSettings } from "../../../machines/login.types.ts";
import { createInputError } from "../../core/api/input-checks.ts";
import { wait } from "../../core/api/repetition.ts";
import type { ClientEntry } from "../../core/api/responses.ts";
import { type AnswerTexts, type CredentialTexts, toCheckedAnswer, toClientId } from "../../core/login/credentials.ts";
import { type InteractionPrompt, interactionKind } from "../../core/login/interaction-kind.ts";
import { CONFIRMATION_PAUSE } from "../../core/login/login-run.ts";
import { type EndedOutcome, toOutcome } from "../../core/login/outcome.ts";
import { toPlainSettings } from "../../core/login/validation.ts";
import { toLocale } from "../../core/texts/languages.ts";
import { openSessionKey, type SealOptions, sealAnswer, sealCredentials } from "./durable-seals.ts";
import type { DurableState } from "./durable-state.ts";
import { createIngressCall, type DurableLoginClientOptions, parseDurableClientOptions } from "./ingress-call.ts";
import { createLoginId } from "./login-id.ts";

/** What begins a durable login. */
export interface DurableLoginStart extends CredentialTexts {
  /** The caller's name for this login: letters, digits, `_` and `-`, 64 at most. The same name begins no second login. Default: random. */
  readonly name?: string;
  /** How the login behaves. Default: by the contract. */
  readonly settings?: LoginSettings;
}

/** What every call takes. */
export interface DurableCallOptions {
  /** Cancels the call with `request_aborted`; the login continues. */
  readonly signal?: AbortSignal;
  /** The language of a failure's text, a tag. Default `en`. */
  readonly locale?: string;
  /** Headers of this call, such as a `traceparent` for the spans of the worker. Restate journals them. Default none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The state of a durable login, with the kind of its interaction. */
export type DurableLoginState = Omit<DurableState, "interaction"> & {
  /** With `awaitingInteraction`: what the bank asks (contract, section 2.3), and its kind. */
  readonly interaction?: InteractionPrompt;
};

/** The durable logins behind one ingress. Every method rejects with a `BankError` if Restate can't be reached. */
export interface DurableLoginClient {
  /**
   * Begins a login (contract, section 3), and returns its id without waiting for the bank. The credentials are sealed before they are sent.
   *
   * @throws {BankError} `network_failed` if Restate can't be reached: the login may have begun. The same name begins no second one.
   */
  start(form: DurableLoginStart, options?: DurableCallOptions): Promise<string>;
  /** The state now. @throws {BankError} `invalid_input` naming `id` if the login does not exist, or not any more. */
  state(id: string, options?: DurableCallOptions): Promise<DurableLoginState>;
  /** The state as soon as no request runs: the login waits for a person, or has ended. */
  settled(id: string, options?: DurableCallOptions): Promise<DurableLoginState>;
  /**
   * Answers an interaction, and returns the next state, as `settled` does. If the interaction is not open any more, nothing is sent.
   *
   * @param interaction that of the state that the person was shown.
   * @param answer a text, or a text for each of its fields by name. It is sealed before it is sent.
   * @throws {BankError} as `answer` of an outcome; `token_invalid` if the worker can't open the answer, and the interaction stays open.
   */
  answer(
    id: string,
    interaction: InteractionPrompt,
    answer: AnswerTexts,
    options?: DurableCallOptions,
  ): Promise<DurableLoginState>;
  /** Chooses a client, or its id, and returns the next state. */
  choose(id: string, client: ClientEntry | string, options?: DurableCallOptions): Promise<DurableLoginState>;
  /** Cancels the login and its running request. */
  cancel(id: string, options?: DurableCallOptions): Promise<DurableLoginState>;
  /**
   * The outcome of the login, once it has ended. A fault rejects.
   *
   * @throws {BankError} a fault of `docs/errors.md`. `outcome_unknown`: a worker was lost during the request; wait a few minutes,
   * and do not repeat it blindly.
   */
  wait(id: string, options?: DurableCallOptions): Promise<EndedOutcome>;
}

/**
 * A client of the durable logins that `durableLogin` serves. It seals its requests and opens the results, so it belongs
 * on a server, beside the seal key.
 *
 * @throws {BankError} `invalid_input` naming the option.
 * @example
 * const logins = createDurableLoginClient({ ingress: "http://localhost:8080", sealKey });
 * const id = await logins.start({ name: "order-17", provider: "test", username, password });
 * const { interaction } = await logins.settled(id);
 * if (interaction) await logins.answer(id, interaction, code);
 * const outcome = await logins.wait(id);
 */
export function createDurableLoginClient(options: DurableLoginClientOptions): DurableLoginClient {
  const settings = parseDurableClientOptions(options);
  const { sealKey, sealTtl, version } = settings;
  const callIngress = createIngressCall(settings);
  /** @param message `undefined`: the handler takes the caller's language. */
  const call = (
    id: string,
    handler: Parameters<typeof callIngress>[1],
    message?: object,
    options?: DurableCallOptions,
  ) => {
    const { locale, ...callOptions } = options ?? {};
    const language = locale === undefined ? {} : { locale: toLocale(locale) };
    return callIngress(id, handler, message ?? language, callOptions);
  };
  const settle = async (id: string, options?: DurableCallOptions) =>
    withKind(await call(id, "settled", undefined, options));

  return {
    async start({ name, settings = {}, ...form }, options) {
      const id = createLoginId(version, name);
      if (id === undefined) throw createInputError("name", "must be 1 to 64 letters, digits, underscores and hyphens");
      const credentials = await sealCredentials(form, { id, sealKey, sealTtl });
      await call(id, "start", { credentials, settings: finite(settings) }, options);
      return id;
    },
    state: async (id, options) => withKind(await call(id, "state", undefined, options)),
    settled: settle,
    async answer(id, interaction, texts, options) {
      const { answer, isConfirmation, isListed } = toCheckedAnswer(interaction, texts, { answersInVain: undefined });
      const sealed = await sealAnswer({ interaction: interaction.number, answer }, { id, sealKey, sealTtl });
      const kinds = { ...(isConfirmation && { isConfirmation }), ...(isListed && { isListed }) };
      await call(id, "answer", { ...sealed, ...kinds }, options);
      const state = await settle(id, options);
      // The person has not confirmed yet: a program that confirms at once must not flood the bank.
      if (isConfirmation && state.interaction?.isRepeat) await wait(CONFIRMATION_PAUSE, options?.signal);
      return state;
    },
    async choose(id, client, options) {
      await call(id, "choose", { client: toClientId(client) }, options);
      return settle(id, options);
    },
    async cancel(id, { locale: _, ...options } = {}) {
      return withKind(await callIngress(id, "cancel", undefined, options));
    },
    async wait(id, options) {
      return openOutcome(await call(id, "wait", undefined, options), { id, sealKey });
    },
  };
}

/** The state for a person: the kind of an interaction is that of the settings. */
function withKind({ interaction, ...state }: DurableState): DurableLoginState {
  if (!interaction) return state;
  const { provider, settings } = state;
  const { interactionKinds } = settings;
  return { ...state, interaction: { ...interaction, ...interactionKind(interaction, { provider, interactionKinds }) } };
}

/**
 * The outcome of a durable login that has ended, as `login()` returns it, its key opened.
 *
 * @throws {BankError} the fault that ended it.
 */
async function openOutcome(
  { state, provider, failure, loggedInAt = 0, key: sealed }: DurableState,
  options: Pick<SealOptions, "id" | "sealKey">,
): Promise<EndedOutcome> {
  const key = sealed === undefined ? undefined : await openSessionKey(sealed, options);
  const login = { id: options.id, provider };
  if (state === "loggedIn" && key) return { state, ...login, key, loggedInAt };
  if (state === "failed" && failure) return toOutcome(login, { state, ...login, failure, ...(key && { key }) }, {});
  return toOutcome(login, { state: "idle" }, { failure });
}

// Settings that JSON leaves out would get their defaults; a deadline that is left out means none.
const longest: LoginSettings = {
  answerTimeout: 2 ** 31 - 1,
  interactionLimit: Number.MAX_SAFE_INTEGER,
  repeatLimit: Number.MAX_SAFE_INTEGER,
};

/** JSON has no infinity: unlimited times become the longest possible. */
function finite(settings: LoginSettings): LoginSettings {
  const known = Object.entries(toPlainSettings(settings)).map(([name, value]) => {
    return [name, value === Number.POSITIVE_INFINITY ? longest[name as keyof LoginSettings] : value];
  });
  return Object.fromEntries(known);
}
