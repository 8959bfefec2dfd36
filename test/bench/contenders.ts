import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createBankClient, login } from "../../src/index.ts";
import { findResponse, type Kind, usernames } from "./canned.ts";
import { createGuardedPost, expectLoggedIn, logInByHand, post } from "./hand-written.ts";

/** One way to log in, to the session key and no further. */
export type Contender = () => Promise<unknown>;

/** `login()`, and what it is measured beside. */
export type Name = "login()" | "pair of calls" | "bare fetch";

const credentials = { provider: "test", password: "correct horse battery staple" };
const answer = "482913";

/** A bank in this process. */
export const inProcess: typeof fetch = async (address, init) =>
  new Response(findResponse(String(address), await new Response(init?.body ?? null).text()), {
    headers: { "content-type": "application/json" },
  });

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

/** The ways to log in at a bank, all on the same `fetch` and, where there is one, the same client. */
export function contenders(
  kind: Kind,
  baseUrl: string,
  bank?: typeof fetch,
): Readonly<Record<Name | "same guarantees" | "four guarantees", Contender>> {
  const client = createBankClient({ baseUrl, apiKey: "api-key", ...(bank && { fetch: bank }) });
  const fields = { ...credentials, username: usernames[kind] };
  return {
    "login()": async () => {
      // The other two read no fields either.
      const outcome = await login(client, { ...fields, validate: false, onInteraction: () => answer });
      expectLoggedIn(outcome);
    },
    "pair of calls": async () => {
      const { signal } = new AbortController();
      const first = await client.login(fields, { signal });
      if (first.status !== "interaction_required") return expectLoggedIn(first);
      const { key, field } = first;
      if (!key || !field) throw new Error("no key or no field");
      expectLoggedIn(await client.login({ ...fields, [field]: answer }, { key, signal }));
    },
    "same guarantees": () => logInByHand(createGuardedPost("all"), bank ?? fetch, baseUrl, fields, answer),
    "four guarantees": () => logInByHand(createGuardedPost("four"), bank ?? fetch, baseUrl, fields, answer),
    "bare fetch": () => logInByHand(post, bank ?? fetch, baseUrl, fields, answer),
  };
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
