import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type BankClient, type BankClientOptions, createBankClient } from "ventanilla";
import { onTestFinished } from "vitest";

export const API_KEY = "api-key-canary-41d7";
export const SESSION_KEY = "0b9a4c1e-6f0d-4a53-8f5e-session-key";

/** A request as it came over the wire. */
export interface Received {
  readonly method: string;
  /** Path and query, to the letter. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** One answer written by hand: a body, a whole answer, or a function that writes it itself. */
export type Answer =
  | { readonly json: unknown; readonly http?: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly raw: string | Uint8Array; readonly http?: number; readonly headers?: Readonly<Record<string, string>> }
  | ((response: ServerResponse, request: Received) => void);

export interface AnsweringServer {
  readonly url: string;
  readonly requests: readonly Received[];
}

/** A server on a port of its own that gives these answers in turn, the last one again and again; it ends with the test. */
export async function serveAnswers(...answers: readonly [Answer, ...Answer[]]): Promise<AnsweringServer> {
  const requests: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
    requests.push(received);
    write(answers[Math.min(requests.length, answers.length) - 1] ?? answers[0], response, received);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function write(answer: Answer, response: ServerResponse, request: Received): void {
  if (typeof answer === "function") {
    answer(response, request);
    return;
  }
  const isJson = "json" in answer;
  response.writeHead(answer.http ?? 200, { ...(isJson && { "content-type": "application/json" }), ...answer.headers });
  response.end(isJson ? JSON.stringify(answer.json) : answer.raw);
}

/** The answer of a server that takes a request and never says a word. */
export const silence: Answer = () => {};

/** A client without retries of a server that gives these answers in turn. */
export async function bankThatSays(
  ...answers: readonly [Answer, ...Answer[]]
): Promise<{ client: BankClient; requests: readonly Received[] }> {
  const { url, requests } = await serveAnswers(...answers);
  return { client: clientOf(url), requests };
}

export function clientOf(baseUrl: string, options: Partial<BankClientOptions> = {}): BankClient {
  return createBankClient({ baseUrl, apiKey: API_KEY, retry: false, ...options });
}

/** A form with every kind of field; each value is one that can't stand anywhere by chance. */
export const FORM = {
  provider: "faro_uy",
  username: "username-canary-5e0a",
  password: "password-canary-93bc",
};

export const SECRETS = [API_KEY, SESSION_KEY, FORM.username, FORM.password];
