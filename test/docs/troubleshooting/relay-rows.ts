import { randomBytes } from "node:crypto";
import { createRelayClient, login, type RelayClientOptions } from "ventanilla";
import { createRateLimit } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { expect } from "vitest";
import { startSandbox, startService } from "../../bank/service.ts";
import { readFault } from "../../core/api/faults.ts";
import {
  ANSWER,
  form,
  interactionKey,
  OTP,
  PLAIN,
  readResponse,
  SEAL_KEY,
  type Stage,
  stage,
} from "../../servers/relay/stage.ts";
import { type Row, seeFault } from "./row.ts";

/** A page of a relay whose logins get this in place of the relay's response, for as long as the page asks. Its reads reach the relay. */
async function openPage(
  respond: (set: Stage, input: string, init: RequestInit) => Response | Promise<Response>,
  // Too short to ask.
  options: Partial<RelayClientOptions> = { timeout: { login: 2_500 } },
) {
  const set = await stage();
  const fetch = async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const sent = { ...init, headers: { "x-ventanilla": "", ...Object.fromEntries(new Headers(init.headers)) } };
    return init.method === "POST" ? respond(set, String(input), sent) : set.send(String(input), sent);
  };
  return { ...set, page: createRelayClient({ baseUrl: set.url, retry: false, fetch, ...options }) };
}

/** A proxy's own response to a login: the relay gets nothing. */
async function logInPast(status: number, options?: Partial<RelayClientOptions>) {
  const { page, bank, events } = await openPage(() => new Response("<html>", { status }), options);
  const seen = await seeFault(login(page, PLAIN));
  expect(bank.requests.filter(({ method }) => method === "POST")).toEqual([]);
  expect(events.filter(({ method }) => method === "POST")).toEqual([]);
  return seen;
}

export const relay: readonly Row[] = [
  // The page asks, and its question passes.
  { row: "`network_failed` with the detail `NOT_RECEIVED`", happen: () => logInPast(403, {}) },
  { row: "`outcome_unknown` with HTTP 504", happen: () => logInPast(504) },
  {
    row: "`outcome_unknown` with HTTP 502",
    async happen() {
      const { page } = await openPage(() => new Response("<html>", { status: 502 }));
      const reads = createRelayClient({
        baseUrl: "https://login.example",
        retry: false,
        fetch: async () => new Response("<html>", { status: 502 }),
      });
      const { code } = await readFault(reads.listProviders());
      return [...(await seeFault(login(page, PLAIN))), `of a read \`${code}\``];
    },
  },
  {
    row: "A login reaches the bank after",
    async happen() {
      const stored: (() => Promise<Response>)[] = [];
      const { page, bank } = await openPage(({ send }, input, init) => {
        stored.push(() => send(input, init));
        throw new TypeError("Failed to fetch");
      });
      const { code } = await readFault(login(page, PLAIN));
      expect(code).toBe("network_failed");
      expect(bank.paths()).not.toContain("POST /login/");
      for (const send of stored) await send();
      expect(bank.paths()).toContain("POST /login/");
      return ["A login reaches the bank"];
    },
  },
  {
    row: '`invalid_input` with `field: "baseUrl"`',
    async happen() {
      const { code, field } = await readFault((async () => createRelayClient({ baseUrl: "/bank" }).listProviders())());
      return [`\`${code}\``, `\`field: "${field}"\``];
    },
  },
  {
    row: "HTTP 403 `Header X-Ventanilla missing`",
    async happen() {
      const { send } = await stage();
      const responses = [
        await send("/login/", form(PLAIN, { "x-ventanilla": "" })),
        await send("/login/", form(PLAIN, { "x-ventanilla-login": "" })),
      ];
      const read = await Promise.all(responses.map(readResponse));
      return read.map(([http, body]) => `${http} \`${(body as { message: string }).message}\``);
    },
  },
  {
    row: "`invalid_key` after a restart",
    async happen() {
      const before = await stage({ sealKey: SEAL_KEY });
      const key = await interactionKey(before);
      const after = await stage({ sealKey: randomBytes(32).toString("base64") });
      return [`\`${(await after.browser().login(ANSWER, { key })).status}\``];
    },
  },
  {
    row: "`outcome_unknown` with HTTP 409",
    async happen() {
      const bank = await startService([{ http: 500, text: "<html>" }]);
      const set = await stage({}, { bank });
      const seen = await seeFault(set.browser().login(OTP));
      expect(set.errors).toMatchObject([{ detail: "http_failed" }]);
      return seen;
    },
  },
  {
    row: "`outcome_unknown` for each login",
    async happen() {
      const { page, events } = await openPage(async ({ send }, input, init) => {
        const { status, body } = await send(input, init);
        return new Response(body, { status });
      });
      const { code } = await readFault(login(page, PLAIN));
      expect(events).toMatchObject([{ status: "success" }, { status: "logged_in" }]);
      return [`\`${code}\``];
    },
  },
  {
    row: "`rate_limited` for everybody",
    async happen() {
      const set = await stage({ rateLimit: createRateLimit({ login: 1 }) });
      await set.browser().login(PLAIN);
      const { code } = await readFault(set.browser().login(OTP));
      return [`\`${code}\``];
    },
  },
  {
    row: "`http_failed` with HTTP 500",
    async happen() {
      const store = createMemoryStore();
      const failing = { ...store, swap: () => Promise.reject(new Error("READONLY")) };
      const set = await stage({ store: failing });
      const seen = await seeFault(set.browser().login(PLAIN));
      const [error] = set.errors;
      expect(error?.cause).toMatchObject({ message: "READONLY" });
      return [...seen, `\`${error?.code}\` with \`field: "${error?.field}"\``];
    },
  },
  {
    row: "`invalid_key` (4)",
    async happen() {
      const [ended, next] = [await startSandbox(), await startSandbox()];
      const outcome = await login(ended.client(), PLAIN);
      if (outcome.state !== "loggedIn") throw new Error(outcome.state);
      const { status } = await next.client().listTransferDestinations(outcome.key);
      return [`\`${status}\``];
    },
  },
];
