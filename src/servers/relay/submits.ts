import { KEY_HEADER } from "../../core/api/bank-request.ts";
import type { BankError } from "../../core/api/errors.ts";
import type { LoginResponse } from "../../core/api/responses.ts";
import { reveal } from "../../core/api/reveal.ts";
import { secret } from "../../core/api/secret.ts";
import { isOneOf, toAccountName } from "../../core/login/credentials.ts";
import { interactionKind } from "../../core/login/interaction-kind.ts";
import type { KeyRing } from "../../core/tokens/sealed-token.ts";
import { type BankCallOptions, sendChoice, sendLogin, sendLogout } from "../kept/bank-calls.ts";
import type { KeptLogins, Prepared, SubmitOutcome } from "../kept/kept-logins.ts";
import type { BankResponse, KeptEnd, KeptStep, NewSubmit, SubmitKind } from "../kept/kept-row.ts";
import type { Kept } from "../kept/kept-rows.ts";
import type { LoginForm } from "./browser-input.ts";
import { checkRateLimit } from "./rate-limit.ts";
import { isProviderCode } from "./relay-call.ts";
import { type FaultSubject, reportError } from "./relay-events.ts";
import type { RelaySettings } from "./relay-options.ts";
import {
  invalidKey,
  isRefusal,
  missingParams,
  outcomeUnknown,
  providerDoesntExist,
  type RelayResponse,
  rateLimited,
  respond,
  stillWorking,
  tooManySubmits,
  toRefusalResponse,
  unknownSubmit,
  wrongClient,
} from "./relay-responses.ts";
import { type IncomingRequest, readForm } from "./request-checks.ts";
import { readStepNumber, toStepResponse } from "./step-response.ts";

/** Milliseconds in which the service has to describe a bank's fields, before an answer. */
const PROVIDER_TIMEOUT = 3_000;

/** Called with the bank's response to a form. The page gets its response afterwards. */
export type LoginWatch = (response: LoginResponse) => Promise<void>;

/** What a relay and a hosted login decide in their own way about submits. */
export interface SubmitRules<Data> {
  /** Whether the person can choose another bank: then no refusal is final. */
  isBankFree(kept: Kept<Data>): boolean;
  toSubject(kept: Kept<Data>, login: string): FaultSubject;
  /** Why a login refuses such a form. */
  checkForm(kept: Kept<Data>, form: LoginForm, kind: "credentials" | "answer"): RelayResponse | undefined;
  /** Called before a login is claimed. */
  prepareLogin?(kept: Kept<Data>, form: LoginForm): Promise<LoginWatch | RelayResponse | undefined>;
  /** Receives a session before its login has ended with it. @returns the end of the login. */
  handOver?(
    kept: Kept<Data>,
    session: Extract<BankResponse, { kind: "session" }>,
    request: Request,
  ): Promise<BankResponse>;
  /** The response to a page after the end of a login. */
  toEnd(end: KeptEnd, submit: Pick<NewSubmit, "number" | "kind">): RelayResponse;
  /** The response to a page that asks for an unknown login. */
  readonly gone: RelayResponse;
}

export interface SubmitName<Data> {
  readonly kept: Kept<Data>;
  readonly holder: string;
  readonly number: number;
  /** The id of the login in the log, if the submit begins one. */
  readonly login: string;
  readonly caller: string | undefined;
}

/** The requests of pages that are sent to the bank once: the checks before the claim, the request, and the response to the page. */
export function createSubmits<Data>(
  settings: RelaySettings,
  { logins, rules }: { readonly logins: KeptLogins<Data>; readonly rules: SubmitRules<Data> },
) {
  const { client, keys, environment } = settings;

  /** Whether an answer says that the person has confirmed elsewhere. */
  async function isConfirmed({ interaction }: KeptStep, { provider, others }: LoginForm): Promise<boolean> {
    if (!interaction || interactionKind(interaction).kind !== "confirmation") return false;
    // The description of the bank's fields decides, which was cached when the form was shown. The answer does not wait for a slow service to repeat it.
    const signal = AbortSignal.timeout(PROVIDER_TIMEOUT);
    const read = await client.getProvider(provider, { signal }).catch(() => undefined);
    const kind = interactionKind(interaction, {
      provider,
      ...(read?.status === "success" && { detail: read.provider }),
    });
    if (kind.kind !== "confirmation") return false;
    return interaction.fields.every((field) => {
      const text = others[field];
      return text !== undefined && isOneOf(text, [kind.answer]);
    });
  }

  async function submit(
    incoming: IncomingRequest,
    { kept, holder, number, login, caller }: SubmitName<Data>,
  ): Promise<{ response: RelayResponse; kept: Kept<Data>; kind: SubmitKind; form?: LoginForm }> {
    const { route, request, parameter } = incoming;
    const step = request.headers.get(KEY_HEADER);
    const kind = toKind(route.template, step !== null);
    const read = await readForm(incoming, kind === "answer");
    if (isRefusal(read)) return { response: read, kept, kind };
    const { form, text } = read;
    const end = (response: RelayResponse, changed = kept) => ({ response, kept: changed, kind, ...(form && { form }) });
    let fault: BankError | undefined;
    if (form && !isProviderCode(form.provider)) return end(providerDoesntExist);

    const watched: Promise<void>[] = [];
    const name = (current: Kept<Data>) => (kind === "credentials" ? login : (current.row.login ?? login));
    const toBankCall = (current: Kept<Data>): BankCallOptions => ({
      client,
      logout: settings.logout,
      isBankFree: rules.isBankFree(current),
      onFault: (thrown: BankError) => {
        fault = thrown;
        reportError(settings, thrown, rules.toSubject(current, name(current)));
      },
    });
    const withHandOver = async (current: Kept<Data>, sent: Promise<BankResponse>): Promise<BankResponse> => {
      const response = await sent;
      if (response.kind !== "session" || !rules.handOver) return response;
      return rules.handOver(current, response, request);
    };

    async function checkUser(form: LoginForm): Promise<number> {
      const { rateLimit } = settings;
      if (rateLimit === false) return 0;
      return checkRateLimit(rateLimit, { caller, kind: "user", user: await fingerprintUser(form, keys) });
    }

    async function prepareLogin(current: Kept<Data>, form: LoginForm): Promise<Prepared | RelayResponse> {
      const wait = await checkUser(form);
      if (wait > 0) return rateLimited(wait, "user_limited");
      const watch = await rules.prepareLogin?.(current, form);
      if (typeof watch === "object") return watch;
      const onResponse = (response: LoginResponse) => watch && watched.push(watch(response));
      const options = { ...toBankCall(current), onResponse };
      return { send: () => withHandOver(current, sendLogin(options, form)) };
    }

    async function prepareAnswer(current: Kept<Data>, form: LoginForm, step: KeptStep): Promise<Prepared> {
      const isConfirmation = await isConfirmed(step, form);
      const answerKind = isConfirmation ? (step.isApproved ? "approval" : "confirmation") : undefined;
      const send = () => withHandOver(current, sendLogin(toBankCall(current), form, step));
      return { send, ...(answerKind && { answerKind }) };
    }

    /** Only a client that the bank lists is sent. */
    async function prepareChoice(current: Kept<Data>, step: KeptStep): Promise<Prepared | RelayResponse> {
      const listed = await client.listClients(secret(step.key));
      if (listed.status !== "success") return toRefusalResponse(listed);
      if (!listed.clients.some((one) => one.id === parameter)) return wrongClient;
      return { send: () => withHandOver(current, sendChoice(toBankCall(current), parameter, step)) };
    }

    async function prepare(current: Kept<Data>): Promise<Prepared | RelayResponse> {
      const { step, key = step?.key } = current.row;
      if (kind === "logout")
        return key === undefined ? invalidKey : { send: () => sendLogout(toBankCall(current), key) };
      if (kind === "client") return step ? prepareChoice(current, step) : invalidKey;
      if (!form) return missingParams;
      const refusal = rules.checkForm(current, form, kind);
      if (refusal) return refusal;
      if (kind === "credentials") return prepareLogin(current, form);
      return step ? prepareAnswer(current, form, step) : invalidKey;
    }

    const newSubmit: NewSubmit = {
      number,
      kind,
      provider: form?.provider ?? kept.row.last?.provider ?? "",
      step: step === null ? undefined : readStepNumber(step),
      digests: await keys.signAll(`ventanilla-submit-1 ${JSON.stringify([kind, step, parameter, text])}`),
    };
    const outcome = await logins.submit(kept, newSubmit, { login, holder, signal: request.signal, prepare });
    await Promise.all(watched);
    const response = toPage(outcome, newSubmit);
    // The page learns that the result is unknown, the log why.
    const named = response === outcomeUnknown && fault ? { ...response, reason: fault.code } : response;
    return end(named, "kept" in outcome ? outcome.kept : kept);
  }

  /** The page's response to a submit. A key of the bank never leaves the server. */
  function toPage(outcome: SubmitOutcome<Data>, submit: Pick<NewSubmit, "number" | "kind">): RelayResponse {
    const toStep = (step: KeptStep) => toStepResponse(step, environment.now());
    switch (outcome.kind) {
      case "ended":
        return rules.toEnd(outcome.end, submit);
      case "step":
        return toStep(outcome.step);
      case "responded": {
        const { response, step } = outcome;
        return step ? { ...response, body: { ...response.body, key: toStep(step).body?.["key"] } } : response;
      }
      case "response":
        return outcome.response;
      case "unknown":
        return outcomeUnknown;
      case "unsent":
        return unknownSubmit;
      case "stepless":
        return invalidKey;
      case "limited":
        return tooManySubmits;
      case "late":
        return stillWorking;
      case "gone":
        return rules.gone;
    }
  }

  return { submit, toPage };
}

function toKind(template: string, hasKey: boolean): SubmitKind {
  if (template === "GET /client/{id}/") return "client";
  if (template === "GET /logout/") return "logout";
  return hasKey ? "answer" : "credentials";
}

/** The page's response at the successful end of a login. */
export const toReached = ({ kind }: Pick<NewSubmit, "kind">, key: string): RelayResponse =>
  respond(kind === "client" ? "success" : "logged_in", { key });

/**
 * Distinguishes a bank's users without their names. Keyed with the seal key: all instances agree, and names can't be guessed without it. One account has one
 * fingerprint however its name is written, since many banks ignore case, dots and dashes.
 */
export const fingerprintUser = (
  { provider, username }: Pick<LoginForm, "provider" | "username">,
  keys: KeyRing,
): Promise<string> => keys.sign(`ventanilla-relay-user-1 ${provider} ${toAccountName(reveal(username))}`);
