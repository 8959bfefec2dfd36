import { claim } from "../tokens/claim-store.ts";
import { invalidKey, missingParams, providerDoesntExist, type RelayAnswer, says } from "./answers.ts";
import { clientIdOf } from "./client-ids.ts";
import { type OpenedKey, openKeyFor, type Purpose } from "./keys.ts";
import { isProviderCode, startSession } from "./login.ts";
import { passRefusal } from "./refusals.ts";
import type { Call } from "./routes.ts";
import { clientsOf, destinationOf, detailOf, entryOf } from "./shapes.ts";

/** `GET /provider/` (interface.md, section 4.3). */
export async function listProviders(call: Call): Promise<RelayAnswer> {
  const answer = await call.settings.client.listProviders({ signal: call.request.signal });
  if (answer.status !== "success") return passRefusal(call, answer, "");
  for (const { code } of answer.providers) call.settings.providers.add(code);
  return says("success", { providers: answer.providers.map(entryOf) });
}

/** `GET /provider/{code}/` (interface.md, section 4.2), with the choice that narrows others where one is given. */
export async function getProvider(call: Call): Promise<RelayAnswer> {
  const { settings, request, parameter: code, query } = call;
  if (!isProviderCode(code)) return providerDoesntExist;
  const [field, value] = [query.get("key"), query.get("value")];
  if ((field === undefined) !== (value === undefined)) return missingParams;
  const answer = await settings.client.getProvider(code, {
    signal: request.signal,
    ...(field && value && { choice: { field, value } }),
  });
  if (answer.status !== "success") return passRefusal(call, answer, code);
  settings.providers.add(code);
  return { ...says("success", { provider: detailOf(answer.provider) }), provider: code };
}

/** `GET /transfer/destinations` (interface.md, section 4.4). */
export const listTransferDestinations = withKey(["session"], async (call, { key, provider }) => {
  const answer = await call.settings.client.listTransferDestinations(key, { signal: call.request.signal });
  if (answer.status !== "success") return passRefusal(call, answer, provider);
  return says("success", { destinations: answer.destinations.map(destinationOf) });
});

/** `GET /client/`. Beyond the contract. */
export const listClients = withKey(["selection"], async (call, { key, provider }) => {
  const answer = await call.settings.client.listClients(key, { signal: call.request.signal });
  if (answer.status !== "success") return passRefusal(call, answer, provider);
  return says("success", { clients: clientsOf(answer.clients) });
});

/** `GET /client/{id}/`. Beyond the contract. A wrong choice can be made again, a right one can't. */
export const selectClient = withKey(["selection"], async (call, opened) => {
  const { settings, request, parameter: id } = call;
  const { key, provider } = opened;
  const answer = await settings.client.selectClient(key, clientIdOf(id), { signal: request.signal });
  if (answer.status !== "success") return passRefusal(call, answer, provider);
  if (!(await claim(settings.claimStore, opened.id, opened.expiresAt))) return invalidKey;
  return says("success", { key: await startSession(call, provider, answer.key ?? key) });
});

/** `GET /logout/`. Beyond the contract. */
export const logOut = withKey(["session", "selection", "blocking"], async (call, { key, provider }) => {
  const answer = await call.settings.client.logout(key, { signal: call.request.signal });
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
