import { createServer } from "node:http";
import { jwtDecrypt } from "jose";
import { type BankError, createBankClient, createRelayClient, type LoginResponse, type RelayClient } from "ventanilla";
import { createHostedLogin, type HostedEnd, type HostedLogin, type HostedLoginOptions } from "ventanilla/hosted";
import { createNodeHandler } from "ventanilla/node";
import { createMemoryStore } from "ventanilla/tokens";
import { formatRelayKey, formatToken } from "../../../src/core/api/relay-login.ts";
import type { PageLogin } from "../../../src/servers/hosted/session-row.ts";
import { type Service, startSandbox } from "../../bank/service.ts";
import { API_KEY, listen, SEAL_KEY } from "../relay/stage.ts";

interface PageState {
  readonly login?: PageLogin;
  readonly lastSubmit: number;
}

export const SHOP = "https://shop.example";

/** The job of a shop that stores its session keys. */
export const RECIPIENT = { idempotencyKey: "account 42" };

/** What a row has, opened by who has the seal key. */
export async function openRow(id: string, text: string): Promise<unknown> {
  const { payload } = await jwtDecrypt(text, Buffer.from(SEAL_KEY, "base64"), { audience: id });
  return payload["r"];
}

/** A bank's service and a hosted login on a port. @param bank default a sandbox of its own. */
export async function stage(options: Partial<HostedLoginOptions> = {}, { bank: service }: { bank?: Service } = {}) {
  const bank = service ?? (await startSandbox({ apiKey: API_KEY }));
  const ends: HostedEnd[] = [];
  const errors: BankError[] = [];
  let handle: HostedLogin["handle"] | undefined;
  const origin = await listen(
    createServer((request, response) => handle && createNodeHandler(handle)(request, response)),
  );
  const hosted = createHostedLogin({
    client: createBankClient({ baseUrl: bank.url, apiKey: API_KEY, retry: false }),
    sealKey: SEAL_KEY,
    store: createMemoryStore({ rows: new Map() }),
    url: `${origin}/login`,
    name: "Shop",
    returnTo: [SHOP],
    rateLimit: false,
    onEnd: (end) => void ends.push(end),
    onError: (error) => void errors.push(error),
    ...options,
  });
  handle = hosted.handle;
  return { bank, hosted, origin, ends, errors, posts: () => bank.paths().filter((line) => line.startsWith("POST")) };
}

/**
 * A browser: it keeps cookies, follows no redirect, and does what the page's script does.
 *
 * @param watch gets the address of each request, and the head of its response.
 */
export function createBrowser(
  headers: Readonly<Record<string, string>> = {},
  watch: (url: string, responseHeaders: readonly (readonly [string, string])[]) => void = () => {},
) {
  const cookies = new Map<string, string>();
  /** The page that is shown. */
  const session = { id: "", base: "" };
  let relay: { readonly id: string; readonly client: RelayClient } | undefined;

  async function send(url: string, init: RequestInit = {}): Promise<Response> {
    const all = new Headers({ ...headers, ...Object.fromEntries(new Headers(init.headers)) });
    if (cookies.size > 0) all.set("cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
    const response = await fetch(url, { redirect: "manual", ...init, headers: all });
    watch(
      url,
      [...response.headers].filter(([name]) => name !== "set-cookie"),
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  }

  /** The headers of a request of the page's script. */
  const own = () => ({
    "x-ventanilla-login": session.id,
    origin: new URL(session.base).origin,
  });
  const createClient = (lastSubmit: number) =>
    createRelayClient({
      baseUrl: `${session.base}bank/`,
      retry: false,
      session: { id: session.id, lastSubmit },
      fetch: (input, init) =>
        send(String(input), { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...own() } }),
    });
  /** The client of the page. It knows which submit was the last. */
  const client = () => {
    const { id } = session;
    if (relay?.id !== id) relay = { id, client: createClient(0) };
    return relay.client;
  };
  const ask = (number: number) =>
    client().readLogin({ id: session.id, token: formatToken({ token: "", last: number - 1 }) });
  const readState = () => send(`${session.base}state/`, { headers: own() });

  return {
    cookies,
    send,
    session,
    client,
    /** Opens an address. The page that it shows is the last one of this browser. */
    async open(url: string): Promise<{ readonly status: number; readonly text: string; readonly response: Response }> {
      const response = await send(url);
      const text = await response.text();
      session.id = /data-session="([^"]+)"/.exec(text)?.[1] ?? session.id;
      session.base = url.slice(0, url.lastIndexOf("/") + 1);
      return { status: response.status, text, response };
    },
    /** The login that the page goes on with, as the server says. */
    async resume() {
      const response = await readState();
      if (!response.ok) return undefined;
      const { login, lastSubmit } = (await response.json()) as PageState;
      relay = { id: session.id, client: createClient(lastSubmit) };
      return login;
    },
    /** The same, and where it is: a question or the clients, if the bank waits for the person. */
    async resumeStep() {
      const login = await this.resume();
      if (!login) return undefined;
      return { ...login, response: await ask(login.number) };
    },
    /** What a page that is opened again shows of the bank's question. */
    async readQuestion() {
      const response = (await this.resumeStep())?.response;
      if (response?.status !== "interaction_required") throw new Error(response?.status ?? "form");
      return response;
    },
    /** Asks how a submit has ended, until the server says so. */
    ask,
    /** The same, one time. */
    askOnce: (number: number) =>
      send(`${session.base}bank/submit/`, {
        headers: { ...own(), "x-ventanilla": "1", "x-ventanilla-submit": String(number) },
      }),
    /** Answers a question of the session's record by its step, as a page that has forgotten what was typed. */
    answer: (step: string, answer: Readonly<Record<string, string>>, provider = "test") =>
      client().login(
        { provider, username: "forgotten", password: "forgotten", ...answer },
        { key: formatRelayKey({ id: session.id, token: "", last: 0, step }) },
      ),
    /** The same, as a page that was opened again. */
    async answerAgain(answer: Readonly<Record<string, string>>) {
      return this.answer(`step-${(await this.resume())?.number}`, answer);
    },
    readState,
    /** Another tab of the same browser at the same step. */
    openTab() {
      const tab = createBrowser(headers, watch);
      for (const [name, value] of cookies) tab.cookies.set(name, value);
      Object.assign(tab.session, session);
      return tab;
    },
    close: () => send(`${session.base}cancel/`, { method: "POST", headers: own() }),
    /** Logs in where the bank asks to choose a client, and chooses the first. */
    async chooseClient(): Promise<void> {
      const form = { provider: "canal_pa", username: "newkey", password: "s3creto", company_code: "7701" };
      const asked = await client().login(form);
      if (asked.status !== "select_client" || !asked.key) throw new Error(asked.status);
      const listed = await client().listClients(asked.key);
      const [first] = listed.status === "success" ? listed.clients : [];
      if (!first) throw new Error(listed.status);
      await client().selectClient(asked.key, first.id);
    },
    logIn: (username = "12345", password = "gfdsa", provider = "test"): Promise<LoginResponse> =>
      client().login({ provider, username, password }),
  };
}

export type Browser = ReturnType<typeof createBrowser>;
