import { fromPromise } from "xstate";
import type {
  AnswerRequest,
  ApprovalOutput,
  ApprovalRequest,
  CheckFieldsOutput,
  CloseSessionOutput,
  Credentials,
  CredentialsRequest,
  FieldsRequest,
  ListClientsOutput,
  LoginActors,
  LoginSettings,
  Refused,
  ResumeRequest,
  SelectClientOutput,
  SessionRequest,
  SubmitOutput,
} from "../../../machines/login.types.ts";
import { ANSWER_TIMEOUT } from "../../../machines/next-interaction.ts";
import { isUnreceived, never } from "../../../machines/slots.ts";
import { type BankClient, isRelayClient } from "../api/client.ts";
import type { CallOptions } from "../api/client-options.ts";
import { BankError, toBankError, toFailure, wrapThrown } from "../api/errors.ts";
import { NOT_RECEIVED } from "../api/failures.ts";
import { formatToken, parseLoginName } from "../api/relay-login.ts";
import type { CountedInteraction, InteractionRequired, LoginResponse } from "../api/responses.ts";
import { isFromElsewhere } from "../api/wire-response.ts";
import { toAnswer } from "./credentials.ts";
import { interactionKind } from "./interaction-kind.ts";
import { assertPresent, request, requestOnce, toRefused } from "./invoked-requests.ts";
import type { RememberingClient } from "./known-refusals.ts";
import { checkSettings, findFieldFault, findOnlyField } from "./validation.ts";

/** Milliseconds. A refused login that has just read the fields does not read them again. */
const JUST_READ = 1_000;
// What a relay does not get: its record has the username and the password.
const IN_THE_RECORD = "in-the-record";

/** Fills the slots of the login statechart with a client's requests. */
export function loginActors(
  client: BankClient & Partial<Pick<RememberingClient, "findRefusal">>,
): Omit<LoginActors, "waitUntil"> {
  const { baseUrl } = client;
  return {
    checkFields: requestOnce<CheckFieldsOutput, FieldsRequest>(
      { request: "GET /provider/{code}/", baseUrl },
      async ({ input, call }) => {
        // Those of an actor that a program has created itself. `login()` checks them before anything else.
        checkSettings(input.settings);
        const credentials = assertPresent("credentials", input.credentials);
        const { provider, fields } = credentials;
        // Before the read, so that nothing is sent. `client.login` asks again.
        const known = await client.findRefusal?.({ ...fields, provider });
        if (known) return toRefused(known);
        return checkFields(client, credentials, call).catch((error: unknown) => {
          const fault = wrapThrown(error);
          // It gets no password.
          if (isFromElsewhere(fault)) return { status: "refused", failure: toFailure(fault) };
          throw fault;
        });
      },
      // The login may have been sent since the snapshot of this read was stored.
      async () => ({
        status: "refused",
        failure: toFailure(new BankError("outcome_unknown", { request: "POST /login/", baseUrl })),
      }),
    ),

    submitCredentials: requestOnce<SubmitOutput, CredentialsRequest>(
      { request: "POST /login/", baseUrl },
      async ({ input, call }) => {
        checkSettings(input.settings);
        const { id, token, credentials } = input;
        const { provider, fields } = assertPresent("credentials", credentials);
        const response = await client.login({ ...fields, provider }, { ...call, login: { id, token } });
        return toSubmitOutput(client, response, { ...input, provider }, call);
      },
    ),

    submitAnswer: requestOnce<SubmitOutput, AnswerRequest>(
      { request: "POST /login/", baseUrl },
      async ({ input, call }) => {
        const { provider, credentials, key, answer } = input;
        const interaction = assertPresent("interaction", input.interaction);
        // The same provider, username and password with the interactive field or fields, and nothing else (contract, section 3).
        const { username, password } = isRelayClient(client)
          ? { username: IN_THE_RECORD, password: IN_THE_RECORD }
          : assertPresent("credentials", credentials).fields;
        const fields = { ...toAnswer(interaction, assertPresent("answer", answer)), provider, username, password };
        const sent = client.login(fields, { ...call, key: assertPresent("key", key) });
        return sent.then((response) => toSubmitOutput(client, response, input, call), toUnsent);
      },
    ),

    resume: request<SubmitOutput, ResumeRequest>({ request: "GET /submit/", baseUrl }, ({ input, call }) =>
      resume(client, input, call),
    ),

    listClients: request<ListClientsOutput, SessionRequest>(
      { request: "GET /client/", baseUrl },
      async ({ input, call }) => {
        const response = await client.listClients(assertPresent("key", input.key), call);
        if (response.status !== "success") return toRefused(response);
        return { status: "success", clients: response.clients, expiresAt: toExpiry(input.settings) };
      },
    ),

    selectClient: requestOnce<SelectClientOutput, SessionRequest>(
      { request: "GET /client/{id}/", baseUrl },
      async ({ input, call }) => {
        const sent = client.selectClient(assertPresent("key", input.key), assertPresent("client", input.client), call);
        const response = await sent.catch(toUnsent);
        if (!("wire" in response) && response.status === "refused") return response;
        if (response.status !== "success") return toRefused(response);
        return { status: "success", ...(response.key && { key: response.key }), loggedInAt: Date.now() };
      },
    ),

    closeSession: requestOnce<CloseSessionOutput, SessionRequest>(
      { request: "GET /logout/", baseUrl },
      async ({ input, call }) => {
        const response = await client.logout(assertPresent("key", input.key), call);
        return response.status === "logged_out" ? response : toRefused(response);
      },
    ),

    // A read, which may be asked again: nothing is sent to the bank. The deadline of the interaction ends it.
    awaitApproval: client.awaitApproval
      ? fromPromise<ApprovalOutput, ApprovalRequest>(({ input, signal }) =>
          awaitApproval(client, input, signal).catch((error: unknown) => {
            // An error of the caller's method can have a key that is a plain text: only what we write ourselves is passed on.
            throw toBankError(toFailure(wrapThrown(error)));
          }),
        )
      : never(),
  };
}

/** What a relay has not got is refused, and can be sent again. @throws {BankError} any other fault. */
function toUnsent(error: unknown): Refused {
  const fault = wrapThrown(error);
  if (!isUnreceived(fault)) throw fault;
  return { status: "refused", failure: toFailure(fault), ...(fault.key && { key: fault.key }) };
}

/**
 * Reads the bank's fields before the login (contract, section 4.1). A bank may have changed them since they were kept: before the login is
 * refused, they are read again.
 *
 * @returns `refused`, if no bank has the code, or a field is missing, unknown or has a value that the bank does not list.
 * @throws {BankError} a fault of the read.
 */
async function checkFields(
  client: BankClient,
  credentials: Credentials,
  call: CallOptions,
): Promise<CheckFieldsOutput> {
  const kept = await client.getProvider(credentials.provider, call);
  // A service without this operation says anything. It is the service.
  if (kept.status === "unexpected_status") {
    throw new BankError("response_against_contract", {
      request: "GET /provider/{code}/",
      httpStatus: kept.httpStatus,
      field: "status",
    });
  }
  if (kept.status !== "success") return toRefused(kept);
  if (!findFieldFault(kept.provider, credentials)) return { status: "success" };
  const fresh = await client.getProvider(credentials.provider, { ...call, maxAge: JUST_READ });
  if (fresh.status !== "success") return toRefused(fresh);
  const fault = findFieldFault(fresh.provider, credentials);
  return fault ? { status: "refused", failure: toFailure(fault) } : { status: "success" };
}

/** A relay says it with each interaction. Any other client has the method or not. */
function canAwaitApproval(client: BankClient, question: Pick<InteractionRequired, "awaitsApproval">): boolean {
  return isRelayClient(client) ? question.awaitsApproval === true : client.awaitApproval !== undefined;
}

/**
 * Waits for the approval in the bank's app, if the client can and the bank asks for a confirmation. A bank that asks again after an approval
 * is not asked once more: the login would never end.
 *
 * @throws {BankError} a fault of the client.
 */
async function awaitApproval(client: BankClient, input: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutput> {
  const unending = new Promise<never>(() => {});
  const { interaction, provider, settings } = input;
  if (!client.awaitApproval || !interaction || interaction.approvalSent || !canAwaitApproval(client, interaction)) {
    return unending;
  }
  // Kept since the form was shown, mostly.
  const read = await client.getProvider(provider, { signal }).catch(() => undefined);
  const detail = read?.status === "success" ? read.provider : undefined;
  const kind = interactionKind(interaction, { detail, provider, interactionKinds: settings.interactionKinds });
  if (kind.kind !== "confirmation") return unending;
  const { status } = await client.awaitApproval(assertPresent("key", input.key), { signal });
  if (status === "denied" || status === "expired") return { status };
  if (status !== "approved") throw new BankError("response_against_contract", { field: "status" });
  const answers = interaction.fields.map((field) => [field, kind.answer] as const);
  return { status, answer: toAnswer(interaction, Object.fromEntries(answers)) };
}

/**
 * Asks a relay for the state of a login whose page was left.
 *
 * @throws {BankError} `network_failed`, if its last submit did not arrive: the bank has got nothing.
 */
async function resume(client: BankClient, input: ResumeRequest, call: CallOptions): Promise<SubmitOutput> {
  const name = { request: "POST /login/", baseUrl: client.baseUrl } as const;
  // Only a relay keeps logins.
  if (!isRelayClient(client)) throw new BankError("outcome_unknown", name);
  const { id, token, last } = parseLoginName({ id: input.id, token: assertPresent("token", input.token) });
  // An answer that did not arrive leaves the step before it.
  for (const number of [last, last - 1]) {
    const response =
      number < 0 ? undefined : await client.readLogin({ id, token: formatToken({ token, last: number }) }, call);
    if (response && response.status !== "unknown_submit") return toSubmitOutput(client, response, input, call);
  }
  throw new BankError("network_failed", { ...name, detail: NOT_RECEIVED });
}

type SubmitScope = Pick<AnswerRequest, "settings" | "provider"> & Partial<Pick<AnswerRequest, "key">>;

/** Keeps the members that the statechart knows: an unknown member of a response could contain anything. */
async function toSubmitOutput(
  client: BankClient,
  response: LoginResponse,
  input: SubmitScope,
  call: CallOptions,
): Promise<SubmitOutput> {
  switch (response.status) {
    case "logged_in":
      return { status: response.status, ...(response.key && { key: response.key }), loggedInAt: Date.now() };
    case "select_client":
      return { status: response.status, ...(response.key && { key: response.key }) };
    case "interaction_required": {
      const { status, fields, context, key, counted } = response;
      const awaitsApproval = canAwaitApproval(client, response);
      return {
        status,
        field: response.field ?? (await findOnlyField(client, response, input, call)),
        ...(fields && { fields }),
        context,
        expiresAt: toExpiry(input.settings, counted?.timeLeft),
        ...(key && { key }),
        ...(counted && { counted: toCount(counted) }),
        ...(awaitsApproval && { awaitsApproval }),
      };
    }
    default:
      return toRefused(response);
  }
}

const toCount = ({ timeLeft: _, ...counted }: CountedInteraction) => counted;

/** @param timeLeft milliseconds that a relay leaves for it. */
function toExpiry(
  { answerTimeout = ANSWER_TIMEOUT, deadline = Number.POSITIVE_INFINITY }: LoginSettings,
  timeLeft = Number.POSITIVE_INFINITY,
): number | undefined {
  const time = Math.min(Number(deadline), Date.now() + Math.min(answerTimeout, timeLeft));
  return Number.isFinite(time) ? time : undefined;
}
