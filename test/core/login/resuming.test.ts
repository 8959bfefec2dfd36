import {
  createBankClient,
  createCredentials,
  createLoginMachine,
  createRelayClient,
  type LoginSettings,
  reveal,
  secret,
} from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { createRelay } from "ventanilla/relay";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, test } from "vitest";
import { type Actor, createActor, waitFor } from "xstate";
import { formatToken, parseRelayKey } from "../../../src/core/api/relay-login.ts";

// The actor of a login that is resumed at a relay. What a screen keeps of it, and when: test/core/view/kept-login.test.ts.

type Login = Actor<ReturnType<typeof createLoginMachine>>;

/** A bank that counts, a relay, and pages. What a page that is lost sends does not arrive. */
function createWorld() {
  const atBank: string[] = [];
  const atRelay: string[] = [];
  const sandbox = createSandbox();
  const relay = createRelay({
    client: createBankClient({
      baseUrl: "http://sandbox.test",
      apiKey: SANDBOX_API_KEY,
      fetch: (input, init) => {
        const request = new Request(input, init);
        atBank.push(`${request.method} ${new URL(request.url).pathname}`);
        return sandbox(request);
      },
    }),
    store: createMemoryStore({ rows: new Map() }),
    allowedOrigins: [],
    checkAppToken: () => true,
    readUser: false,
    onLogin: () => {},
    rateLimit: false,
    clientSelection: true,
  });
  let isLost = false;
  const client = createRelayClient({
    baseUrl: "http://relay.test",
    headers: { authorization: "Bearer token" },
    fetch: (input, init) => {
      const request = new Request(input, init);
      if (isLost) return new Promise(() => undefined);
      atRelay.push(`${request.method} ${new URL(request.url).pathname} ${request.headers.get("x-ventanilla-submit")}`);
      return relay(request);
    },
  });
  const open = (settings: LoginSettings = {}): Login =>
    createActor(createLoginMachine(client), { input: { validate: false, ...settings } }).start();

  return {
    /** What the bank got, of what is sent once. */
    atBank: () => atBank.filter((line) => /^POST|\/client\/.|\/logout/.test(line)),
    open,
    /** Another page goes on with a login. @param event what this page still sends, and does not arrive. */
    async reload(login: Login, settings: LoginSettings = {}, event?: LoginEvent): Promise<Login> {
      const { key, provider } = login.getSnapshot().context;
      const { id, token, last } = parseRelayKey(reveal(key ?? expect.fail("the login has no key")));
      isLost = event !== undefined;
      if (event) login.send(event);
      login.stop();
      isLost = false;
      const number = event ? last + 1 : last;
      const kept = secret(formatToken({ token, last: number - 1 }));
      atRelay.length = 0;
      const next = open();
      next.send({ type: "login.resume", paused: { id, settings, provider, token: kept } });
      return next;
    },
    /** What the relay got since the last reload, with the numbers. */
    atRelay,
  };
}

const submit = (provider: string, username: string, fields: Readonly<Record<string, string>> = {}): LoginEvent => ({
  type: "credentials.submit",
  credentials: createCredentials({ provider, username, password: "s3creto", fields }),
});
const answer = (field: string, text: string): LoginEvent => ({
  type: "interaction.answer",
  answer: { [field]: secret(text) },
});
const reach = (login: Login, state: "awaitingInteraction" | "failed" | "loggedIn") =>
  waitFor(login, (snapshot) => snapshot.matches(state));
const readInteraction = async (login: Login) => (await reach(login, "awaitingInteraction")).context.interaction;

test("an answer that has not come leaves its question, which is asked for by the submit before", async () => {
  const { open, reload, atBank, atRelay } = createWorld();
  const first = open();
  first.send(submit("vicuna_pe", "chain"));
  await reach(first, "awaitingInteraction");
  first.send(answer("personal_question", "arequipa"));
  await reach(first, "awaitingInteraction");
  const second = await reload(first, {}, answer("token", "531975"));
  expect(await readInteraction(second)).toMatchObject({ field: "token", number: 2, isRepeat: false });
  expect(atRelay).toEqual(["GET /submit/ 3", "GET /submit/ 2"]);
  second.send(answer("token", "531975"));
  await reach(second, "loggedIn");
  // The number of the lost answer is spent.
  expect(atRelay.slice(2)).toEqual(["POST /login/ 4"]);
  expect(atBank()).toEqual(["POST /login/", "POST /login/", "POST /login/"]);
});

test("a choice that has not come leaves the clients, which are listed again", async () => {
  const settings = { clientSelection: true };
  const { open, reload, atBank, atRelay } = createWorld();
  const first = open(settings);
  first.send(submit("canal_pa", "samekey", { company_code: "7701" }));
  const choosing = (login: Login) => waitFor(login, (snapshot) => snapshot.matches({ selectClient: "choosing" }));
  const { clients } = (await choosing(first)).context;
  const [client = expect.fail("no clients")] = clients;
  const second = await reload(first, settings, { type: "client.choose", client: client.id });
  expect((await choosing(second)).context.clients).toEqual(clients);
  expect(atRelay).toEqual(["GET /submit/ 2", "GET /submit/ 1", "GET /client/ null"]);
  second.send({ type: "client.choose", client: client.id });
  await reach(second, "loggedIn");
  expect(atBank()).toEqual(["POST /login/", `GET /client/${client.id}/`]);
});

test("the answers before a reload count on, up to the limit", async () => {
  const { open, reload, atBank } = createWorld();
  const wrong = answer("otp", "000000");
  const first = open();
  first.send(submit("quetzal_mx", "otp"));
  await reach(first, "awaitingInteraction");
  first.send(wrong);
  await reach(first, "awaitingInteraction");
  const second = await reload(first, { repeatLimit: 2 });
  expect(await readInteraction(second)).toMatchObject({ number: 2, isRepeat: true, answersSent: 1 });
  second.send(wrong);
  expect((await reach(second, "failed")).context.failure?.code).toBe("too_many_interactions");
  expect(atBank()).toHaveLength(3);
});
