import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  type AuthField,
  type AwaitingInteractionOutcome,
  type BankClient,
  type BankClientOptions,
  type CredentialTexts,
  createBankClient,
  type Failure,
  type LoginOptions,
  type LoginOutcome,
  login,
  type OutcomeCode,
  type ProviderDetail,
  reveal,
  type Secret,
} from "ventanilla";
import { createSandbox, type SandboxOptions } from "ventanilla/sandbox";
import { expect, onTestFinished } from "vitest";
import { isSecret } from "../../src/core/api/reveal.ts";

/** One request as it came over the wire. */
export interface Received {
  readonly method: string;
  /** Path and query, exactly as received. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly form: Readonly<Record<string, string>>;
  /** Resolves when the other side hangs up before the response has been sent. */
  readonly abandoned: Promise<void>;
}

/** What the service does about a request: it responds, the connection breaks, or no response ever comes. */
export type Reply =
  | {
      readonly http?: number;
      /** The text beside the HTTP code. */
      readonly reason?: string;
      readonly json?: unknown;
      readonly text?: string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly write: (response: ServerResponse) => unknown }
  | "broken"
  | "held";

type Respond = (request: Received) => Reply | Promise<Reply>;

export type Line = Reply | Respond;

export interface Service {
  readonly url: string;
  /** Those that came since a test emptied it. */
  readonly requests: Received[];
  /** The session keys that it has given out, in their order. */
  readonly keys: ReadonlySet<string>;
  /** `POST /login/?key=…`, … in the order in which they came. */
  lines(): string[];
  /** The lines without their queries. */
  paths(): string[];
  /** Resolves with the request of that number, 1 for the first, as soon as it has come. */
  arrival(number: number): Promise<Received>;
  client(options?: Partial<BankClientOptions>): BankClient;
}

export const API_KEY = "an-api-key";

/** A service on a port that says its lines one after the other, for the length of one test. */
export async function startService(script: readonly Line[] | Respond): Promise<Service> {
  const { close, ...service } = await openService(script);
  onTestFinished(close);
  return service;
}

/** The sandbox on a port, with every request to it written down. */
export function startSandbox(options: SandboxOptions = {}): Promise<Service> {
  return startService(respondAs(createSandbox({ apiKey: API_KEY, ...options })));
}

/** The same. It receives what is sent, and responds when it is let. */
export async function startHeldSandbox(options: SandboxOptions = {}) {
  const { promise, keep: respond } = promised();
  const sandbox = createSandbox({ apiKey: API_KEY, ...options });
  const bank = await startService(
    respondAs(async (request) => {
      if (request.method === "POST") await promise;
      return sandbox(request);
    }),
  );
  return { bank, respond };
}

/** The header by which a relay's responses are known: to a client without an API key the service stands in for a relay. */
export const markAsRelay = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  "x-ventanilla" in headers ? { "x-ventanilla": "1" } : {};

/** The responses of a service that is a function, such as a sandbox. */
export function respondAs(service: (request: Request) => Promise<Response>): Respond {
  return async ({ method, url, headers, body, abandoned }) => {
    const gone = new AbortController();
    void abandoned.then(() => gone.abort());
    const sent = new Headers(headers as Record<string, string>);
    const init = { method, headers: sent, signal: gone.signal, ...(method !== "GET" && { body }) };
    const response = await service(new Request(`http://${headers.host}${url}`, init));
    // As bytes: a file may be compressed.
    const text = new Uint8Array(await response.arrayBuffer());
    return { http: response.status, text, headers: Object.fromEntries(response.headers) };
  };
}

/** The same as `startService`, until it is closed. */
export async function openService(script: readonly Line[] | Respond): Promise<Service & { close(): Promise<void> }> {
  const left = typeof script === "function" ? [] : [...script];
  const requests: Received[] = [];
  const keys = new Set<string>();
  const arrivals = new Map<number, (request: Received) => void>();
  const server = createServer(async (incoming, response) => {
    const request = await receive(incoming, response);
    const number = requests.push(request);
    arrivals.get(number)?.(request);
    const line = typeof script === "function" ? script : (left.shift() ?? scriptIsOver);
    const reply = typeof line === "function" ? await line(request) : line;
    if (reply === "held" || response.destroyed) return;
    if (reply === "broken") response.destroy();
    else if ("write" in reply) reply.write(response);
    else {
      const { http = 200, reason = "", json, text = JSON.stringify(json), headers } = reply;
      const written = typeof text === "string" ? text : Buffer.from(text ?? "").toString();
      for (const [, key = ""] of written.matchAll(/"key":"([^"]*)"/g)) keys.add(key);
      response.writeHead(http, reason, {
        ...(json !== undefined && { "content-type": "application/json" }),
        ...markAsRelay(request.headers),
        ...headers,
      });
      response.end(text);
    }
  });
  // On a busy machine a connection would be closed at the moment at which a login is sent through it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    keys,
    lines: () => requests.map((request) => `${request.method} ${request.url}`),
    paths: () => requests.map((request) => `${request.method} ${request.url.replace(/\?.*/, "")}`),
    arrival: (number) =>
      new Promise((resolve) => {
        const come = requests[number - 1];
        if (come) resolve(come);
        else arrivals.set(number, resolve);
      }),
    client: (options) => createBankClient({ baseUrl: url, apiKey: API_KEY, retry: false, ...options }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const scriptIsOver: Reply = { http: 500, json: { status: "script_is_over" } };

async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<Received> {
  const abandoned = new Promise<void>((resolve) => {
    response.once("close", () => !response.writableFinished && resolve());
  });
  const body = await text(incoming).catch(() => "");
  return {
    method: incoming.method ?? "",
    url: incoming.url ?? "",
    headers: incoming.headers,
    body,
    form: Object.fromEntries(new URLSearchParams(body)),
    abandoned,
  };
}

// Responses of the contract, section 2.3.
export const loggedIn = (key?: string): Reply => ({ json: { status: "logged_in", key } });
export const selectClient = (key?: string): Reply => ({ json: { status: "select_client", key } });
export const asks = (field: string, key?: string, context = `${field} required`): Reply => ({
  json: { status: "interaction_required", key, context, field },
});

/** A field as a bank lists it. */
export const field = (members: Partial<AuthField> & { name: string }): AuthField => ({
  type: "text",
  interactive: false,
  optional: false,
  ...members,
});

export const bankWith = (...auth_fields: AuthField[]): ProviderDetail => ({
  name: "Banco Ejemplo",
  country: "UY",
  logo: "https://bank.example/logo.png",
  account_type: [],
  auth_fields,
});

/** Somebody whom no script knows; what the bank makes of it is up to the script. */
export const person = { provider: "test", username: "ana", password: "hunter two" } as const;

/** For logins where the bank must not ask. */
export const unasked = () => {
  throw new Error("this was not expected to be called");
};

/** What a test says of a login: members of its form, where they are not those of `person`, and its options. */
export type LoginCase = Partial<CredentialTexts> & LoginOptions;

/** The parameters of `login()` for it. */
export function toLogin(login: LoginCase): [credentials: CredentialTexts, options: LoginOptions] {
  const isCredential = ([name]: [string, unknown]) => ["provider", "username", "password", "fields"].includes(name);
  const entries = Object.entries(login);
  return [
    { ...person, ...Object.fromEntries(entries.filter(isCredential)) },
    Object.fromEntries(entries.filter((entry) => !isCredential(entry))),
  ];
}

/** `login()` for a bank whose script is that of the login alone: the fields are not read first. */
export const loginUnread = ((client, credentials, { settings, ...options } = {}) =>
  login(client, credentials, { ...options, settings: { validate: false, ...settings } })) as typeof login;

/** A secret, by what is behind it. */
export const expectedSecret = (value: string): Secret =>
  expect.toSatisfy((found: unknown) => isSecret(found) && reveal(found) === value, `is a secret of ${value}`);

/** Every outcome has the id of its login. */
export const expectedId: string = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);

/** How a login at the bank `test` ends that is cancelled. */
export const cancelled = { state: "cancelled", id: expectedId, provider: "test" };

/** How a login at the bank `test` ends that fails. */
export const failed = (code: OutcomeCode, details: Partial<Failure> = {}) => ({
  state: "failed",
  id: expectedId,
  provider: "test",
  failure: { kind: "outcome", code, ...details },
});

/** An outcome that waits for an answer. */
export function openQuestion(outcome: LoginOutcome): AwaitingInteractionOutcome {
  if (outcome.state !== "awaitingInteraction") throw new Error(`nothing is asked: ${outcome.state}`);
  return outcome;
}

/** The key of a session that has started. */
export function sessionKey(outcome: LoginOutcome): Secret {
  if (outcome.state !== "loggedIn") throw new Error(`not logged in: ${outcome.state}`);
  return outcome.key;
}

/** A promise to be settled from outside. */
export function promised<Value = void>() {
  let keep: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    keep = resolve;
  });
  return { promise, keep };
}

/** Holds answers until that many have been asked for, then lets the last one go first. */
export function together(count: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === count) for (const next of waiting.splice(0).reverse()) next();
    });
}
