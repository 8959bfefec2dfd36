import { invalidKey, missingParams, providerDoesntExist, type RelayAnswer, says } from "./answers.ts";
import { claimAttempt, claimKey } from "./claims.ts";
import { type OpenedKey, openKeyFor, type Purpose, sealKeyFor } from "./keys.ts";
import { isProviderCode, startSession } from "./login.ts";
import { passRefusal, wrongClient } from "./refusals.ts";
import type { Call } from "./routes.ts";
import { clientsOf, destinationOf, detailOf, entryOf } from "./shapes.ts";

/** `GET /provider/` (contract, section 4.3). */
export async function listProviders(call: Call): Promise<RelayAnswer> {
  const answer = await call.settings.client.listProviders({ signal: call.signal });
  if (answer.status !== "success") return passRefusal(call, answer, "");
  for (const { code } of answer.providers) call.settings.providers.add(code);
  return says("success", { providers: answer.providers.map(entryOf) });
}

/** `GET /provider/{code}/` (contract, section 4.2), with the choice that narrows others where one is given. */
export async function getProvider(call: Call): Promise<RelayAnswer> {
  const { settings, signal, parameter: code, query } = call;
  if (!isProviderCode(code)) return providerDoesntExist;
  const [field, value] = [query.get("key"), query.get("value")];
  if ((field === undefined) !== (value === undefined)) return missingParams;
  const answer = await settings.client.getProvider(code, {
    signal,
    ...(field && value && { choice: { field, value } }),
  });
  if (answer.status !== "success") return passRefusal(call, answer, code);
  settings.providers.add(code);
  return { ...says("success", { provider: detailOf(answer.provider) }), provider: code };
}

/** `GET /transfer/destinations` (contract, section 4.4). */
export const listTransferDestinations = withKey(["session"], async (call, { key, provider }) => {
  const answer = await call.settings.client.listTransferDestinations(key, { signal: call.signal });
  if (answer.status !== "success") return passRefusal(call, answer, provider);
  return says("success", { destinations: answer.destinations.map(destinationOf) });
});

/** `GET /client/`. Beyond the contract. */
export const listClients = withKey(["selection"], async (call, { key, provider }) => {
  const answer = await call.settings.client.listClients(key, { signal: call.signal });
  if (answer.status !== "success") return passRefusal(call, answer, provider);
  return says("success", { clients: clientsOf(answer.clients) });
});

/**
 * `GET /client/{id}/`. Beyond the contract. Only what the bank lists for this key is sent, and the key is spent before: whose
 * session is handed over can't change afterwards. Where the bank says that nothing happened, another key comes with the refusal.
 */
export const selectClient = withKey(["selection"], async (call, opened) => {
  const { settings, signal, parameter: id } = call;
  const { key, provider } = opened;
  const repeated = await claimAttempt(call);
  if (repeated) return repeated;
  const listed = await settings.client.listClients(key, { signal });
  if (listed.status !== "success") return passRefusal(call, listed, provider);
  if (!listed.clients.some((client) => client.id === id)) return wrongClient;
  const spent = await claimKey(call, opened);
  if (spent) return spent;
  const answer = await settings.client.selectClient(key, id, { signal });
  if (answer.status === "wrong_client") {
    const seal = { ...settings, lifetime: settings.interactionLifetime };
    return {
      ...wrongClient,
      body: { ...wrongClient.body, key: await sealKeyFor("selection", { provider, key }, seal) },
    };
  }
  if (answer.status !== "success") return passRefusal(call, answer, provider);
  return says("success", { key: await startSession(call, provider, answer.key ?? key) });
});

/** `GET /logout/`. Beyond the contract. */
export const logOut = withKey(["session", "selection", "blocking"], async (call, { key, provider }) => {
  const repeated = await claimAttempt(call);
  if (repeated) return repeated;
  const answer = await call.settings.client.logout(key, { signal: call.signal });
  if (answer.status !== "logged_out") return passRefusal(call, answer, provider);
  return says("logged_out");
});

/** A route that needs a key, which must be good for one of these purposes. */
function withKey(
  purposes: readonly Purpose[],
  handle: (call: Call, opened: OpenedKey) => Promise<RelayAnswer>,
): (call: Call) => Promise<RelayAnswer> {
  return async (call) => {
    if (call.key === undefined) return missingParams;
    const opened = await openKeyFor(purposes, call.key, call.settings);
    if (!opened) return invalidKey;
    return { ...(await handle(call, opened)), provider: opened.provider };
  };
}
