import { randomBytes } from "node:crypto";
import { createMemoryClaimStore, reveal } from "ventanilla";
import { createNodeHandler, createRelay, type RelayApp } from "ventanilla/relay";
import { expect, test } from "vitest";
import { asks, startService } from "../bank/service.ts";
import { listen } from "../servers/relay/stage.ts";
import { personal, watch } from "./channels.ts";
import { loginStatechart } from "./drivers.ts";
import { parrot } from "./echoes.ts";
import { type Canaries, createProvingClient, flowCanaries, sentTo } from "./flows.ts";

/** A bank that repeats all it was sent, and the app's token, which it has from elsewhere. */
const script = ({ appToken, firstKey, secondKey, sessionKey }: Canaries) => {
  const echo = (all: readonly string[]) => [appToken.value, ...all.slice(0, 4)].join(" ");
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
  const canaries = flowCanaries();
  const bank = await startService(script(canaries));
  const watching = watch(Object.values(canaries));
  const checked: string[] = [];
  const relay = createRelay({
    client: createProvingClient(bank, canaries, "apiKey"),
    sealKey: randomBytes(32).toString("base64"),
    claimStore: createMemoryClaimStore(),
    allowedOrigins: [],
    clientSelection: true,
    checkAppToken: (app) => {
      checked.push(reveal(app.token));
      watching.see("handler", app.token);
      return check(app);
    },
    onLogin: ({ provider, key }) => watching.see("handler", { provider, key }),
    onEvent: (event) => watching.see("relay event", event),
    // What the check itself threw is the cause.
    onError: ({ cause: _, ...error }) => watching.see("error", error),
  });
  const url = await listen(createNodeHandler(relay));
  const app = createProvingClient({ url }, canaries, "appToken", watching.hooks);

  expect(await loginStatechart(app, canaries, watching, { clientSelection: true })).toBe(end);
  expect(new Set(checked)).toEqual(new Set([canaries.appToken.value]));
  expect(watching.sightings("relay event")).toBeGreaterThan(0);
  expect(watching.findings(personal)).toEqual([]);
  // The relay keeps it for itself.
  expect(bank.requests).toHaveLength(end === "loggedIn" ? 6 : 0);
  expect(sentTo(bank)).not.toContain(canaries.appToken.token);
});
