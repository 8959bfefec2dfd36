import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createBankClient, login, type Secret } from "../../src/index.ts";
import { usernames } from "./canned.ts";

/** One way to log in, to the session key and no further. */
export type Contender = () => Promise<unknown>;

const RESPONSE_LIMIT = 4 * 1024 * 1024;

const fields = { provider: "test", username: usernames.interaction, password: "correct horse battery staple" };
const answer = "482913";

/** Runs something with the address of a bank in another process. */
export async function withBank<Result>(run: (baseUrl: string) => Promise<Result>): Promise<Result> {
  const bank = fork(fileURLToPath(new URL("bank.js", import.meta.url)));
  try {
    const [{ port }] = (await once(bank, "message")) as [{ readonly port: number }];
    return await run(`http://127.0.0.1:${port}`);
  } finally {
    bank.kill();
  }
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

/** The ways to log in at a bank that asks for a code. None reads the bank's fields. */
export function createContenders(
  baseUrl: string,
): Readonly<Record<"login()" | "pair of calls" | "by hand", Contender>> {
  const client = createBankClient({ baseUrl, apiKey: "api-key" });
  return {
    "login()": async () => {
      const { state: status } = await login(client, fields, {
        settings: { validate: false },
        onInteraction: () => answer,
      });
      if (status !== "loggedIn") throw new Error(status);
    },
    "pair of calls": () => {
      const { signal } = new AbortController();
      return logInTwice((form, key) => client.login(form, { signal, ...(key !== undefined && { key }) }));
    },
    "by hand": () => {
      const { signal } = new AbortController();
      return logInTwice((form, key?: string) => {
        const query = key === undefined ? "" : `?key=${encodeURIComponent(key)}`;
        return post(`${baseUrl}/login/${query}`, form, signal);
      });
    },
  };
}

/** The first login and the answer. */
async function logInTwice<Key extends string | Secret>(
  send: (
    form: Readonly<Record<string, string>> & typeof fields,
    key?: Key,
  ) => Promise<{ readonly status: string; readonly key?: Key; readonly field?: string }>,
): Promise<void> {
  const { key, field } = await send(fields);
  if (!key || !field) throw new Error("no key or no field");
  const { status } = await send({ ...fields, [field]: answer }, key);
  if (status !== "logged_in") throw new Error(status);
}

/** A login as a careful caller writes it without the library. */
async function post(address: string, form: Readonly<Record<string, string>>, signal: AbortSignal) {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error("aborted"));
  signal.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => controller.abort(new Error("timed out")), 90_000);
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: {
        accept: "application/json",
        // The client opens a connection for each login.
        connection: "close",
        "x-api-key": "api-key",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(form).toString(),
      redirect: "manual",
      signal: controller.signal,
    });
    return JSON.parse(await readText(response));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

async function readText(response: Response): Promise<string> {
  if (response.status >= 300 && response.status < 400) throw new Error("redirected");
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > RESPONSE_LIMIT) throw new Error("too large");
    chunks.push(part.value);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}
