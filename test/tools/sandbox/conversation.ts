import { createSandbox, SANDBOX_API_KEY, type SandboxOptions } from "ventanilla/sandbox";
import type { SandboxClock } from "../../../src/tools/sandbox/sandbox-options.ts";

export interface Reply {
  readonly http: number;
  readonly body: { readonly status: string; readonly key?: string; readonly [member: string]: unknown };
}

export type Form = Readonly<Record<string, string>>;

/** The requests of the contract, written out by hand, to a sandbox in this process or to a port. */
export function converse(send: (request: Request) => Promise<Response>, base = "http://sandbox.test") {
  const ask = async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const headers = new Headers(init.headers);
    if (!headers.has("X-API-Key")) headers.set("X-API-Key", SANDBOX_API_KEY);
    const response = await send(new Request(`${base}${path}`, { ...init, headers }));
    return { http: response.status, body: await response.json() };
  };
  return {
    ask,
    get: (path: string, headers: Record<string, string> = {}) => ask(path, { headers }),
    login: (form: Form, key?: string) =>
      ask(key === undefined ? "/login/" : `/login/?key=${encodeURIComponent(key)}`, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(form).toString(),
      }),
    destinations: (key: string | undefined) => ask(`/transfer/destinations?key=${key}`),
  };
}

export const newConversation = (options?: SandboxOptions) => converse(createSandbox(options));

export function readKey(reply: Reply): string {
  if (typeof reply.body.key !== "string") throw new Error(`No key in ${JSON.stringify(reply)}`);
  return reply.body.key;
}

/** A clock that stands still until `advance`. */
export function handClock(start = Date.UTC(2026, 0, 1)) {
  let present = start;
  const waiting = new Set<{ until: number; wake: () => void }>();
  const clock: SandboxClock = {
    now: () => present,
    wait: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const waiter = { until: present + milliseconds, wake: resolve };
        waiting.add(waiter);
        signal.addEventListener("abort", () => {
          waiting.delete(waiter);
          reject(signal.reason);
        });
      }),
  };
  return {
    clock,
    waiting: () => waiting.size,
    advance(milliseconds: number) {
      present += milliseconds;
      for (const waiter of waiting) {
        if (waiter.until > present) continue;
        waiting.delete(waiter);
        waiter.wake();
      }
    },
  };
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The response to a key that opens nothing. */
export const invalidKey: Reply = { http: 200, body: { status: "error", message: "Invalid key" } };
