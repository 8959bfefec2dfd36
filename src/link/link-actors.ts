import type {
  GetProviderOutput,
  LinkActors,
  LinkRequest,
  ListDestinationsOutput,
  ListProvidersOutput,
} from "../../machines/link.types.ts";
import type { BankClient } from "../api/client.ts";
import { createLoginMachine } from "../login/create-login-machine.ts";
import { callOptions, needed, refused, request } from "../login/invoked-requests.ts";

/** Fills the slots of the link statechart with a client's requests and its login. */
export function linkActors(client: BankClient): LinkActors {
  return {
    listProviders: request<ListProvidersOutput, LinkRequest>(async ({ input, signal }) => {
      const answer = await client.listProviders(callOptions(input, signal));
      return answer.status === "success" ? answer : refused(answer);
    }),

    getProvider: request<GetProviderOutput, LinkRequest>(async ({ input, signal }) => {
      const { choice } = input;
      const call = { ...callOptions(input, signal), ...(choice && { choice }) };
      const answer = await client.getProvider(needed("provider", input.provider), call);
      return answer.status === "success" ? { status: "success", detail: answer.provider } : refused(answer);
    }),

    listDestinations: request<ListDestinationsOutput, LinkRequest>(async ({ input, signal }) => {
      const answer = await client.listTransferDestinations(needed("key", input.key), callOptions(input, signal));
      return answer.status === "success" ? answer : refused(answer);
    }),

    login: createLoginMachine(client),
  };
}
