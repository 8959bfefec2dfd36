import { setTimeout as pause } from "node:timers/promises";
import { createSandbox, SANDBOX_API_KEY, type SandboxAccount, sandboxAccounts } from "ventanilla/sandbox";
import { openService } from "../../bank/service.ts";

/** What changes something at the bank: a first login, a second one, the choice of a client. */
export type Kind = "first" | "second" | "choice";

/** One request that changes something, as it came to the bank. */
export interface Posted {
  /** The name behind the user name. */
  readonly login: string;
  readonly kind: Kind;
  /** The exact request: the same text twice is the same request twice. */
  readonly text: string;
  /** Of the response. */
  status?: string;
  key?: string | null;
}

export interface CountingBankOptions {
  /** Milliseconds before and after the sandbox, for each request. Default 0. */
  readonly delay?: () => number;
  /** Called as each request comes, and as its response goes. */
  readonly onStep?: (step: `${Kind} ${"received" | "answered"}`) => void;
  /** Whether each response repeats, in members for programs, all that its login has sent, and each key that it got. Default false. */
  readonly echoes?: boolean;
}

/**
 * Serves a sandbox that records its requests, in order, and how many callers hung up. A user name may have the login's name behind a
 * tilde: of `12345otp~a17` the bank records `a17`, and the sandbox gets `12345otp`.
 */
export async function openCountingBank({
  delay = () => 0,
  onStep = () => {},
  echoes = false,
}: CountingBankOptions = {}) {
  const sandbox = createSandbox({ sessionLifetime: 3_600_000, interactionLifetime: 3_600_000 });
  const posted: Posted[] = [];
  const sentByLogin: Record<string, Set<unknown>> = {};
  let hungUp = 0;
  const { url, close } = await openService(async (request) => {
    void request.abandoned.then(() => hungUp++);
    const { method, body } = request;
    const url = new URL(request.url, "http://sandbox");
    const form = new URLSearchParams(body);
    const [username = "", login = ""] = (form.get("username") ?? "").split("~");
    const key = url.searchParams.get("key");
    const kind = readKind(`${method} ${url.pathname}`, key !== null);
    const owner = kind === "choice" ? posted.findLast((one) => one.key === key)?.login : login;
    const entry = kind && ({ login: owner ?? "", kind, text: `${url}\n${body}` } satisfies Posted as Posted);
    if (entry) {
      posted.push(entry);
      onStep(`${entry.kind} received`);
    }
    if (form.has("username")) form.set("username", username);
    await pause(delay());
    const headers = new Headers({ "x-api-key": `${request.headers["x-api-key"]}` });
    const response = await sandbox(new Request(url, { method, headers, ...(method === "POST" && { body: form }) }));
    const reply = (await response.json()) as { status: string; key?: string; context?: string; message?: string };
    if (echoes) {
      const sent = [...new URLSearchParams(body)].flatMap(([name, value]) => (name === "provider" ? [] : [value]));
      sentByLogin[login] ??= new Set();
      for (const value of [...sent, key, reply.key, SANDBOX_API_KEY]) if (value) sentByLogin[login].add(value);
      const echo = [...sentByLogin[login]].join(" ");
      // Not in the text for the person: that is kept as it came.
      Object.assign(reply, { message: echo, code: echo, [echo]: echo });
    }
    if (entry) {
      Object.assign(entry, { status: reply.status, key: reply.key ?? key });
      onStep(`${entry.kind} answered`);
    }
    await pause(delay());
    return { http: response.status, json: reply };
  });
  return {
    url,
    apiKey: SANDBOX_API_KEY,
    posted,
    hungUp: () => hungUp,
    /** The requests of one login. */
    of: (login: string) => posted.filter((one) => one.login === login),
    close,
  };
}

export function findAccount(provider: string, username: string): SandboxAccount {
  const account = sandboxAccounts.find((one) => one.provider === provider && one.username === username);
  if (!account) throw new Error(`The sandbox has no account ${username} at ${provider}.`);
  return account;
}

/** The form of an account. */
export function findForm(...name: Parameters<typeof findAccount>) {
  const { provider, username, password, fields } = findAccount(...name);
  return { provider, username, password, ...(fields && { fields }) };
}

function readKind(request: string, hasKey: boolean): Kind | undefined {
  if (request === "POST /login/") return hasKey ? "second" : "first";
  return /^GET \/client\/[^/]+\/$/.test(request) ? "choice" : undefined;
}
