import { randomBytes } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type BankClient,
  type BankClientOptions,
  type BankError,
  createBankClient,
  createMemoryClaimStore,
  type FailureCode,
  failureText,
} from "ventanilla";
import { createNodeHandler, createRelay, type RelayEvent, type RelayLogin, type RelayOptions } from "ventanilla/relay";
import { createSandbox, type SandboxOptions } from "ventanilla/sandbox";
import { onTestFinished } from "vitest";
import { respondAs, startService as serve } from "../bank/service.ts";

export const PAGE = "https://shop.example";
export const API_KEY = "cnryapikey4d1f9a77";
export const SEAL_KEY = randomBytes(32).toString("base64");

/** A service on a port of its own, with a list of what it saw and of the keys that it gave out. */
export async function startService(respond: (request: Request) => Promise<Response>) {
  const requests: { readonly method: string; readonly url: URL; readonly headers: Headers }[] = [];
  const keys = new Set<string>();
  const { url } = await serve(
    respondAs(async (request) => {
      requests.push({ method: request.method, url: new URL(request.url), headers: request.headers });
      const response = await respond(request);
      const body = await readJson(response.clone());
      if (typeof body?.key === "string") keys.add(body.key);
      return response;
    }),
  );
  return { url, requests, keys };
}

const readJson = (response: Response) => response.json().catch(() => undefined);

/** Serves a handler on a free port until the test ends. */
export async function listen(handler: RequestListener): Promise<string> {
  return listenOn(createServer(handler));
}

export async function listenOn(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export type Stage = Awaited<ReturnType<typeof stage>>;

/** A bank's service, a relay and a browser, each on real HTTP. */
export async function stage(
  options: Partial<RelayOptions> = {},
  { bank: given, sandbox }: { bank?: Awaited<ReturnType<typeof startService>>; sandbox?: SandboxOptions } = {},
) {
  const bank = given ?? (await startService(createSandbox({ apiKey: API_KEY, ...sandbox })));
  const events: RelayEvent[] = [];
  const errors: BankError[] = [];
  const logins: RelayLogin[] = [];
  // What a browser's client sends, and what it gets back, to the letter.
  const traffic: {
    readonly request: { readonly url: string; readonly headers: Headers };
    readonly response: { readonly status: number; readonly headers: Headers; readonly text: string };
  }[] = [];
  const client = createBankClient({ baseUrl: bank.url, apiKey: API_KEY, retry: false });
  const relay = createRelay({
    client,
    sealKey: SEAL_KEY,
    claimStore: createMemoryClaimStore(),
    allowedOrigins: [PAGE],
    onLogin: (login) => void logins.push(login),
    onEvent: (event) => void events.push(event),
    onError: (error) => void errors.push(error),
    ...options,
  });
  const url = await listen(createNodeHandler(relay));

  /** What a page's script does: the browser adds the origin. */
  const send = async (path: string, init: RequestInit = {}, base = url) => {
    const own = { origin: PAGE, "x-ventanilla": "1", "x-attempt-id": crypto.randomUUID() };
    const headers = new Headers({ ...own, ...(init.headers as Record<string, string>) });
    for (const [name, value] of [...headers]) if (value === "") headers.delete(name);
    const response = await fetch(path.startsWith("http") ? path : `${base}${path}`, { ...init, headers });
    const text = await response.clone().text();
    traffic.push({
      request: { url: response.url, headers },
      response: { status: response.status, headers: response.headers, text },
    });
    return response;
  };
  const browser = (more: Partial<BankClientOptions> = {}): BankClient =>
    createBankClient({
      baseUrl: url,
      retry: false,
      fetch: (input, init) =>
        // The request header is the client's own.
        send(String(input), {
          ...init,
          headers: { "x-ventanilla": "", ...Object.fromEntries(new Headers(init?.headers)) },
        }),
      ...more,
    });
  return { bank, client, relay, url, events, errors, logins, traffic, send, browser };
}

/** What comes back, beside the headers. */
export type Answer = readonly [http: number, body: unknown];
export const readAnswer = async (response: Response): Promise<Answer> => [response.status, await response.json()];

/** A refusal of the relay's own, and a fault of its set-up. */
export const refused = (http: number, message: string): Answer => [http, { status: "error", message }];
export const faulty = (http: number, error: FailureCode): Answer => [http, { error, message: failureText(error) }];

/** A form as a browser writes it. */
export const form = (fields: Record<string, string> | string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
});

export const OTP = { provider: "test", username: "12345otp", password: "asdfg" };
export const CHOOSER = { provider: "canal_pa", username: "samekey", password: "s3creto", company_code: "7701" };
export const PLAIN = { provider: "test", username: "12345", password: "gfdsa" };

/** The sealed key of an interaction. What the bank saw until then is forgotten. */
export async function interactionKey({ send, bank }: Stage, fields = OTP): Promise<string> {
  const { key } = await (await send("/login/", form(fields))).json();
  bank.requests.length = 0;
  return key;
}

/** The sealed key of a session, or of a choice of clients. */
export const sessionKey = (set: Stage, fields = PLAIN): Promise<string> => interactionKey(set, fields);
