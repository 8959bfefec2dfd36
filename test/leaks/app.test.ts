import { randomBytes } from "node:crypto";
import { reveal } from "ventanilla";
import { createNodeHandler } from "ventanilla/node";
import { createRelay, type RelayApp, type RelayOptions } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, test } from "vitest";
import type { ClientOptions } from "../../src/core/api/client-options.ts";
import type { RelaySender } from "../../src/servers/relay/relay-options.ts";
import { asks, startService } from "../bank/service.ts";
import { listen, PAGE } from "../servers/relay/stage.ts";
import { personal, watch } from "./channels.ts";
import { loginStatechart } from "./drivers.ts";
import { parrot } from "./echoes.ts";
import { type Canaries, createProvingClient, flowCanaries, type Proof, sentTo } from "./flows.ts";
import { findLoginToken } from "./scan.ts";

/** A bank that repeats all it was sent, and the token, which it has from elsewhere. */
const script = ({ bearerToken, firstKey, secondKey, sessionKey }: Canaries) => {
  const echo = (all: readonly string[]) => [bearerToken.value, ...all.slice(0, 4)].join(" ");
  return parrot([
    (_, all) => asks("otp", firstKey.value, echo(all)),
    (_, all) => ({ json: { status: "select_client", key: secondKey.value, message: echo(all) } }),
    (_, all) => ({ json: { status: "success", clients: { 0: echo(all) } } }),
    // Once more before one is chosen.
    (_, all) => ({ json: { status: "success", clients: { 0: echo(all) } } }),
    (_, all) => ({ json: { status: "success", key: sessionKey.value, message: echo(all) } }),
    (_, all) => ({ json: { status: "success", destinations: [{ id: 1, name: echo(all) }] } }),
  ]);
};

async function stageRelay(createOptions: (watching: ReturnType<typeof watch>) => Partial<RelayOptions>) {
  const canaries = flowCanaries();
  const bank = await startService(script(canaries));
  const secrets = Object.values(canaries);
  const watching = watch(secrets);
  const store = createMemoryStore({ rows: new Map() });
  const relay = createRelay({
    client: createProvingClient(bank, canaries, "apiKey"),
    sealKey: randomBytes(32).toString("base64"),
    store: {
      ...store,
      swap: (id, expected, text, ...rest) => {
        watching.see("storage", `${id} ${text}`);
        return store.swap(id, expected, text, ...rest);
      },
    },
    allowedOrigins: [],
    clientSelection: true,
    onLogin: ({ provider, key }) => watching.see("handler", { provider, key }),
    onEvent: (event) => watching.see("relay event", event),
    // What a function itself threw is the cause.
    onError: ({ cause: _, ...error }) => watching.see("error", error),
    ...createOptions(watching),
  });
  const handle = createNodeHandler(relay);
  const url = await listen((request, response) => {
    secrets.push(...findLoginToken(request));
    return handle(request, response);
  });
  const logIn = async (proof: Proof, end: string, options: Partial<ClientOptions> = {}) => {
    const client = createProvingClient({ url }, canaries, proof, { ...watching.hooks, ...options });
    expect(await loginStatechart(client, canaries, watching, { validate: false, clientSelection: true })).toBe(end);
    expect(watching.sightings("relay event")).toBeGreaterThan(0);
    expect(watching.sightings("storage")).toBeGreaterThanOrEqual(end === "loggedIn" ? 6 : 0);
    expect(secrets.filter(({ name }) => name === "loginToken").length).toBeGreaterThan(0);
    expect(watching.findings(personal)).toEqual([]);
    // The relay keeps it for itself.
    expect(bank.requests).toHaveLength(end === "loggedIn" ? 6 : 0);
    expect(sentTo(bank)).not.toContain(canaries[proof].token);
  };
  return { canaries, logIn };
}

test.each<[string, (app: RelayApp) => boolean, string]>([
  ["accepts it", () => true, "loggedIn"],
  ["refuses it", () => false, "failed"],
  [
    "throws it",
    ({ token }) => {
      throw Object.assign(new Error(reveal(token)), { token: reveal(token) });
    },
    "failed",
  ],
  ["returns it", ({ token }) => reveal(token) as unknown as boolean, "failed"],
])("an app's token gets out of neither app nor relay, where the function that checks it %s", async (_, check, end) => {
  const checked: string[] = [];
  const set = await stageRelay((watching) => ({
    checkAppToken: (app) => {
      checked.push(reveal(app.token));
      watching.see("handler", app.token);
      return check(app);
    },
  }));
  await set.logIn("bearerToken", end);
  expect(new Set(checked)).toEqual(new Set([set.canaries.bearerToken.value]));
});

test.each<[string, (page: RelaySender) => string | undefined, string]>([
  ["knows it", () => "ana", "loggedIn"],
  ["does not know it", () => undefined, "failed"],
  [
    "throws it",
    ({ request }) => {
      throw new Error(`${request.headers.get("authorization")}`);
    },
    "failed",
  ],
])("a page's token gets out of neither page nor relay, if what reads the user %s", async (_, read, end) => {
  const tokens: (string | null)[] = [];
  const set = await stageRelay(() => ({
    allowedOrigins: [PAGE],
    allowedHeaders: ["authorization"],
    readUser: (page) => {
      tokens.push(page.request.headers.get("authorization"));
      return read(page);
    },
  }));
  const fetchAsPage: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    request.headers.set("origin", PAGE);
    return fetch(request);
  };
  await set.logIn("bearerToken", end, { fetch: fetchAsPage });
  expect(new Set(tokens)).toEqual(new Set([`Bearer ${set.canaries.bearerToken.value}`]));
});
