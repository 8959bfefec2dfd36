import { KEY_HEADER } from "../../core/api/bank-request.ts";
import { BankError } from "../../core/api/errors.ts";
import { secret } from "../../core/api/secret.ts";
import { isOneOf } from "../../core/login/credentials.ts";
import { interactionKind } from "../../core/login/interaction-kind.ts";
import { createRefusals, toRefusal } from "../../core/login/known-refusals.ts";
import type { KeyRing } from "../../core/tokens/sealed-token.ts";
import { type BankCallOptions, isUsername, sendChoice, sendLogin, sendLogout } from "../kept/bank-calls.ts";
import type { KeptLogins, Prepared, SubmitOutcome } from "../kept/kept-logins.ts";
import type { KeptStep, NewSubmit, SubmitKind } from "../kept/kept-row.ts";
import { ATTEMPT_HEADER } from "../relay/attempts.ts";
import type { LoginForm } from "../relay/browser-input.ts";
import { checkRateLimit } from "../relay/rate-limit.ts";
import { isProviderCode } from "../relay/relay-call.ts";
import { reportError } from "../relay/relay-events.ts";
import type { RelaySettings } from "../relay/relay-options.ts";
import {
  invalidKey,
  isRefusal,
  missingParams,
  notSignedIn,
  outcomeUnknown,
  providerDoesntExist,
  type RelayResponse,
  rateLimited,
  respond,
  toFaultResponse,
  toRefusalResponse,
  unknownAttempt,
  wrongClient,
} from "../relay/relay-responses.ts";
import { type Arrival, readSubmission } from "../relay/request-checks.ts";
import { fingerprintUser } from "../relay/sealed-keys.ts";
import type { HostedSettings } from "./hosted-options.ts";
import { readStepNumber, toStepResponse } from "./page-login.ts";
import type { Session, SessionDoor } from "./session-row.ts";

/** Milliseconds in which the service has to say what a bank's fields are, before an answer. */
const PROVIDER_TIMEOUT = 3_000;

/** The session that a request is about, and the browser that it comes from. */
export interface Own {
  readonly session: Session;
  readonly browser: string;
}

/** What pages send to the bank once: what is checked before the claim, what is sent, and what the page gets. */
export function createPageSubmits(
  settings: HostedSettings,
  {
    logins,
    keys,
    relay,
  }: { readonly logins: KeptLogins<SessionDoor>; readonly keys: KeyRing; readonly relay: RelaySettings },
) {
  const { client } = settings;
  const refusals = settings.refusals && createRefusals(client, { onError: reportRefusals, ...settings.refusals });

  function reportRefusals(fault: BankError): void {
    reportError(settings, fault, { id: crypto.randomUUID() });
  }

  /** Why a session takes no such login. Nothing was sent. */
  function checkBinding({ row: { door } }: Session, { provider, username }: LoginForm): RelayResponse | undefined {
    if (door.provider !== undefined && door.provider !== provider) return unauthorizedProvider;
    if (!door.bindUsername || door.username === undefined) return undefined;
    return isUsername(username, door.username) ? undefined : otherUsername;
  }

  /** Whether an answer says that the person has confirmed elsewhere. */
  async function isConfirmed({ interaction }: KeptStep, { provider, others }: LoginForm): Promise<boolean> {
    if (!interaction || interactionKind(interaction).kind !== "confirmation") return false;
    // It has the bank's word for it, and is kept since the form was shown. The answer does not wait for a service that is slow to say it again.
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

  function createBankCall({ id, row }: Session, login = row.login ?? id): BankCallOptions {
    const onFault = (fault: BankError) => reportError(settings, fault, { id: login, session: id });
    return { client, logout: settings.logout === true, isBankFree: row.door.provider === undefined, onFault };
  }

  async function prepareLogin(
    session: Session,
    form: LoginForm,
    {
      login,
      caller,
      noted,
    }: { readonly login: string; readonly caller: string | undefined; readonly noted: Promise<void>[] },
  ): Promise<Prepared | RelayResponse> {
    const refusal = checkBinding(session, form);
    if (refusal) return refusal;
    const attempt = { caller, kind: "user", user: await fingerprintUser(form, relay) } as const;
    const wait = await checkRateLimit(relay.rateLimit, attempt);
    if (wait > 0) return rateLimited(wait, "user_limited");
    const { provider, username, password, others } = form;
    const known = await refusals?.find({ ...others, provider, username, password });
    const isIgnored = session.row.door.ignoreKnownRefusal || session.row.door.warnedOf === known?.refusedAt;
    const knownRefusal = known && !isIgnored && toRefusal(known);
    if (knownRefusal) {
      // The person who sends the same form once more sends it all the same.
      const warn = (row: Session["row"]) => ({
        ...row,
        door: { ...row.door, isOpened: true as const, warnedOf: knownRefusal.refusedAt ?? 0 },
      });
      await logins.change(session, warn);
      return toRefusalResponse(knownRefusal);
    }
    return {
      send: () =>
        sendLogin(
          {
            ...createBankCall(session, login),
            onResponse: (response) =>
              known && noted.push(refusals?.note(provider, known, response) ?? Promise.resolve()),
          },
          form,
        ),
    };
  }

  async function prepareAnswer(session: Session, form: LoginForm): Promise<Prepared | RelayResponse> {
    const refusal = checkBinding(session, form);
    if (refusal) return refusal;
    const { step } = session.row;
    if (!step) return invalidKey;
    const isConfirmation = await isConfirmed(step, form);
    const answerKind = isConfirmation ? (step.isApproved ? "approval" : "confirmation") : undefined;
    return { send: () => sendLogin(createBankCall(session), form, step), ...(answerKind && { answerKind }) };
  }

  /** Only a client that the bank lists is sent. */
  async function prepareChoice(session: Session, id: string): Promise<Prepared | RelayResponse> {
    const { step } = session.row;
    if (!step) return invalidKey;
    const listed = await client.listClients(secret(step.key));
    if (listed.status !== "success") return toRefusalResponse(listed);
    if (!listed.clients.some((one) => one.id === id)) return wrongClient;
    return { send: () => sendChoice(createBankCall(session), id, step) };
  }

  async function prepareLogout(session: Session): Promise<Prepared | RelayResponse> {
    const { step } = session.row;
    return step ? { send: () => sendLogout(createBankCall(session), step) } : invalidKey;
  }

  /** What a page gets of a submit. Its session key never leaves the server. */
  function toPage(
    outcome: SubmitOutcome<SessionDoor>,
    { number, kind }: Pick<NewSubmit, "number" | "kind">,
  ): RelayResponse {
    switch (outcome.kind) {
      case "ended": {
        const isReached = outcome.end.status === "logged_in" && number <= (outcome.end.number ?? 0);
        return isReached ? respond(kind === "client" ? "success" : "logged_in", { key: "session" }) : notSignedIn;
      }
      case "step":
        return toStepResponse(outcome.step);
      case "responded": {
        const { response, step } = outcome;
        return step ? { ...response, body: { ...response.body, key: toStepResponse(step).body?.["key"] } } : response;
      }
      case "response":
        return outcome.response;
      case "unknown":
        return outcomeUnknown;
      case "unsent":
        return unknownAttempt;
      case "stepless":
        return invalidKey;
      case "limited":
        return tooManySubmits;
      case "late":
        return stillWorking;
      case "gone":
        return notSignedIn;
    }
  }

  async function readNewSubmit(
    { request, parameter }: Arrival,
    kind: SubmitKind,
    { number, form, text }: { readonly number: number; readonly form: LoginForm | undefined; readonly text: string },
    { row }: Session,
  ): Promise<NewSubmit> {
    const name = request.headers.get(KEY_HEADER);
    const provider = form?.provider ?? row.last?.provider ?? "";
    const digests = await keys.signAll(`ventanilla-submit-1 ${JSON.stringify([kind, name, parameter, text])}`);
    return { number, kind, provider, step: name === null ? undefined : readStepNumber(name), digests };
  }

  async function submit(
    arrival: Arrival,
    { session, browser }: Own,
    { number, caller }: { readonly number: number; readonly caller: string | undefined },
  ): Promise<{ response: RelayResponse; session: Session; isAnswer: boolean }> {
    const { route, request, parameter } = arrival;
    const kind = toKind(route.template, request.headers.has(KEY_HEADER));
    const end = (response: RelayResponse, changed = session) => ({
      response,
      session: changed,
      isAnswer: kind === "answer",
    });
    const submission = await readSubmission(arrival);
    if (isRefusal(submission)) return end(submission);
    const { form, text } = submission;
    if (form && !isProviderCode(form.provider)) return end(providerDoesntExist);
    const newSubmit = await readNewSubmit(arrival, kind, { number, form, text }, session);
    const noted: Promise<void>[] = [];
    const login = request.headers.get(ATTEMPT_HEADER)?.slice(0, 36) ?? session.id;
    const prepare = (current: Session): Promise<Prepared | RelayResponse> => {
      if (kind === "client") return prepareChoice(current, parameter);
      if (kind === "logout") return prepareLogout(current);
      if (!form) return Promise.resolve(missingParams);
      return kind === "answer" ? prepareAnswer(current, form) : prepareLogin(current, form, { login, caller, noted });
    };
    const outcome = await logins.submit(session, newSubmit, {
      login,
      holder: browser,
      signal: request.signal,
      prepare,
    });
    await Promise.all(noted);
    return end(toPage(outcome, newSubmit), "kept" in outcome ? outcome.kept : session);
  }

  return { submit, toPage };
}

/** What a request is, of those that are sent once. */
function toKind(template: string, hasKey: boolean): SubmitKind {
  if (template === "GET /client/{id}/") return "client";
  if (template === "GET /logout/") return "logout";
  return hasKey ? "answer" : "credentials";
}

/** Not yet known. */
export const stillWorking: RelayResponse = toFaultResponse(new BankError("service_unavailable"), false);
const unauthorizedProvider = respond("error", { message: "Unauthorized provider" }, 403);
const otherUsername = respond("username_differs", {}, 403);
const tooManySubmits: RelayResponse = { httpStatus: 429, body: { error: "rate_limited" }, reason: "session_limited" };
