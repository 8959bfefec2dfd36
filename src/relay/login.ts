import type { LoginAnswer } from "../api/answers.ts";
import { ContractError } from "../api/errors.ts";
import type { Secret } from "../api/secret.ts";
import { invalidKey, missingCredentials, providerDoesntExist, type RelayAnswer, rateLimited, says } from "./answers.ts";
import { claimAttempt, claimKey } from "./claims.ts";
import { askOwner } from "./events.ts";
import type { LoginForm } from "./form.ts";
import { type OpenedKey, openKeyFor, sealKeyFor, userFingerprint } from "./keys.ts";
import type { RelaySettings } from "./options.ts";
import { waitFor } from "./rate.ts";
import { passRefusal } from "./refusals.ts";
import type { Call } from "./routes.ts";

/** What a bank's code looks like (contract, section 4.1: lowercase, without accents), with room to spare. */
export const isProviderCode = (code: string): boolean => /^[\w-][\w.-]{0,99}$/.test(code);

/** `POST /login/`: sent on once, whatever happens; a second login's key is spent before it is sent on. */
export async function logIn(call: Call): Promise<RelayAnswer> {
  const { settings, signal, form, key: token } = call;
  if (!form) return missingCredentials;
  if (!isProviderCode(form.provider)) return providerDoesntExist;
  let opened: OpenedKey | undefined;
  if (token !== undefined) {
    opened = await openKeyFor(["interaction"], token, settings);
    const isOurs = opened?.provider === form.provider && (await opened.isOf(form.username));
    if (!isOurs) return invalidKey;
  } else {
    const user = await userFingerprint(form, settings);
    const wait = await waitFor(settings.rateLimit, { caller: call.caller, kind: "user", user });
    if (wait > 0) return { ...rateLimited(wait, "user_limited"), provider: form.provider };
  }
  const refusal = (await claimAttempt(call)) ?? (opened && (await claimKey(call, opened)));
  if (refusal) return refusal;
  const held = opened?.key;
  const { provider, username, password, others } = form;
  const answer = await settings.client.login(
    { ...others, provider, username, password },
    { signal, ...(held && { key: held }) },
  );
  return { ...(await answerOf(call, form, answer, held)), provider };
}

async function answerOf(
  call: Call,
  { provider, username }: LoginForm,
  answer: LoginAnswer,
  held: Secret | undefined,
): Promise<RelayAnswer> {
  const { settings } = call;
  const seal = { ...settings, lifetime: settings.interactionLifetime };
  if (["logged_in", "interaction_required", "select_client"].includes(answer.status)) settings.providers.add(provider);
  switch (answer.status) {
    case "logged_in":
      return says("logged_in", { key: await startSession(call, provider, keyOf(settings, answer, held)) });
    case "interaction_required": {
      const { field, context } = answer;
      const key = await sealKeyFor("interaction", { provider, username, key: keyOf(settings, answer, held) }, seal);
      return says("interaction_required", { key, context, field });
    }
    case "select_client": {
      // Without a key there is nobody to choose; that there was a choice is an answer all the same.
      const key = answer.key ?? held;
      return says("select_client", key ? { key: await sealKeyFor("selection", { provider, key }, seal) } : {});
    }
    default:
      return passRefusal(call, answer, provider);
  }
}

/** A session that can be used from now on: the server gets its key, the browser a sealed one, or none at all. */
export async function startSession({ settings, request }: Call, provider: string, key: Secret): Promise<string> {
  await askOwner("onLogin", () => settings.onLogin({ provider, key, request }), [settings.client, key]);
  const purpose = settings.browserKey === "receipt" ? "receipt" : "session";
  return sealKeyFor(purpose, { provider, key }, { ...settings, lifetime: settings.sessionLifetime });
}

/** The first login's key stays valid where the answer to the second brings none. */
function keyOf({ client }: RelaySettings, answer: { readonly key?: Secret }, held: Secret | undefined): Secret {
  const key = answer.key ?? held;
  if (key) return key;
  const { baseUrl } = client;
  throw new ContractError("answer_against_contract", { request: "POST /login/", baseUrl, field: "key" });
}
