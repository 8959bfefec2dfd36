import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type BankClient,
  type BankError,
  createBankClient,
  createRelayClient,
  type FailureCode,
  type RelayClientOptions,
} from "ventanilla";
import { createNodeHandler } from "ventanilla/node";
import { createRelay, type RelayEvent, type RelayOptions, type RelayLogin as RelaySession } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { onTestFinished, vi } from "vitest";
import { failureNotes } from "../../../src/core/api/failure-notes.ts";
import { isRelayFault, type RelayFaultReason, relayFaults } from "../../../src/core/api/relay-faults.ts";
import { formatRelayKey, parseLoginName, parseRelayKey, type RelayLogin } from "../../../src/core/api/relay-login.ts";
import { type Service, startSandbox } from "../../bank/service.ts";

export const PAGE = "https://shop.example";
export const API_KEY = "cnryapikey4d1f9a77";
export const SEAL_KEY = randomBytes(32).toString("base64");

/** Serves a handler on a free port until the test ends. */
export async function listen(handler: RequestListener | Server): Promise<string> {
  const server = typeof handler === "function" ? createServer(handler) : handler;
  // On a busy machine a connection would be closed at the moment at which a login is sent through it.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export type Stage = Awaited<ReturnType<typeof stage>>;

/** A bank's service, a relay and a browser, each on real HTTP. @param service the bank. Default a sandbox. */
export async function stage(options: Partial<RelayOptions> = {}, { bank: service }: { bank?: Service } = {}) {
  const bank = service ?? (await startSandbox({ apiKey: API_KEY }));
  const events: RelayEvent[] = [];
  const errors: BankError[] = [];
  const logins: RelaySession[] = [];
  // What a browser's client sends, and what it gets back, unchanged.
  const traffic: {
    readonly request: { readonly url: string; readonly headers: Headers };
    readonly response: { readonly status: number; readonly headers: Headers; readonly text: string };
  }[] = [];
  const client = createBankClient({ baseUrl: bank.url, apiKey: API_KEY, retry: false });
  const { store = createMemoryStore({ rows: new Map() }) } = options;
  const relay = createRelay({
    client,
    sealKey: SEAL_KEY,
    store,
    allowedOrigins: [PAGE],
    readUser: false,
    onLogin: (login) => void logins.push(login),
    onEvent: (event) => void events.push(event),
    onError: (error) => void errors.push(error),
    ...options,
  });
  const url = await listen(createNodeHandler(relay));

  /** What a page's script does: the browser adds the origin. @param key one that the relay's client would have: with it the request is of its login. */
  const send = async (path: string, init: RequestInit = {}, key?: string) => {
    const { id, token, last, step } = key === undefined ? createLogin() : parseRelayKey(key);
    const own = {
      origin: PAGE,
      "x-ventanilla": "1",
      "x-ventanilla-login": id,
      "x-ventanilla-token": token,
      "x-ventanilla-submit": String(last + 1),
      ...(step !== undefined && { "x-session-key": step }),
    };
    const headers = new Headers({ ...own, ...(init.headers as Record<string, string>) });
    for (const [name, value] of [...headers]) if (value === "") headers.delete(name);
    const response = await fetch(path.startsWith("http") ? path : `${url}${path}`, { ...init, headers });
    const text = await response.clone().text();
    traffic.push({
      request: { url: response.url, headers },
      response: { status: response.status, headers: response.headers, text },
    });
    return response;
  };
  const browser = (more: Partial<RelayClientOptions> = {}): BankClient =>
    createRelayClient({
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
  return { bank, client, relay, store, url, events, errors, logins, traffic, send, browser };
}

/** The client of a page, at a relay that runs elsewhere: a browser adds the origin. */
export const createPage = (baseUrl: string): BankClient =>
  createRelayClient({
    baseUrl,
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), origin: PAGE } }),
  });

/** A login that a page begins: its name for the relay. */
export const createLogin = (): RelayLogin => parseLoginName();

/** A response without its headers. */
export type StatusAndBody = readonly [http: number, body: unknown];
export const readResponse = async (response: Response): Promise<StatusAndBody> => [
  response.status,
  await response.json(),
];

/** A refusal of the relay's own, and a fault of its set-up. */
export const refused = (http: number, message: string): StatusAndBody => [http, { status: "error", message }];
export const faulty = (http: number, error: FailureCode | RelayFaultReason): StatusAndBody => [
  http,
  { error, message: isRelayFault(error) ? relayFaults[error].advice : failureNotes[error].note },
];

/** A form as a browser writes it. @param headers further ones; an empty text takes a header away. */
export const form = (fields: Record<string, string> | string, headers: Record<string, string> = {}) => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  body: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
});

/** The warnings on the console from here to the test's end. */
export function collectWarnings(): string[] {
  const texts: string[] = [];
  const spy = vi.spyOn(console, "warn").mockImplementation((text) => void texts.push(text));
  onTestFinished(() => spy.mockRestore());
  return texts;
}

export const OTP = { provider: "test", username: "12345otp", password: "asdfg" };
export const ANSWER = { ...OTP, otp: "8888" };
export const CHOOSER = { provider: "canal_pa", username: "samekey", password: "s3creto", company_code: "7701" };
export const PLAIN = { provider: "test", username: "12345", password: "gfdsa" };

/** The key that a client of the relay gets for a login, of an interaction by default. What the bank saw until then is forgotten. */
export async function interactionKey({ send, bank }: Stage, fields = OTP): Promise<string> {
  const login = createLogin();
  const response = await send("/login/", form(fields), formatRelayKey(login));
  const { key: step } = await response.json();
  bank.requests.length = 0;
  return formatRelayKey({ ...login, last: 1, step });
}

/** The same of a session, or of a choice of clients. */
export const sessionKey = (set: Stage, fields = PLAIN): Promise<string> => interactionKey(set, fields);
