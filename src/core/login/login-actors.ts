import type { AnyActor, AnyActorRef } from "xstate";
import type {
  CloseSessionOutput,
  Credentials,
  ListClientsOutput,
  LoginActors,
  LoginRequest,
  LoginSettings,
  SelectClientOutput,
  SessionRequest,
  SubmitCredentialsOutput,
} from "../../../machines/login.types.ts";
import type { BankClient } from "../api/client.ts";
import type { CallOptions } from "../api/client-options.ts";
import { BankError } from "../api/errors.ts";
import { isAnswerName } from "../api/input-checks.ts";
import { NO_PICTURE } from "../api/picture.ts";
import type { Refusal } from "../api/refusals.ts";
import type { InteractionRequired, LoginResponse } from "../api/responses.ts";
import { toAnswer } from "./credentials.ts";
import { callOptions, needed, request, toRefused } from "./invoked-requests.ts";
import { checkSettings, findFieldFault } from "./validation.ts";
import { waitUntil } from "./wait-until.ts";

const ANSWER_TIMEOUT = 300_000;

/** Milliseconds. A refused login that has just read the fields does not read them again. */
const JUST_READ = 1_000;
// What a relay does not read: it has the username and the password in the key of the question.
const IN_THE_KEY = "in-the-key";

const begun = new WeakSet<AnyActorRef>();

/** Fills the slots of the login statechart with a client's requests. */
export function loginActors(client: BankClient): LoginActors {
  // XState invokes a request again if its actor is started again or restored from a snapshot.
  const beginOnce = (self: AnyActorRef, path: string): void => {
    const isRestored = (self as AnyActor).options.snapshot !== undefined;
    if (isRestored || begun.has(self))
      throw new BankError("outcome_unknown", { request: path, baseUrl: client.baseUrl });
    begun.add(self);
  };

  return {
    submitCredentials: request<SubmitCredentialsOutput, LoginRequest>(async ({ input, signal, self }) => {
      if (input.isResponseLost) return recoverLogin(client, input, signal);
      beginOnce(self, "POST /login/");
      const { settings, provider, interaction, answer, key, attemptId, sessionReplaced } = input;
      const call = { ...callOptions(input, signal), ...(attemptId !== undefined && { attemptId }) };
      if (interaction) {
        // The same provider, username and password with the interactive field or fields, and nothing else (contract, section 3).
        const { username, password } = interaction.isResumable
          ? { username: IN_THE_KEY, password: IN_THE_KEY }
          : needed("credentials", input.credentials).fields;
        const answers = toAnswer(interaction, needed("answer", answer));
        const fields = { ...answers, provider, username, password };
        const response = await client.login(fields, { ...call, key: needed("key", key) });
        return toSubmitOutput(await nameField(client, response, input, call), input);
      }
      const credentials = needed("credentials", input.credentials);
      // Those of an actor that a program has created itself. `login()` checks them before anything else.
      checkSettings(settings);
      if ((settings.validate ?? true) && !sessionReplaced) {
        const refusal = await checkFields(client, credentials, call);
        if (refusal) return toRefused(refusal);
      }
      const response = await client.login({ ...credentials.fields, provider }, call);
      return toSubmitOutput(await nameField(client, response, input, call), input);
    }),

    listClients: request<ListClientsOutput, SessionRequest>(async ({ input, signal }) => {
      const response = await client.listClients(needed("key", input.key), callOptions(input, signal));
      if (response.status !== "success") return toRefused(response);
      return { status: "success", clients: response.clients, expiresAt: toExpiry(input.settings) };
    }),

    selectClient: request<SelectClientOutput, SessionRequest>(async ({ input, signal, self }) => {
      beginOnce(self, "GET /client/{id}/");
      const [key, chosen] = [needed("key", input.key), needed("client", input.client)];
      const response = await client.selectClient(key, chosen, callOptions(input, signal));
      if (response.status !== "success") return toRefused(response);
      return { status: "success", ...(response.key && { key: response.key }) };
    }),

    closeSession: request<CloseSessionOutput, SessionRequest>(async ({ input, signal, self }) => {
      beginOnce(self, "GET /logout/");
      const response = await client.logout(needed("key", input.key), callOptions(input, signal));
      return response.status === "logged_out" ? response : toRefused(response);
    }),

    waitUntil,
  };
}

/**
 * Reads the bank's fields before the login (contract, section 4.1). A bank may have changed them since they were kept: before the login is
 * refused, they are read again.
 *
 * @returns the refusal of the bank's code.
 * @throws {BankError} `missing_field` or `unknown_field`, naming the field; a fault of the read.
 */
async function checkFields(
  client: BankClient,
  credentials: Credentials,
  call: CallOptions,
): Promise<Refusal | undefined> {
  const kept = await client.getProvider(credentials.provider, call);
  if (kept.status !== "success") return kept;
  if (!findFieldFault(kept.provider, credentials)) return undefined;
  const fresh = await client.getProvider(credentials.provider, { ...call, maxAge: JUST_READ });
  if (fresh.status !== "success") return fresh;
  const fault = findFieldFault(fresh.provider, credentials);
  if (fault) throw fault;
  return undefined;
}

/**
 * Asks a relay how a submit has ended whose response its page has lost.
 *
 * @returns `not_sent` if an answer did not arrive: the relay takes it no more, and the bank still waits for one.
 * @throws {BankError} `request_aborted`, if a login did not arrive.
 */
async function recoverLogin(
  client: BankClient,
  input: LoginRequest,
  signal: AbortSignal,
): Promise<SubmitCredentialsOutput> {
  const call = callOptions(input, signal);
  const name = { request: "POST /login/", baseUrl: client.baseUrl };
  // Only a relay knows of attempts.
  if (!client.readAttempt) throw new BankError("outcome_unknown", name);
  const response = await client.readAttempt(needed("attemptId", input.attemptId), call);
  if (response.status === "unknown_attempt") {
    const { interaction } = input;
    // No page keeps a picture, and nobody can answer without it.
    if (interaction && interaction.context !== NO_PICTURE) return { status: "not_sent" };
    throw new BankError("request_aborted", name);
  }
  return toSubmitOutput(await nameField(client, response, input, call), input);
}

/** A response whose interaction names its field. */
type NamedResponse = Exclude<LoginResponse, InteractionRequired> | (InteractionRequired & { readonly field: string });

/**
 * The bank has sent its code by the time that it asks for it: where the service does not name the field, it is the only interactive one
 * of the bank's detail (contract, section 2.2).
 *
 * @throws {BankError} `response_against_contract` with the session's `key`, if there is not exactly one.
 */
async function nameField(
  client: BankClient,
  response: LoginResponse,
  { provider, key }: LoginRequest,
  call: CallOptions,
): Promise<NamedResponse> {
  if (response.status !== "interaction_required") return response;
  if (response.field !== undefined) return { ...response, field: response.field };
  const read = await client.getProvider(provider, call).catch(() => undefined);
  const fields = read?.status === "success" ? read.provider.auth_fields : [];
  const [asked, ...others] = fields.filter(({ name, interactive }) => interactive && isAnswerName(name));
  if (asked && others.length === 0) return { ...response, field: asked.name };
  throw new BankError("response_against_contract", {
    request: "POST /login/",
    baseUrl: client.baseUrl,
    field: "field",
    key: response.key ?? key,
  });
}

/** Keeps the members that the statechart knows: an unknown member of a response could contain anything. */
function toSubmitOutput(response: NamedResponse, { settings }: LoginRequest): SubmitCredentialsOutput {
  switch (response.status) {
    case "logged_in":
    case "select_client": {
      const { status, key } = response;
      return { status, ...(key && { key }) };
    }
    case "interaction_required": {
      const { status, field, fields, context, key, resumable } = response;
      return {
        status,
        field,
        ...(fields && { fields }),
        context,
        expiresAt: toExpiry(settings),
        ...(key && { key }),
        ...(resumable && { isResumable: true }),
      };
    }
    default:
      return toRefused(response);
  }
}

function toExpiry({
  answerTimeout = ANSWER_TIMEOUT,
  deadline = Number.POSITIVE_INFINITY,
}: LoginSettings): number | undefined {
  const time = Math.min(deadline, Date.now() + answerTimeout);
  return Number.isFinite(time) ? time : undefined;
}
