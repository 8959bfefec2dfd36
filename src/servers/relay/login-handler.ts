import type { LoginResponse } from "../../core/api/responses.ts";
import type { Secret } from "../../core/api/secret.ts";
import type { LoginForm } from "./browser-input.ts";
import { checkRateLimit } from "./rate-limit.ts";
import {
  type Call,
  claimAttempt,
  claimKey,
  createKeyFault,
  isProviderCode,
  type LoginCall,
  noteProvider,
  passRefusal,
  sealStepKey,
  startSession,
} from "./relay-call.ts";
import { invalidKey, providerDoesntExist, type RelayResponse, rateLimited, respond } from "./relay-responses.ts";
import { fingerprintUser } from "./sealed-keys.ts";

/** `POST /login/`: sent to the bank once at most. The key of a second login is claimed before. */
export async function logIn(call: LoginCall): Promise<RelayResponse> {
  const { settings, signal, form, user, key: unsealed } = call;
  const { provider, username, others } = form;
  if (!isProviderCode(provider)) return providerDoesntExist;
  if (unsealed) {
    if (unsealed.purpose !== "interaction") return invalidKey;
    if (unsealed.provider !== provider || !(await unsealed.belongsTo({ username, user }))) return invalidKey;
  } else {
    const attempt = { caller: call.caller, kind: "user", user: await fingerprintUser(form, settings) } as const;
    const wait = await checkRateLimit(settings.rateLimit, attempt);
    if (wait > 0) return rateLimited(wait, "user_limited");
  }
  const refusal = (await claimAttempt(call)) ?? (unsealed && (await claimKey(call, unsealed)));
  if (refusal) return refusal;
  const previousKey = unsealed?.key;
  // A page or an app that was closed has forgotten the credentials: what its form has in their place is not read.
  const sent = { ...form, ...unsealed?.credentials };
  const response = await settings.client.login(
    { ...others, provider, username: sent.username, password: sent.password },
    { signal, ...(previousKey && { key: previousKey }) },
  );
  return passLogin(call, sent, response, previousKey);
}

/** @param previousKey that of the interaction before. It stays valid where the response to the answer has none. */
async function passLogin(
  call: Call,
  { provider, username, password }: LoginForm,
  response: LoginResponse,
  previousKey: Secret | undefined,
): Promise<RelayResponse> {
  const { status } = response;
  if (status !== "logged_in" && status !== "interaction_required" && status !== "select_client") {
    return passRefusal(call, response, provider);
  }
  noteProvider(call, provider);
  const key = response.key ?? previousKey;
  // The contract shows no key here. Without one, no client can be chosen.
  if (status === "select_client") {
    return respond(status, key && { key: await sealStepKey(call, "selection", { provider, key }) });
  }
  if (!key) throw createKeyFault(call);
  if (status === "logged_in") return respond(status, { key: await startSession(call, provider, key) });
  const { field, fields = field, context } = response;
  const sealed = await sealStepKey(call, "interaction", { provider, key, credentials: { username, password } });
  // With a user the key has all that the answer needs.
  const isResumable = call.user !== undefined;
  return respond(status, {
    key: sealed,
    context,
    field: fields,
    ...(isResumable && { resumable: true }),
    ...(call.settings.approval && { awaits_approval: true }),
  });
}
