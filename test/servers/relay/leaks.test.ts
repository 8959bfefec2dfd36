import type { RelayOptions } from "ventanilla/relay";
import { describe, expect, test } from "vitest";
import type { endpoints, ServiceEndpoint } from "../../../src/core/api/bank-request.ts";
import { formatRelayKey, parseLoginName } from "../../../src/core/api/relay-login.ts";
import { respondAs, startService } from "../../bank/service.ts";
import { createCanary, newCanaries } from "../../leaks/canaries.ts";
import { type Source, watch } from "../../leaks/channels.ts";
import { API_KEY, form, PAGE, SEAL_KEY, stage } from "./stage.ts";

const made = newCanaries(["interactionkey", "sessionkey", "username", "password", "answer"]);
const TOKEN = "cnrylogintoken0d41f9a77c1b2e3f4a5b6c7d8e9f0";
const canaries = [
  ...Object.values(made),
  createCanary("the login's token", TOKEN),
  createCanary("the API key", API_KEY),
  { name: "the seal key", token: SEAL_KEY.slice(0, 20), value: SEAL_KEY },
];
// Tokens, not values: what must be encoded in a form would not be found in an echo of the form.
const FORM = { provider: "test", username: made.username.token, password: made.password.token };
const ANSWERED = { ...FORM, otp: made.answer.token };
const KEYS = { interaction: made.interactionkey.token, session: made.sessionkey.token };

const ALL = `${Object.values(ANSWERED).join(" ")} ${API_KEY} ${KEYS.interaction} ${KEYS.session}`;

type Read = {
  [Name in ServiceEndpoint]: (typeof endpoints)[Name] extends "read" ? Name : never;
}[ServiceEndpoint];

const otp = { name: "otp", type: "text", interactive: true, optional: false };
const logo = "https://bank.example/logo.png";
const name = `To ${FORM.username}`;

/** What the service sends to each read, and what the page gets of it. Not the clients, which are texts by their ids: test/servers/relay/login.test.ts. */
const reads: Readonly<Record<Exclude<Read, "GET /client/">, readonly [path: string, sent: object, got: object]>> = {
  "GET /provider/": [
    "/provider/",
    { providers: [{ code: "test", name: "Test", echo: ALL }] },
    { providers: [{ code: "test", country: "", name: "Test" }] },
  ],
  "GET /provider/{code}/": [
    "/provider/test/",
    { provider: { name: "Test", auth_fields: [{ ...otp, echo: ALL }], account_type: [], logo, echo: ALL } },
    { provider: { name: "Test", country: "", auth_fields: [otp], account_type: [], logo } },
  ],
  "GET /transfer/destinations": [
    "/transfer/destinations",
    { destinations: [{ id: 1, name, echo: ALL }] },
    { destinations: [{ id: 1, name }] },
  ],
};

/** A service that repeats all secrets wherever a text may stand. */
function echo(request: Request): Response {
  const { pathname, searchParams } = new URL(request.url);
  const more = { echo: ALL, message: ALL, description: { echo: ALL }, "x-api-key": API_KEY };
  const respond = (members: object) => Response.json({ status: "success", ...more, ...members });
  const read = Object.values(reads).find(([path]) => path === pathname);
  if (read) return respond(read[1]);
  if (pathname === "/logout/") return respond({ status: "logged_out", key: KEYS.session });
  if (searchParams.has("key")) return respond({ status: "logged_in", key: KEYS.session });
  const context = `You sent ${FORM.username}, ${FORM.password} with ${API_KEY} under ${KEYS.interaction}`;
  return respond({ status: "interaction_required", key: KEYS.interaction, field: "otp", context });
}

/** The key that the page's client has of a login, after so many submits. */
function toKey(id: string, last: number, step?: string): string {
  return formatRelayKey({ ...parseLoginName({ id, token: TOKEN }), last, step });
}

/** A relay in front of a service, with all its ways out watched. */
async function stageHunt(respond: (request: Request) => Response, options: Partial<RelayOptions> = {}) {
  const watching = watch(canaries);
  const hooks: Partial<RelayOptions> = {
    onEvent: (event) => watching.see("relay event", event),
    onError: (error) => watching.see("error", error),
    onLogin: ({ provider, key }) => watching.see("handler", { provider, key }),
  };
  const bank = await startService(respondAs(async (request) => respond(request)));
  const set = await stage({ logout: true, ...hooks, ...options }, { bank });
  return {
    ...set,
    watching,
    /** The findings, those in the browser's addresses and in all that it got included. A form is the browser's own. */
    findings: () => {
      for (const { request, response } of set.traffic) {
        watching.see("request hook", request.url);
        watching.see("outcome", [response.status, response.text, [...response.headers]]);
      }
      return watching.findings();
    },
  };
}

const hooks: readonly Source[] = ["relay event", "error", "handler"];

describe("no key, credential or answer is in any response, header, address, event, error, log or token", () => {
  test("of a complete login", async () => {
    const set = await stageHunt(echo);
    const id = crypto.randomUUID();
    const question = await (await set.send("/login/", form(FORM), toKey(id, 0))).json();
    const context = `You sent ${FORM.username}, [secret] with [secret] under [secret]`;
    expect(question).toMatchObject({ status: "interaction_required", field: "otp", context });
    const session = await (await set.send("/login/", form(ANSWERED), toKey(id, 1, question.key))).json();
    expect(session).toEqual({ status: "logged_in", key: "step-2" });
    const key = toKey(id, 2, session.key);
    for (const [path, , got] of Object.values(reads))
      expect(await (await set.send(path, {}, key)).json(), path).toEqual({ status: "success", ...got });
    expect(await (await set.send("/logout/", {}, key)).json()).toEqual({ status: "logged_out" });
    expect(set.bank.requests).toHaveLength(6);
    expect(hooks.map(set.watching.sightings)).toEqual([6, 0, 1]);
    // The bank's texts reach the person as they came: a greeting by name, too.
    const isGreeting = (finding: string) => finding.startsWith("outcome,") && finding.includes(made.username.name);
    expect(set.findings().filter((finding) => !isGreeting(finding))).toEqual([]);
  });

  test.each<[string, (text: string) => Response]>([
    ["HTML that shows the request", (text) => new Response(`<pre>${text}</pre>`, { status: 500 })],
    [
      "a redirect with keys",
      (text) => new Response("", { status: 302, headers: { location: `/?key=${encodeURIComponent(text)}` } }),
    ],
    [
      "a refusal that repeats the form",
      (text) => Response.json({ status: "wrong_credentials", message: text }, { status: 403 }),
    ],
    [
      "an error envelope that repeats the form",
      (text) => Response.json({ status: "error", code: "B1007", type: text, message: text, description: [text] }),
    ],
    ["a status that repeats the form", (text) => Response.json({ status: text })],
    ["a status that is a password", () => Response.json({ status: FORM.password })],
    [
      "the key of a session that blocks the login",
      (text) => Response.json({ status: "max_sessions_reached", key: KEYS.session, message: text }, { status: 403 }),
    ],
    ["half a body", (text) => new Response(`{"status":"${text}`)],
  ])("where the service responds with %s", async (_, respond) => {
    const set = await stageHunt(({ url }) =>
      respond(`${Object.values(ANSWERED).join(" ")} ${API_KEY} ${KEYS.session} ${url}`),
    );
    await set.send("/login/", form(FORM));
    expect(set.bank.requests).toHaveLength(1);
    expect(set.findings()).toEqual([]);
  });

  test("where a function of the owner's throws what it got, which onError alone gets as the cause", async () => {
    const causes: [unknown, string][] = [];
    const onLogin = () => {
      throw Object.assign(new Error(`${KEYS.session} ${FORM.password} ${API_KEY}`), { key: KEYS.session });
    };
    const set = await stageHunt(echo, { onLogin, onError: ({ cause, message }) => causes.push([cause, message]) });
    const id = crypto.randomUUID();
    const { key } = await (await set.send("/login/", form(FORM), toKey(id, 0))).json();
    expect((await set.send("/login/", form(ANSWERED), toKey(id, 1, key))).status).toBe(500);
    expect(causes).toEqual([[expect.any(Error), "handler_failed: onLogin: threw Error"]]);
    const isGreeting = (finding: string) => finding.startsWith("outcome,") && finding.includes(made.username.name);
    expect(set.findings().filter((finding) => !isGreeting(finding))).toEqual([]);
  });

  test("where the browser writes secrets in all the wrong places", async () => {
    const respond = () => Response.json({ status: "wrong_credentials" }, { status: 403 });
    const set = await stageHunt(respond, { checkAppToken: () => false });
    const secret = FORM.password;
    const fromPage = () => ({
      origin: PAGE,
      "x-ventanilla": "1",
      "x-ventanilla-login": crypto.randomUUID(),
      "x-ventanilla-token": TOKEN,
      "x-ventanilla-submit": "1",
    });
    const requests: [path: string, init: RequestInit][] = [
      [`/${secret}/`, { headers: fromPage() }],
      [`/provider/${secret}/`, { headers: fromPage() }],
      [`/login/?${secret}=1`, form(FORM, fromPage())],
      ["/login/", form({ ...FORM, provider: secret }, fromPage())],
      ["/login/", form({ ...FORM, [`${secret} `]: "1" }, fromPage())],
      ["/provider/", { method: "PUT", headers: { [secret]: secret, origin: secret } }],
      ["/provider/", { headers: { "x-ventanilla": "1", authorization: `Bearer ${secret} ${secret}` } }],
      ["/provider/", { headers: { "x-ventanilla": "1", authorization: `Bearer ${secret}` } }],
    ];
    for (const [path, init] of requests) {
      const response = await set.relay(new Request(`http://relay.example${path}`, init));
      set.watching.see("outcome", [response.status, await response.text(), [...response.headers]]);
    }
    expect(set.watching.sightings("relay event")).toBe(requests.length);
    expect(set.findings()).toEqual([]);
  });
});
