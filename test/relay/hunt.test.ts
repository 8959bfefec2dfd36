import { inspect } from "node:util";
import { BankError } from "ventanilla";
import type { RelayLogin, RelayOptions } from "ventanilla/relay";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Canary, canaryOf, findCanaries, newCanaries } from "../leaks/canaries.ts";
import { API_KEY, form, PAGE, SEAL_KEY, stage, startService } from "./stage.ts";

const made = newCanaries(["interactionkey", "sessionkey", "username", "password", "answer", "apptoken"]);
const canaries: readonly Canary[] = [
  ...Object.values(made),
  canaryOf("the API key", API_KEY),
  { name: "the seal key", token: SEAL_KEY.slice(0, 20), value: SEAL_KEY },
];
// The form's own encoding would hide them from a search in a text.
const FORM = { provider: "test", username: made.username.token, password: made.password.token };
const ANSWERED = { ...FORM, otp: made.answer.token };
const KEYS = { interaction: made.interactionkey.token, session: made.sessionkey.token };

let seen: { where: string; value: unknown }[];

beforeEach(() => {
  seen = [];
  for (const [name, method] of Object.entries(console)) {
    if (typeof method !== "function") continue;
    vi.spyOn(console, name as "log").mockImplementation((...value) => void seen.push({ where: "console", value }));
  }
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((value) => seen.push({ where: "output", value }) > 0);
  }
  const listen = (...value: unknown[]) => void seen.push({ where: "process", value });
  for (const name of ["warning", "unhandledRejection", "uncaughtException"]) process.on(name, listen);
  onTestFinished(() => {
    for (const name of ["warning", "unhandledRejection", "uncaughtException"]) process.off(name, listen);
    vi.restoreAllMocks();
  });
});

/** A service that says of itself all it can, and repeats what it is sent wherever a text may stand. */
function talkative(request: Request): Response | Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const echo = `${Object.values(ANSWERED).join(" ")} ${API_KEY} ${KEYS.interaction} ${KEYS.session}`;
  const more = { echo, message: echo, description: { echo }, "x-api-key": API_KEY };
  if (pathname === "/provider/")
    return Response.json({ status: "success", providers: [{ code: "test", name: "Test" }], ...more });
  if (pathname === "/provider/test/") {
    const provider = {
      name: "Test",
      auth_fields: [{ name: "otp", echo }],
      account_type: [],
      logo: `data:${echo}`,
      echo,
    };
    return Response.json({ status: "success", provider, ...more });
  }
  if (pathname === "/transfer/destinations") {
    return Response.json({ status: "success", destinations: [{ id: 1, name: `To ${KEYS.session}`, echo }], ...more });
  }
  if (pathname === "/logout/") return Response.json({ status: "logged_out", key: KEYS.session, ...more });
  if (searchParams.has("key")) return Response.json({ status: "logged_in", key: KEYS.session, ...more });
  const context = `You sent ${FORM.username}, ${FORM.password} with ${API_KEY} under ${KEYS.interaction}`;
  return Response.json({ status: "interaction_required", key: KEYS.interaction, field: "otp", context, ...more });
}

/** The same, but for its login, which fails in this way. */
const failing = (answer: (text: string) => Response) => (request: Request) => {
  if (new URL(request.url).pathname !== "/login/") return talkative(request);
  return answer(`${Object.values(ANSWERED).join(" ")} ${API_KEY} ${KEYS.session} ${request.url}`);
};

async function staged(answer: (request: Request) => Response | Promise<Response>, options: Partial<RelayOptions> = {}) {
  const set = await stage(
    {
      logout: true,
      onEvent: (value) => seen.push({ where: "event", value }),
      onError: (value) => seen.push({ where: "error", value }),
      onLogin: ({ provider, key }: RelayLogin) => seen.push({ where: "login", value: { provider, key } }),
      ...options,
    },
    { bank: await startService(async (request) => answer(request)) },
  );
  return set;
}

/** Every way out, in every form that a log might give it. */
function findings(set: Awaited<ReturnType<typeof staged>>): string[] {
  const all = [...seen];
  for (const { request, response } of set.traffic) {
    // What the browser sends in a form is its own; what stands in addresses and answers is everybody's.
    all.push({ where: "address", value: request.url });
    all.push({ where: "answer", value: [response.status, response.text, [...response.headers]] });
    for (const token of `${request.url} ${response.text}`.match(/[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+/g) ?? []) {
      all.push({
        where: "token",
        value: token.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1")),
      });
    }
  }
  return all.flatMap(({ where, value }) => {
    const forms = [value, JSON.stringify(value), inspect(value, { showHidden: true, depth: 8 })];
    if (value instanceof BankError) forms.push(value.stack, value.message);
    return forms.flatMap((one) => findCanaries(one, canaries)).map((finding) => `${where}: ${finding}`);
  });
}

const places = () => new Set(seen.map(({ where }) => where));

describe("no key, credential or answer is in any answer, header, address, event, error, log or token", () => {
  test("of a whole login", async () => {
    const set = await staged(talkative);
    await set.send("/provider/");
    await set.send("/provider/test/");
    const required = await (await set.send("/login/", form(FORM))).json();
    expect(required).toMatchObject({
      status: "interaction_required",
      field: "otp",
      context: expect.stringContaining("[secret]"),
    });
    const started = await (await set.send(`/login/?key=${required.key}`, form(ANSWERED))).json();
    expect(started).toEqual({ status: "logged_in", key: expect.any(String) });
    const destinations = await (await set.send(`/transfer/destinations?key=${started.key}`)).json();
    expect(destinations).toEqual({ status: "success", destinations: [{ id: 1, name: "To [secret]" }] });
    expect(await (await set.send(`/logout/?key=${started.key}`)).json()).toEqual({ status: "logged_out" });
    expect(set.bank.requests).toHaveLength(6);
    expect(places()).toEqual(new Set(["event", "login"]));
    expect(findings(set)).toEqual([]);
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
      "a session in the way",
      (text) => Response.json({ status: "max_sessions_reached", key: KEYS.session, message: text }, { status: 403 }),
    ],
    ["a broken body", (text) => new Response(`{"status":"${text}`)],
  ])("where the service answers %s", async (_, answer) => {
    const set = await staged(failing(answer));
    await set.send("/login/", form(FORM));
    expect(set.bank.requests).toHaveLength(1);
    expect(findings(set)).toEqual([]);
  });

  test("where a function of the owner's throws what it was given", async () => {
    const leak = () => {
      throw Object.assign(new Error(`${KEYS.session} ${FORM.password} ${API_KEY}`), { key: KEYS.session });
    };
    const set = await staged(talkative, { onLogin: leak });
    const required = await (await set.send("/login/", form(FORM))).json();
    expect((await set.send(`/login/?key=${required.key}`, form(ANSWERED))).status).toBe(500);
    expect(places()).toEqual(new Set(["event", "error"]));
    expect(findings(set)).toEqual([]);
  });

  test.each<[string, () => boolean]>([
    ["accepts it", () => true],
    ["refuses it", () => false],
    [
      "throws it",
      () => {
        throw Object.assign(new Error(made.apptoken.token), { token: made.apptoken.token });
      },
    ],
  ])("where an app sends its token, and the function that checks it %s", async (_, check) => {
    const set = await staged(talkative, {
      checkAppToken: (app) => {
        // What a log of the owner's would show of the member.
        seen.push({ where: "checked", value: app.token });
        return check();
      },
    });
    const { token } = made.apptoken;
    const { headers, ...init } = form(FORM);
    const authorized = { origin: "", authorization: `Bearer ${token}` };
    await set.send("/login/", { ...init, headers: { ...(headers as object), ...authorized } });
    await set.send("/provider/", { headers: { ...authorized, authorization: `Bearer ${token} ${token}` } });
    await set.send("/provider/", { headers: { ...authorized, authorization: `Basic ${token}` } });
    expect(places()).toContain("checked");
    expect(findings(set)).toEqual([]);
    for (const { headers: sent } of set.bank.requests) expect(JSON.stringify([...sent])).not.toContain(token);
  });

  test("where the browser writes secrets in all the wrong places", async () => {
    const set = await staged(failing(() => Response.json({ status: "wrong_credentials" }, { status: 403 })));
    const secret = FORM.password;
    const own = { origin: PAGE, "x-ventanilla": "1" };
    const typed = (fields: Record<string, string>): RequestInit => {
      const { headers, ...init } = form(fields);
      return { ...init, headers: { ...headers, ...own } };
    };
    const requests: [path: string, init: RequestInit][] = [
      [`/${secret}/`, { headers: own }],
      [`/provider/${secret}/`, { headers: own }],
      [`/login/?${secret}=1`, typed(FORM)],
      ["/login/", typed({ ...FORM, provider: secret })],
      ["/login/", typed({ ...FORM, [`${secret} `]: "1" })],
      ["/provider/", { method: "PUT", headers: { [secret]: secret, origin: secret } }],
    ];
    const sent = await Promise.all(
      requests.map(([path, init]) => set.relay(new Request(`http://relay.example${path}`, init))),
    );
    for (const response of sent) {
      seen.push({ where: "answer", value: [response.status, await response.text(), [...response.headers]] });
    }
    expect(findings(set)).toEqual([]);
  });
});

test("the hunt finds each canary that is planted", async () => {
  const set = await staged(talkative);
  for (const { name, value } of canaries) seen.push({ where: "event", value: { held: [new Map([[name, value]])] } });
  const found = findings(set);
  for (const { name } of canaries) expect(found).toContainEqual(expect.stringContaining(`event: ${name} at `));
});
