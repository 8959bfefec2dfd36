import type { BankClient } from "../../src/index.ts";
import { createBankClient, login } from "../../src/index.ts";
import { findResponse, type Kind, usernames } from "./canned.ts";

/** One way to log in, to the session key and no further. */
export type Contender = () => Promise<unknown>;

/** The names of the contenders beside which `login()` is measured, ours first. */
export const names = ["login()", "pair of calls", "bare fetch"] as const;
export type Name = (typeof names)[number];

const credentials = { provider: "test", password: "correct horse battery staple" };
const answer = "482913";

/** A bank in this process. */
export const inProcess: typeof fetch = async (address, init) =>
  new Response(findResponse(String(address), await new Response(init?.body ?? null).text()), {
    headers: { "content-type": "application/json" },
  });

/** A client of the bank in this process. */
export function inProcessClient(): BankClient {
  return createBankClient({ baseUrl: "http://bank.example", apiKey: "api-key", fetch: inProcess });
}

/** The ways to log in at a bank, all on the same `fetch` and, where there is one, the same client. */
export function contenders(
  kind: Kind,
  baseUrl: string,
  bank?: typeof fetch,
): Readonly<Record<Name | "guarded fetch", Contender>> {
  const client = createBankClient({ baseUrl, apiKey: "api-key", ...(bank && { fetch: bank }) });
  const fields = { ...credentials, username: usernames[kind] };
  return {
    "login()": async () => {
      const outcome = await login(client, { ...fields, onInteraction: () => answer });
      if (outcome.status !== "logged_in") throw new Error(outcome.status);
    },
    "pair of calls": async () => {
      const { signal } = new AbortController();
      const first = await client.login(fields, { signal });
      if (first.status !== "interaction_required") return arrived(first.status);
      const { key, field } = first;
      if (!key) throw new Error("no key");
      arrived((await client.login({ ...fields, [field]: answer }, { key, signal })).status);
    },
    "guarded fetch": () => pair(guardedPost, bank ?? fetch, baseUrl, fields),
    "bare fetch": () => pair(post, bank ?? fetch, baseUrl, fields),
  };
}

async function pair(
  send: typeof guardedPost,
  bank: typeof fetch,
  baseUrl: string,
  fields: Readonly<Record<string, string>>,
) {
  const { signal } = new AbortController();
  const first = await send(bank, `${baseUrl}/login/`, fields, signal);
  if (first.status !== "interaction_required") return arrived(first.status);
  const { key = "", field = "" } = first;
  const again = { ...fields, [field]: answer };
  arrived((await send(bank, `${baseUrl}/login/?key=${encodeURIComponent(key)}`, again, signal)).status);
}

interface LoginBody {
  readonly status: string;
  readonly key?: string;
  readonly field?: string;
}

async function post(bank: typeof fetch, address: string, fields: Readonly<Record<string, string>>): Promise<LoginBody> {
  const response = await bank(address, {
    method: "POST",
    headers: { "x-api-key": "api-key", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
  return (await response.json()) as LoginBody;
}

/** The same with what the client guarantees: a time-out, a caller's signal, a limit of the response's size, no redirect. */
async function guardedPost(
  bank: typeof fetch,
  address: string,
  fields: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<LoginBody> {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error("aborted"));
  signal.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => controller.abort(new Error("timed out")), 90_000);
  try {
    const response = await bank(address, {
      method: "POST",
      headers: {
        accept: "application/json",
        "x-api-key": "api-key",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(fields).toString(),
      redirect: "manual",
      signal: controller.signal,
    });
    if (response.status >= 300 && response.status < 400) throw new Error("redirected");
    const chunks: Uint8Array[] = [];
    let size = 0;
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      size += part.value.byteLength;
      if (size > 4 * 1024 * 1024) throw new Error("too large");
      chunks.push(part.value);
    }
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks))) as LoginBody;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

function arrived(status: string): void {
  if (status !== "logged_in") throw new Error(status);
}

/** As many logins as asked for, a number of them at a time. */
export function several(contender: Contender, count: number, atATime: number): Contender {
  return async () => {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await contender();
    };
    await Promise.all(Array.from({ length: atATime }, worker));
  };
}
