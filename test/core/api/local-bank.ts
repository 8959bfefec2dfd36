import { type BankClient, type BankClientOptions, type CallOptions, createBankClient } from "ventanilla";
import type { ServiceEndpoint } from "../../../src/core/api/bank-request.ts";
import { markAsRelay, type Received, type Reply } from "../../bank/service.ts";

export const API_KEY = "api-key-canary-41d7";
export const SESSION_KEY = "0b9a4c1e-6f0d-4a53-8f5e-session-key";

/** The response with a status that no client knows. */
export const unknownStatus = { json: { status: "unheard_of" } };

/**
 * A bank without a wire, for what needs none: it returns these responses in turn, the last one again and again, and records the
 * requests. Its clients don't retry.
 */
export function localBank(...responses: readonly Reply[]) {
  const requests: Pick<Received, "url" | "headers" | "body">[] = [];
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const sent = Object.fromEntries(request.headers);
    const number = requests.push({ url: `${pathname}${search}`, headers: sent, body: await request.text() });
    const response = responses[number - 1] ?? responses.at(-1) ?? {};
    if (typeof response === "string" || "write" in response) throw new Error("needs a wire");
    const { http: status = 200, json, text = JSON.stringify(json), headers } = response;
    return new Response([204, 205, 304].includes(status) ? null : (text as BodyInit), {
      status,
      headers: { ...markAsRelay(sent), ...headers },
    });
  };
  const client = (options: Partial<BankClientOptions> = {}) => createClient(LOCAL_URL, { fetch, ...options });
  return { url: LOCAL_URL, client, requests, fetch };
}

/** The address of the bank without a wire. */
export const LOCAL_URL = "https://bank.example";

/** A client without retries that reads these responses in turn, the last one again and again. */
export const clientThatReads = (...responses: readonly Reply[]): BankClient => localBank(...responses).client();

export function createClient(baseUrl: string, options: Partial<BankClientOptions> = {}): BankClient {
  return createBankClient({ baseUrl, apiKey: API_KEY, retry: false, ...options });
}

/** The required fields of a login; the two values can't occur anywhere by chance. */
export const FORM = {
  provider: "faro_uy",
  username: "username-canary-5e0a",
  password: "password-canary-93bc",
};

export const SECRETS = [API_KEY, SESSION_KEY, FORM.username, FORM.password];

type Call = (client: BankClient, options?: CallOptions) => Promise<{ readonly status: string }>;

const callsByRequest: Readonly<Record<ServiceEndpoint, Call>> = {
  "POST /login/": (client, options) => client.login(FORM, options),
  "GET /provider/": (client, options) => client.listProviders(options),
  "GET /provider/{code}/": (client, options) => client.getProvider("test", options),
  "GET /transfer/destinations": (client, options) => client.listTransferDestinations(SESSION_KEY, options),
  "GET /client/": (client, options) => client.listClients(SESSION_KEY, options),
  "GET /client/{id}/": (client, options) => client.selectClient(SESSION_KEY, "0", options),
  "GET /logout/": (client, options) => client.logout(SESSION_KEY, options),
};

/** A call of each method, by its request. */
export const calls = Object.entries(callsByRequest);
