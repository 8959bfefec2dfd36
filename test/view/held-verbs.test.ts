import {
  createBankClient,
  createLinkMachine,
  createLoginMachine,
  type LinkSettings,
  type LinkView,
  type LoginSettings,
  type LoginView,
  linkView,
  loginView,
} from "ventanilla";
import { afterEach, expect, test } from "vitest";
import { createActor } from "xstate";

const values = { username: "ana", password: "word" };
const json = (body: object) => Response.json(body);
const asks = () => json({ status: "interaction_required", key: "key", field: "otp", context: "Code" });
const refuses = () => json({ status: "wrong_credentials" });
const selects = () => json({ status: "select_client", key: "key" });
const lists = () => json({ status: "success", clients: { 1: "One", 2: "Two" } });
const crowded = () => json({ status: "max_sessions_reached", key: "other" });

let stop = () => {};
afterEach(() => stop());

/** A bank that gives its responses in turn, then none. */
function bankWith(...responses: (() => Response)[]) {
  const requests: string[] = [];
  const client = createBankClient({
    baseUrl: "http://bank.test",
    apiKey: "key",
    fetch: async (input, init) => {
      requests.push(`${init?.method} ${new URL(String(input)).pathname}`);
      return responses.shift()?.() ?? new Promise<Response>(() => undefined);
    },
  });
  return { client, requests };
}

function startLogin(settings: LoginSettings, ...responses: (() => Response)[]) {
  const { client, requests } = bankWith(...responses);
  const actor = createActor(createLoginMachine(client), { input: settings }).start();
  stop = () => actor.stop();
  const look = () => loginView(actor.getSnapshot(), actor.send, { provider: "test" });
  return { requests, look, at: steps(look) };
}

function startLink(settings: LinkSettings, ...responses: (() => Response)[]) {
  const { client, requests } = bankWith(...responses);
  const actor = createActor(createLinkMachine(client), { input: settings }).start();
  stop = () => actor.stop();
  const look = () => linkView(actor.getSnapshot(), actor.send);
  return { requests, look, at: steps(look) };
}

/** The view, as soon as it has come to a step. */
function steps<View extends { readonly step: string }>(look: () => View) {
  return async <Step extends View["step"]>(step: Step) => {
    await expect.poll(() => look().step).toBe(step);
    return look() as Extract<View, { step: Step }>;
  };
}

const logins = (requests: readonly string[]) => requests.filter((line) => line === "POST /login/").length;

test("a submit that is held over a fast refusal sends nothing", async () => {
  const { requests, at } = startLogin({}, refuses, refuses);
  const first = await at("enteringCredentials");
  first.submit(values);
  first.submit(values);
  const failed = await at("failed");
  first.submit(values);
  expect(logins(requests)).toBe(1);
  failed.submit(values);
  const again = await at("failed");
  failed.submit(values);
  first.submit(values);
  expect(logins(requests)).toBe(2);
  again.submit(values);
  expect(logins(requests)).toBe(3);
});

test("a submit of before a cancel sends nothing", async () => {
  const { requests, at } = startLogin({});
  const first = await at("enteringCredentials");
  first.submit(values);
  (await at("submitting")).cancel();
  await at("enteringCredentials");
  first.submit(values);
  expect(logins(requests)).toBe(1);
});

test("an answer to one question is none to the next one, nor to that of another login", async () => {
  const { requests, at, look } = startLogin({}, asks, asks, asks);
  (await at("enteringCredentials")).submit(values);
  const first = await at("answering");
  first.answer("1");
  first.answer("1");
  await expect.poll(() => look()).toMatchObject({ step: "answering", question: { number: 2 } });
  first.answer("1");
  expect(logins(requests)).toBe(2);
  look().step === "answering" && (look() as Extract<LoginView, { step: "answering" }>).cancel();
  (await at("enteringCredentials")).submit(values);
  await at("answering");
  first.answer("1");
  expect(logins(requests)).toBe(3);
});

test("a cancel of one login is none of the next one", async () => {
  const { at, look } = startLogin({}, refuses);
  (await at("enteringCredentials")).submit(values);
  const busy = await at("submitting");
  const failed = await at("failed");
  failed.submit(values);
  busy.cancel();
  failed.cancel();
  expect(look().step).toBe("submitting");
});

test("a choice, and a session's replacement, are of their own step", async () => {
  const settings = { clientSelection: true, sessionReplacement: true };
  const { requests, at, look } = startLogin(settings, crowded, refuses, crowded, selects, lists);
  (await at("enteringCredentials")).submit(values);
  const failed = await at("failed");
  // Without effect: a session to replace is at hand, but of no other step.
  const replaceFirst = failed.replaceSession;
  failed.submit(values);
  await expect.poll(() => look()).toMatchObject({ step: "failed", failure: { code: "wrong_credentials" } });
  const second = look() as Extract<LoginView, { step: "failed" }>;
  second.submit(values);
  await expect.poll(() => look()).toMatchObject({ step: "failed", failure: { code: "max_sessions_reached" } });
  replaceFirst?.();
  expect(look().step).toBe("failed");
  expect(requests).not.toContain("GET /logout/");
  (look() as Extract<LoginView, { step: "failed" }>).submit(values);
  const choosing = await at("choosingClient");
  choosing.choose("2");
  choosing.choose("1");
  expect(requests.filter((line) => line.startsWith("GET /client/"))).toEqual(["GET /client/", "GET /client/2/"]);
});

test("in a link, the form of one bank sends nothing at the next one", async () => {
  const banks = () =>
    json({
      status: "success",
      providers: [
        { code: "test", country: "UY", name: "Test" },
        { code: "other", country: "UY", name: "Other" },
      ],
    });
  const detail = () =>
    json({ status: "success", provider: { name: "A", country: "UY", auth_fields: [], account_type: [] } });
  const { requests, at, look } = startLink({}, banks, detail, detail, refuses);
  const list = await at("choosingProvider");
  list.choose("test");
  const first = await at("enteringCredentials");
  first.changeProvider?.();
  const again = await at("choosingProvider");
  list.choose("test");
  list.cancelLink();
  expect(look().step).toBe("choosingProvider");
  again.choose("other");
  const second = await at("enteringCredentials");
  first.submit(values);
  first.changeProvider?.();
  first.cancelLink();
  expect(look().step).toBe("enteringCredentials");
  expect(logins(requests)).toBe(0);
  second.submit(values);
  second.submit(values);
  const failed = (await at("failed")) as Extract<LinkView, { step: "failed" }>;
  second.submit(values);
  expect(logins(requests)).toBe(1);
  failed.submit(values);
  expect(logins(requests)).toBe(2);
});
