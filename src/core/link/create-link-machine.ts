import { linkMachine } from "../../../machines/link.ts";
import type {
  GetProviderOutput,
  LinkActors,
  LinkRequest,
  ListDestinationsOutput,
  ListProvidersOutput,
} from "../../../machines/link.types.ts";
import type { BankClient } from "../api/client.ts";
import { checkClient } from "../api/input-checks.ts";
import { createLoginMachine } from "../login/create-login-machine.ts";
import { assertPresent, request, toRefused } from "../login/invoked-requests.ts";

/**
 * The link statechart on a client's requests: from the choice of a bank to where its session can transfer to
 * (contract, section 1).
 *
 * @example
 * const actor = createActor(createLinkMachine(client), { input: {} });
 * actor.start();
 */
export function createLinkMachine(client: BankClient): typeof linkMachine {
  checkClient(client);
  return linkMachine.provide({ actors: linkActors(client) });
}

/** Fills the slots of the link statechart with a client's requests and its login. */
function linkActors(client: BankClient): LinkActors {
  const { baseUrl } = client;
  return {
    listProviders: request<ListProvidersOutput, LinkRequest>(
      { request: "GET /provider/", baseUrl },
      async ({ call }) => {
        const response = await client.listProviders(call);
        return response.status === "success" ? response : toRefused(response);
      },
    ),

    getProvider: request<GetProviderOutput, LinkRequest>(
      { request: "GET /provider/{code}/", baseUrl },
      async ({ input: { provider, choice }, call }) => {
        const response = await client.getProvider(assertPresent("provider", provider), {
          ...call,
          ...(choice && { choice }),
        });
        return response.status === "success" ? { status: "success", detail: response.provider } : toRefused(response);
      },
    ),

    listDestinations: request<ListDestinationsOutput, LinkRequest>(
      { request: "GET /transfer/destinations", baseUrl },
      async ({ input, call }) => {
        const response = await client.listTransferDestinations(assertPresent("key", input.key), call);
        return response.status === "success" ? response : toRefused(response);
      },
    ),

    login: createLoginMachine(client),
  };
}
