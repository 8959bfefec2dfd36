import { readFile } from "node:fs/promises";
import { inspect } from "node:util";
import {
  BankError,
  createCredentials,
  createLoginMachine,
  describeFailure,
  login,
  loginView,
  pause,
  resume,
  reveal,
} from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { inspectAll, lifecycleTelemetry } from "ventanilla/telemetry";
import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type AnyActor, createActor, type InspectionEvent, waitFor } from "xstate";
import { failures } from "../src/core/api/failures.ts";
import {
  asks,
  failed,
  type Line,
  loggedIn,
  loginUnread,
  openQuestion,
  person,
  type Service,
  selectClient,
  sessionKey,
  startService,
  unasked,
} from "./bank/service.ts";
import { start, submit } from "./core/login/started.ts";
import { holdTimeout } from "./faults/timeouts.ts";
import { readPosition } from "./machines/position.ts";
import { recorder } from "./tools/telemetry/spans.ts";

// One quick test for each promise. The rooms test each of them in every place where it could break.

const promised = {
  secrets:
    "A password, an answer, a session key or an API key is in no snapshot, log, error, inspection event or telemetry.",
  once: "Each login reaches the bank at most once, even if `fetch` or the browser would retry.",
  ends: "No request hangs: each has a time-out, and each login can be cancelled.",
  coded: "An unknown or broken response becomes an error code, never a crash.",
  contract: "Extensions to the contract are off by default.",
};

test("README.md promises what is tested here, and nothing else", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const [, list = ""] = /^## What is promised\n\n((?:- .*\n)+)/m.exec(readme) ?? [];
  const sentences = list
    .trim()
    .split("\n")
    .map((line) => line.slice(2).replaceAll(/ \(\[[^)]*\)\)|\[([^\]]*)\]\([^)]*\)/g, "$1"));
  expect(sentences).toEqual(Object.values(promised));
});

const PAGE = "https://shop.example";
const KEY = Buffer.alloc(32, 7).toString("base64");
const retrying = { retry: { delay: 1 } };
const unread = { validate: false } as const;

/** The headers of the first submit of a login. */
const createSubmit = () => ({
  "x-ventanilla-login": crypto.randomUUID(),
  "x-ventanilla-token": "a".repeat(43),
  "x-ventanilla-submit": "1",
});

/** A relay before the service, and what a page's script sends to it. */
function createPage(service: Service, options: Partial<Parameters<typeof createRelay>[0]> = {}) {
  const relay = createRelay({
    client: service.client(),
    sealKey: KEY,
    store: createMemoryStore({ rows: new Map() }),
    allowedOrigins: [PAGE],
    readUser: () => "ana",
    rateLimit: false,
    onLogin: () => {},
    ...options,
  });
  const headers = { origin: PAGE, "x-ventanilla": "1", "content-type": "application/x-www-form-urlencoded" };
  return async (method: "GET" | "POST", path: string, more: Readonly<Record<string, string>> = {}) => {
    const body = method === "POST" ? { body: new URLSearchParams(person).toString() } : {};
    const response = await relay(new Request(`${PAGE}${path}`, { method, headers: { ...headers, ...more }, ...body }));
    return [response.status, await response.json()] as const;
  };
}

/** Everything that a program writes down of a login: each snapshot, event, span, log and error, as text. */
function watchEverything() {
  const seen: unknown[] = [];
  for (const method of ["log", "info", "warn", "error", "debug"] as const) {
    const spy = vi.spyOn(console, method).mockImplementation((...words) => void seen.push(words));
    onTestFinished(() => spy.mockRestore());
  }
  const spans = recorder(({ name, attributes, events, status }) => seen.push({ name, attributes, events, status }));
  const lifecycle = lifecycleTelemetry((event) => seen.push(event));
  const print = (value: unknown) => `${inspect(value, { depth: 3 })}${toJson(value)}`;
  return {
    see: (value: unknown) => void seen.push(value),
    tools: inspectAll(spans.inspect, lifecycle),
    /** The tools, and all that XState itself shows: the person's screen is in that, with the bank's texts. */
    inspect: inspectAll(spans.inspect, lifecycle, (event: InspectionEvent) => {
      if ("event" in event) seen.push(event.event);
      if ("snapshot" in event) seen.push(event.snapshot, (event.actorRef as AnyActor).getPersistedSnapshot());
    }),
    text: () => seen.map(print).join("\n"),
  };
}

/** As JSON, each object once. */
function toJson(value: unknown): string {
  const known = new Set<unknown>();
  return JSON.stringify(value, (_, member) => {
    if (typeof member !== "object" || member === null) return member;
    if (known.has(member)) return undefined;
    known.add(member);
    return member;
  });
}

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "no fault",
    (error) => (error instanceof BankError && Object.hasOwn(failures, error.code) ? error.code : `not coded: ${error}`),
  );

describe(promised.secrets, () => {
  test("they are in nothing that is written down of a login, or of one that breaks", async () => {
    const secrets = ["a-password-c41d", "an-answer-93bc", "a-first-key-5e0a", "a-session-key-7f21", "an-api-key-88e0"];
    const [password = "", answer = "", firstKey, key, apiKey = ""] = secrets;
    const watched = watchEverything();
    const fetch: typeof globalThis.fetch = (address, init) =>
      globalThis.fetch(address, init).catch((error) => {
        throw Object.assign(error, { message: `${address} ${password} ${apiKey}` });
      });
    const bank = await startService([asks("word", firstKey), loggedIn(key), { json: { status: 1, key } }, "broken"]);
    const client = bank.client({ apiKey, fetch, onRequest: watched.see, onResponse: watched.see });
    const form = { ...person, password };
    const options = { settings: unread, onInteraction: () => answer, inspect: watched.inspect };
    const outcome = await login(client, form, options);
    watched.see(outcome);
    expect(reveal(sessionKey(outcome))).toBe(key);
    for (const code of ["outcome_unknown", "network_failed"]) {
      const fault = await login(client, form, options).catch((error: unknown) => error);
      expect(fault).toMatchObject({ code });
      watched.see(fault);
    }
    // A client that was written for another service throws what it likes.
    const other = { ...client, login: () => Promise.reject(new Error(`${password} ${key}`)) };
    watched.see(await login(other, form, options).catch((error: unknown) => error));
    const text = watched.text();
    for (const word of secrets) expect(text.includes(word), word).toBe(false);
    expect(text).toContain("[secret]");
    expect(text).toContain(outcome.id);
  });

  test("what the bank writes goes to the person, and is in no log, error or telemetry", async () => {
    const watched = watchEverything();
    const refusal = { status: "error", code: "B1006", message: "Wrong", description: "The bank's text d93e" };
    const bank = await startService([asks("otp", "k", "The bank's text d93e"), { http: 400, json: refusal }]);
    const client = bank.client({ onRequest: watched.see, onResponse: watched.see });
    const question = openQuestion(await login(client, person, { settings: unread, inspect: watched.tools }));
    expect(question.interaction.context).toBe("The bank's text d93e");
    const outcome = await question.answer("8888");
    expect(outcome).toMatchObject({ state: "failed", failure: { description: "The bank's text d93e" } });
    expect(watched.text()).toContain("interaction_required");
    expect(watched.text()).not.toContain("d93e");
  });
});

describe(promised.once, () => {
  const statuses = [408, 421, 425, 429, 500, 502, 503, 504].map((http): [string, Line] => [`HTTP ${http}`, { http }]);
  test.each<[string, Line]>([
    ...statuses,
    ["HTTP 503 with a status", { http: 503, json: { status: "provider_unavailable" } }],
    ["HTTP 429 with Retry-After", { http: 429, headers: { "retry-after": "0" } }],
    ["a redirect", { http: 307, headers: { location: "/login/" } }],
    ["a connection that breaks", "broken"],
  ])("a login, and its answer, is sent once where the response is %s", async (_, reply) => {
    const bank = await startService([reply, asks("otp", "k"), reply]);
    const client = bank.client(retrying);
    await loginUnread(client, person, { onInteraction: unasked }).catch(() => {});
    expect(bank.lines()).toEqual(["POST /login/"]);
    await loginUnread(client, person, { onInteraction: () => "8888" }).catch(() => {});
    expect(bank.lines()).toEqual(["POST /login/", "POST /login/", "POST /login/?key=k"]);
  });

  test("a browser that repeats a login gets the response of the first, and the bank one login", async () => {
    const bank = await startService([loggedIn("k")]);
    const send = createPage(bank);
    const submit = createSubmit();
    const [first, second] = await Promise.all([send("POST", "/login/", submit), send("POST", "/login/", submit)]);
    expect(first).toEqual([200, { status: "logged_in", key: expect.any(String) }]);
    expect(second).toEqual(first);
    expect(bank.lines()).toEqual(["POST /login/"]);
  });

  test("a login that can't succeed is not sent", async () => {
    const fields = [{ name: "company", type: "text", interactive: false, optional: false }];
    const provider = { name: "A", country: "UY", account_type: [], auth_fields: fields };
    const bank = await startService(() => ({ json: { status: "success", provider } }));
    expect(await codeOf(login(bank.client(), person))).toBe("missing_field");
    expect(await codeOf(login(bank.client(), { ...person, fields: { company: "7", key: "k" } }))).toBe("invalid_input");
    expect(new Set(bank.paths())).toEqual(new Set(["GET /provider/test/"]));
  });

  test("a code is sent without its hyphens", async () => {
    const bank = await startService([asks("otp", "k"), loggedIn("k")]);
    await loginUnread(bank.client(), person, { onInteraction: () => "88-88" });
    expect(bank.requests[1]?.form["otp"]).toBe("8888");
  });
});

describe(promised.ends, () => {
  test("each request of the client ends at its time-out", async () => {
    const bank = await startService(() => "held");
    const timers = [
      holdTimeout(),
      holdTimeout(),
      holdTimeout(),
      holdTimeout(),
      holdTimeout(),
      holdTimeout(),
      holdTimeout(),
    ];
    const client = bank.client();
    const calls = [
      (timeout: number) => client.listProviders({ timeout }),
      (timeout: number) => client.getProvider("test", { timeout }),
      (timeout: number) => client.login(person, { timeout }),
      (timeout: number) => client.listTransferDestinations("k", { timeout }),
      (timeout: number) => client.listClients("k", { timeout }),
      (timeout: number) => client.selectClient("k", "0", { timeout }),
      (timeout: number) => client.logout("k", { timeout }),
    ];
    const codes = calls.map((call, index) => codeOf(call(timers[index]?.length ?? 0)));
    const last = await bank.arrival(calls.length);
    for (const { runOut } of timers) runOut();
    expect(await Promise.all(codes)).toEqual(calls.map(() => "request_timed_out"));
    await last.abandoned;
  });

  test("a login is cancelled while it is sent, and its request ends", async () => {
    const bank = await startService(["held"]);
    const cancelling = new AbortController();
    const outcome = loginUnread(bank.client(), person, { signal: cancelling.signal });
    const { abandoned } = await bank.arrival(1);
    cancelling.abort();
    expect(await outcome).toMatchObject({ state: "cancelled", request: "POST /login/" });
    await abandoned;
  });

  test("a login that waits for an answer is cancelled, and nothing more is sent", async () => {
    const bank = await startService([asks("otp", "k")]);
    const question = openQuestion(await loginUnread(bank.client(), person));
    expect(await question.cancel()).toMatchObject({ state: "cancelled" });
    expect(bank.lines()).toEqual(["POST /login/"]);
  });
});

describe(promised.coded, () => {
  const half: Line = {
    write: (response) =>
      response.writeHead(200, { "content-length": "99" }).write('{"status":', () => response.destroy()),
  };
  test.each<[string, Line]>([
    ["a page", { text: "<html>" }],
    ["nothing", { text: "" }],
    ["half a body", half],
    ["no connection", "broken"],
    ["null", { json: null }],
    ["a list", { json: [] }],
    ["no status", { json: {} }],
    ["a status that is a number", { json: { status: 7 } }],
    ["a status that nobody knows", { json: { status: "lunch", key: 7 } }],
    ["a key that is a number", { json: { status: "logged_in", key: 7 } }],
    ["no key", { json: { status: "logged_in" } }],
    ["a question without its field", { json: { status: "interaction_required", key: "k", context: "?" } }],
    ["bytes that are no text", { text: Uint8Array.of(0xff, 0xfe, 0) }],
    [
      "brackets in brackets",
      { text: `{"status":"logged_in","key":"k","more":${"[".repeat(50_000)}${"]".repeat(50_000)}}` },
    ],
  ])("a login whose response is %s ends with a code", async (_, reply) => {
    const bank = await startService([reply]);
    const call = loginUnread(bank.client(), person, { onInteraction: unasked });
    const code = await call.then(
      (outcome) => (outcome.state === "failed" ? outcome.failure.code : outcome.state),
      () => codeOf(call),
    );
    expect(Object.keys(failures)).toContain(code);
    expect(code).not.toBe("unexpected_fault");
  });

  test("a redirect ends with a code, and the other address gets nothing", async () => {
    const other = await startService(() => loggedIn("k"));
    const bank = await startService(() => ({ http: 307, headers: { location: other.url } }));
    const client = bank.client();
    const codes = [client.listProviders(), client.listTransferDestinations("k"), client.login(person)].map(codeOf);
    expect(await Promise.all(codes)).toEqual(codes.map(() => "redirect_refused"));
    expect(other.lines()).toEqual([]);
  });

  test("a bad element of a list costs that element", async () => {
    const providers = [
      { code: "a", country: "UY", name: "A" },
      7,
      { code: {} },
      { code: "b", country: "UY", name: "B" },
    ];
    const bank = await startService([{ json: { status: "success", providers } }]);
    expect(await bank.client().listProviders()).toMatchObject({
      providers: [{ code: "a" }, { code: "b" }],
      skipped: 2,
    });
  });

  test("what the bank says is a value, what breaks is an error, and both have a text in each language", async () => {
    const bank = await startService([{ http: 403, json: { status: "wrong_credentials" } }, "broken"]);
    expect(await loginUnread(bank.client(), person)).toEqual(failed("wrong_credentials", { httpStatus: 403 }));
    expect(await codeOf(loginUnread(bank.client(), person))).toBe("network_failed");
    for (const code of ["wrong_credentials", "network_failed"] as const) {
      const texts = (["en", "es", "pt"] as const).map((locale) => describeFailure(code, locale).text);
      expect(new Set(texts.filter(Boolean)).size).toBe(3);
    }
  });
});

describe(promised.contract, () => {
  test("a client is not chosen, and no session closed, by a program that did not ask for it", async () => {
    const blocked: Line = { http: 409, json: { status: "max_sessions_reached", key: "k" } };
    const { service, actor } = await start([selectClient("k"), selectClient("k"), blocked]);
    actor.send(submit);
    expect(readPosition(await waitFor(actor, (snapshot) => snapshot.hasTag("over")))).toBe("selectClient.resting");
    expect(await loginUnread(service.client(), person)).toMatchObject(failed("client_selection_off"));
    expect(await loginUnread(service.client(), person)).toMatchObject(failed("max_sessions_reached"));
    expect(service.lines()).toEqual(["POST /login/", "POST /login/", "POST /login/"]);
  });

  test("a relay has no path for them", async () => {
    const bank = await startService([loggedIn("k")]);
    const send = createPage(bank);
    const submit = createSubmit();
    const [, { key }] = await send("POST", "/login/", submit);
    for (const path of ["/client/", "/client/0/", "/logout/", "/approval/"]) {
      const own = { ...submit, "x-session-key": key, "x-ventanilla-submit": "2" };
      expect((await send("GET", path, own))[0], path).toBe(404);
    }
    expect(bank.lines()).toEqual(["POST /login/"]);
  });
});

describe("What else always holds", () => {
  test("the statechart alone decides what may happen next: a second click answers no other question", async () => {
    const { service, actor, reaches } = await start([asks("otp", "a"), asks("word", "b"), loggedIn("c")]);
    const view = () => loginView(actor.getSnapshot(), actor, { provider: person.provider });
    view().submit?.({ username: person.username, password: person.password });
    await reaches("awaitingInteraction");
    const shown = view();
    expect(["submit", "answer", "choose", "replaceSession"].filter((verb) => verb in shown)).toEqual(["answer"]);
    shown.answer?.("8888");
    await expect.poll(() => actor.getSnapshot().context.interaction?.field).toBe("word");
    shown.answer?.("8888");
    shown.cancel?.();
    expect(view()).toMatchObject({ state: "awaitingInteraction", question: { number: 2 } });
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=a"]);
  });

  test("without a connection nothing is sent, and the person keeps what was typed", async () => {
    const { service, actor, reaches } = await start([loggedIn("k")]);
    const view = () => loginView(actor.getSnapshot(), actor, { provider: person.provider });
    const typed = { username: person.username, password: person.password };
    vi.stubGlobal("navigator", { onLine: false });
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(view().submit?.(typed)).toEqual({ "": expect.any(String) });
    expect(view().state).toBe("idle");
    expect(service.lines()).toEqual([]);
    vi.unstubAllGlobals();
    view().submit?.(typed);
    await reaches("loggedIn");
  });

  test("a page that has lost the response to its login gets it from the relay", async () => {
    const bank = await startService([loggedIn("k")]);
    const send = createPage(bank);
    const submit = createSubmit();
    const response = await send("POST", "/login/", submit);
    expect(await send("GET", "/submit/", submit)).toEqual(response);
    expect(bank.lines()).toEqual(["POST /login/"]);
  });

  test("a fault after a question says which key the session has", async () => {
    const bank = await startService([asks("otp", "k"), { json: { status: "interaction_required", context: "?" } }]);
    const fault = await loginUnread(bank.client(), person, { onInteraction: () => "8888" }).catch((error) => error);
    expect(fault).toMatchObject({ code: "response_against_contract" });
    expect(reveal(fault.key)).toBe("k");
  });

  test("of two who resume the same login at once one gets it, and the other a code", async () => {
    const { service, actor, reaches } = await start([asks("otp", "a"), loggedIn("b")]);
    actor.send(submit);
    await reaches("awaitingInteraction");
    const token = await pause(service.client(), actor, { key: KEY });
    const claimStore = createMemoryStore({ rows: new Map() });
    const options = { key: KEY, claimStore, onInteraction: () => "8888" };
    const both = [1, 2].map(() =>
      resume(service.client(), token, options).then(
        ({ state: status }) => status,
        ({ code }) => code,
      ),
    );
    // Either may come first.
    expect((await Promise.all(both)).sort()).toEqual(["loggedIn", "token_used"]);
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=a"]);
  });

  test("fields that can't be read stop no login, and an event says so", async () => {
    const bank = await startService([{ http: 503 }, loggedIn("k")]);
    const actor = createActor(createLoginMachine(bank.client()));
    const events: string[] = [];
    actor.on("*", ({ type }) => void events.push(type));
    actor.start().send({ type: "credentials.submit", credentials: createCredentials(person) });
    await expect.poll(() => events).toEqual(["fields.unchecked", "login.succeeded"]);
    expect(bank.lines()).toEqual(["GET /provider/test/", "POST /login/"]);
  });
});
