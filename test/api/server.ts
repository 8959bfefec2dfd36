import { type BankClient, type BankClientOptions, createBankClient } from "ventanilla";
import { type Received, type Reply, type Service, startService } from "../bank/service.ts";

export const API_KEY = "api-key-canary-41d7";
export const SESSION_KEY = "0b9a4c1e-6f0d-4a53-8f5e-session-key";

export type CannedResponse = Reply;

/** A service that gives these responses in turn, the last one again and again; it ends with the test. */
export function serveResponses(...responses: readonly [CannedResponse, ...CannedResponse[]]): Promise<Service> {
  let number = 0;
  return startService(() => responses[Math.min(number++, responses.length - 1)] ?? responses[0]);
}

/** The response of a server that takes a request and never says a word. */
export const silence: CannedResponse = "held";

/** A client without retries of a server that gives these responses in turn. */
export async function bankThatSays(
  ...responses: readonly [CannedResponse, ...CannedResponse[]]
): Promise<{ client: BankClient; requests: readonly Received[] }> {
  const { url, requests } = await serveResponses(...responses);
  return { client: createClient(url), requests };
}

/** A client without retries that reads these responses in turn, the last one again and again: how they are read needs no wire. */
export function clientThatReads(
  ...responses: readonly { readonly http?: number; readonly json?: unknown; readonly text?: BodyInit }[]
): BankClient {
  let number = 0;
  const fetch = async () => {
    const { http: status = 200, json, text = JSON.stringify(json) } = responses[number] ?? {};
    number = Math.min(number + 1, responses.length - 1);
    return new Response(text, { status });
  };
  return createClient("https://bank.example", { fetch });
}

export function createClient(baseUrl: string, options: Partial<BankClientOptions> = {}): BankClient {
  return createBankClient({ baseUrl, apiKey: API_KEY, retry: false, ...options });
}

/** A form with every kind of field; each value is one that can't stand anywhere by chance. */
export const FORM = {
  provider: "faro_uy",
  username: "username-canary-5e0a",
  password: "password-canary-93bc",
};

export const SECRETS = [API_KEY, SESSION_KEY, FORM.username, FORM.password];
