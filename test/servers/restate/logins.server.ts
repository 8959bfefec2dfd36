import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createBankClient, reveal } from "ventanilla";
import {
  createDurableLoginClient,
  DURABLE_LOGIN_VERSION,
  durableLogin,
  durableLoginName,
  openSessionKey,
  sealAnswer,
  sealCredentials,
} from "ventanilla/restate";
import { describe, expect, onTestFinished } from "vitest";
import type { DurableState } from "../../../src/servers/restate/durable-state.ts";
import { openService } from "../../bank/service.ts";
import { findFreePort } from "../../free-port.ts";
import { findAccount, findForm } from "./counting-bank.ts";
import { openInteraction } from "./open-interaction.ts";
import { repository } from "./repository.ts";
import { SEAL_KEY, type StageHere, startWorkerHere } from "./stage.ts";
import { test } from "./stage-test.ts";

const question = { status: "interaction_required", field: "otp", context: "Code?" };

test("a client is chosen, and its new key is the session's", async ({ stage }) => {
  const account = findForm("canal_pa", "newkey");
  const form = { ...account, username: `${account.username}~chosen`, settings: { clientSelection: true } };
  const id = await stage.logins.start(form);
  const { state, clients = [] } = await stage.logins.settled(id);
  expect(state).toBe("selectClient");
  expect((await stage.logins.choose(id, clients[0]?.id ?? "")).state).toBe("loggedIn");
  const outcome = await stage.logins.wait(id);
  expect(outcome.state === "loggedIn" && reveal(outcome.key)).toBe(stage.bank.of("chosen").at(-1)?.key);

  const resting = await stage.logins.start({ ...form, settings: {} });
  expect(await stage.logins.wait(resting)).toMatchObject({
    state: "failed",
    failure: { code: "client_selection_off" },
  });
});

test("a repeated start sends nothing, even after the end; texts are in the caller's language", async ({ stage }) => {
  const form = { name: "again", provider: "test", username: "12345~again", password: "nonsense" };
  const id = await stage.logins.start(form);
  await stage.logins.start(form);
  expect(await stage.logins.wait(id)).toMatchObject({
    state: "failed",
    id,
    failure: { code: "wrong_credentials", httpStatus: 403 },
  });
  expect(await stage.logins.start(form)).toBe(id);
  expect(await stage.logins.state(id, { locale: "es" })).toMatchObject({
    state: "failed",
    over: true,
    failure: {
      text: "El usuario, la contraseña u otro dato no son correctos. Revíselos y vuelva a intentarlo.",
      recovery: "correct",
    },
  });
  expect(stage.bank.of("again")).toHaveLength(1);
});

test("two callers that answer the same question send one answer, and a third gets the outcome", async ({ stage }) => {
  const id = await stage.logins.start({ provider: "test", username: "12345otp~both", password: "asdfg" });
  const asked = [await openInteraction(stage.logins, id), await openInteraction(stage.logins, id)];
  const waiting = stage.logins.wait(id);
  const answered = await Promise.all(asked.map(({ answer }) => answer("8888")));
  expect(answered.map(({ state }) => state)).toEqual(["loggedIn", "loggedIn"]);
  expect((await waiting).state).toBe("loggedIn");
  expect(stage.bank.of("both").map(({ kind }) => kind)).toEqual(["first", "second"]);
});

test("an answer whose response is lost is sent once, even if a new session asks the same again", async ({ stage }) => {
  const sent: string[] = [];
  const bank = await openService(async ({ method, url }) => {
    const name = `${method} ${url.replace(/=.*/, "")}`;
    const isFirst = !sent.includes(name);
    sent.push(name);
    if (name === "GET /logout/?key") return { json: { status: "logged_out" } };
    if (name === "POST /login/") return { json: { ...question, key: `question-${sent.length}` } };
    return { json: isFirst ? { status: "max_sessions_reached", key: "other" } : { status: "logged_in" } };
  });
  // Another version beside that of the stage, since it logs in at another bank.
  const [version, sealKey, { ingress }] = ["lost", SEAL_KEY, stage.server];
  const client = createBankClient({ baseUrl: bank.url, apiKey: "an-api-key" });
  const worker = await startWorkerHere([durableLogin({ client, sealKey, version })]);
  onTestFinished(async () => {
    await worker.close();
    await bank.close();
  });
  await stage.server.register(worker.uri);
  const settings = { validate: false, sessionReplacement: true };
  const form = { provider: "test", username: "ana", password: "hunter two", settings };
  const id = await createDurableLoginClient({ ingress, sealKey, version }).start(form);
  let answers = 0;
  const logins = createDurableLoginClient({
    ingress,
    sealKey,
    async fetch(input, init) {
      const response = await fetch(input, init);
      if (!String(input).endsWith("/answer") || ++answers > 1) return response;
      // The bank asks again before the call is repeated.
      await openInteraction(stage.logins, id);
      throw new TypeError("fetch failed");
    },
  });
  const { interaction } = await (await openInteraction(logins, id)).answer("8888");
  if (!interaction) throw new Error("The new session asks nothing.");
  const first = ["POST /login/", "POST /login/?key"];
  expect([answers, sent]).toEqual([2, [...first, "GET /logout/?key", "POST /login/"]]);
  expect((await logins.answer(id, interaction, "9999")).state).toBe("loggedIn");
  expect(sent).toEqual([...first, "GET /logout/?key", ...first]);
});

describe("a complete conversation", () => {
  const form = { provider: "test", username: "12345otp~talk", password: "asdfg" };

  test("is started, read, answered and cancelled by its id, in any process", async ({ stage }) => {
    const other = createDurableLoginClient({ ingress: stage.server.ingress, sealKey: SEAL_KEY });
    const id = await stage.logins.start({ ...form, name: "order-17" });
    expect(id).toBe(`${DURABLE_LOGIN_VERSION}.order-17`);
    const { interaction } = await openInteraction(stage.logins, id);
    expect(interaction).toMatchObject({ kind: "code", field: "otp", number: 1 });
    expect((await other.answer(id, interaction, "8888")).state).toBe("loggedIn");
    // What was answered takes no other answer.
    expect((await stage.logins.answer(id, interaction, "9999")).state).toBe("loggedIn");

    const left = await openInteraction(stage.logins, await stage.logins.start(form));
    expect((await other.cancel(left.id)).state).toBe("cancelled");
    expect(await stage.logins.wait(left.id)).toMatchObject({ state: "cancelled", id: left.id });
  });

  test("does not begin with a field of the bank beside the credentials", async ({ stage }) => {
    const misplaced = { provider: "canal_pa", username: "newkey~aside", password: "s3creto", company_code: "7701" };
    const refused = { code: "invalid_input", field: "company_code" };
    await expect(stage.logins.start(misplaced)).rejects.toMatchObject(refused);
    expect(stage.bank.of("aside")).toEqual([]);
  });

  test("fails or expires as login() does", async ({ stage }) => {
    const late = await stage.logins.start({ ...form, settings: { deadline: Date.now() - 1 } });
    await expect(stage.logins.wait(late)).rejects.toMatchObject({ code: "request_timed_out" });
    const unanswered = await stage.logins.start({ ...form, settings: { answerTimeout: 300 } });
    expect(await stage.logins.wait(unanswered)).toMatchObject({ state: "failed", failure: { code: "expired" } });
  });
});

test.for([
  ["a caller", "slow1"],
  ["an operator of Restate", "slow2"],
] as const)("a login that %s cancels stays so, and its request is aborted", async ([by, name], { stage }) => {
  const { provider, password } = findAccount("tortuga_ec", "slow");
  const id = await stage.logins.start({ provider, username: `slow~${name}`, password });
  await expect.poll(() => stage.bank.of(name).length).toBe(1);
  const hungUp = stage.bank.hungUp();
  if (by === "a caller") expect((await stage.logins.cancel(id)).state).toBe("cancelled");
  else await stage.server.cancel(id, "perform");
  expect(await stage.logins.wait(id)).toEqual({ state: "cancelled", id, provider, request: "POST /login/" });
  await expect.poll(stage.bank.hungUp).toBe(hungUp + 1);
});

test("an answer in time removes the timer", async ({ stage }) => {
  const form = { provider: "test", username: "12345otp~timed", password: "asdfg" };
  const id = await stage.logins.start({ ...form, settings: { answerTimeout: 3_600_000 } });
  const asked = await openInteraction(stage.logins, id);
  const timers = () =>
    stage.server.query<{ id: string }>(
      `SELECT id FROM sys_invocation WHERE target_service_key = '${id}' AND target_handler_name = 'perform' AND status <> 'completed'`,
    );
  expect(await timers()).toHaveLength(1);
  await asked.answer("8888");
  await expect.poll(timers).toEqual([]);
});

test("an answer that the worker can't open leaves the question open", async ({ stage }) => {
  const id = await stage.logins.start({ provider: "test", username: "12345otp~unread", password: "asdfg" });
  const sealKey = Buffer.alloc(32, "another").toString("base64");
  const stranger = createDurableLoginClient({ ingress: stage.server.ingress, sealKey });
  const answer = (await openInteraction(stranger, id)).answer("8888");
  await expect(answer).rejects.toMatchObject({ code: "token_invalid", detail: "of another key" });
  expect((await (await openInteraction(stage.logins, id)).answer("8888")).state).toBe("loggedIn");
  expect(stage.bank.of("unread").map(({ kind }) => kind)).toEqual(["first", "second"]);
});

test("a call with an unknown id rejects at once", async ({ stage }) => {
  for (const id of [`${DURABLE_LOGIN_VERSION}.nobody`, "nonsense", ""]) {
    await expect(stage.logins.wait(id)).rejects.toMatchObject({ code: "invalid_input", field: "id" });
  }
});

test("a wrong seal key ends the login before anything is sent", async ({ stage }) => {
  const stranger = createDurableLoginClient({
    ingress: stage.server.ingress,
    sealKey: Buffer.alloc(32, 1).toString("base64"),
  });
  const id = await stranger.start({ provider: "test", username: "12345~stranger", password: "gfdsa" });
  await expect(stranger.wait(id)).rejects.toMatchObject({ code: "token_invalid", detail: "of another key" });
  expect(stage.bank.of("stranger")).toEqual([]);
});

describe("by HTTP alone", () => {
  const post = async ({ server }: StageHere, path: string, body: unknown = {}) => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${server.ingress}/${durableLoginName()}/${path}`, init);
    return { status: response.status, body: (await response.json()) as DurableState & { message?: string } };
  };

  const toId = (name: string) => `${DURABLE_LOGIN_VERSION}.${name}`;

  test("a login from its start to its key", async ({ stage }) => {
    const id = toId("by-http");
    const sealing = { id, sealKey: SEAL_KEY };
    const form = { provider: "test", username: "12345otp~http", password: "asdfg" };
    const credentials = await sealCredentials(form, sealing);
    expect((await post(stage, `${id}/start`, { credentials })).body.state).toBe("submitting");
    expect((await post(stage, `${id}/settled`)).body.interaction?.field).toBe("otp");
    await post(stage, `${id}/answer`, await sealAnswer({ interaction: 1, answer: { otp: "8888" } }, sealing));
    const { state, key = "", loggedInAt } = (await post(stage, `${id}/wait`)).body;
    expect(state).toBe("loggedIn");
    expect((await post(stage, `${id}/state`)).body.loggedInAt).toBe(loggedInAt);
    expect(Date.now() - (loggedInAt ?? 0)).toBeLessThan(600_000);
    expect(reveal(await openSessionKey(key, sealing))).toBe(stage.bank.of("http").at(-1)?.key);
  });

  test("credentials that are not sealed are refused by the name of the member", async ({ stage }) => {
    const credentials = { provider: "test", sealed: "asdfg", expiresAt: 1 };
    const { status, body } = await post(stage, `${toId("bare")}/start`, { credentials });
    expect([status, body.message]).toEqual([400, "invalid_input: credentials.sealed"]);
  });

  test("an id of another version is refused, and no login begins", async ({ stage }) => {
    const form = { provider: "test", username: "12345~other", password: "gfdsa" };
    const credentials = await sealCredentials(form, { id: "another.other", sealKey: SEAL_KEY });
    const { status, body } = await post(stage, "another.other/start", { credentials });
    expect([status, body.message]).toEqual([400, "invalid_input: id"]);
    expect((await post(stage, "another.other/state")).status).toBe(404);
  });

  test("sealed credentials open for their own login and bank alone", async ({ stage }) => {
    const [mine, yours] = [toId("mine"), toId("yours")];
    const form = { provider: "test", username: "12345~moved", password: "gfdsa" };
    const credentials = await sealCredentials(form, { id: mine, sealKey: SEAL_KEY });
    await post(stage, `${yours}/start`, { credentials });
    expect((await post(stage, `${yours}/wait`)).body.failure?.code).toBe("token_invalid");
    await post(stage, `${mine}/start`, { credentials: { ...credentials, provider: "brou_pers_uy_mock" } });
    expect((await post(stage, `${mine}/wait`)).body.failure?.code).toBe("token_invalid");
    expect(stage.bank.of("moved")).toEqual([]);
  });

  test("the inner handlers can't be called", async ({ stage }) => {
    for (const handler of ["perform", "abandon", "enlist", "forget"]) {
      const { status } = await post(stage, `1.by-http/${handler}`, {});
      expect(status, handler).toBeGreaterThanOrEqual(400);
      expect(status, handler).toBeLessThan(500);
    }
  });
});

test("the example of docs/scale.md runs against the real server", async ({ stage }) => {
  // Its worker takes the place of the stage's.
  onTestFinished(() => stage.server.register(stage.worker.uri));
  const env = {
    PATH: process.env["PATH"] ?? "",
    PORT: `${await findFreePort()}`,
    RESTATE_ADMIN: stage.server.admin,
    RESTATE_INGRESS: stage.server.ingress,
    RESTATE_LOGGING: "ERROR",
  };
  const program = `${repository}test/servers/restate/dist/restate.mjs`;
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env, timeout: 120_000 });
  expect(stdout).toContain(`serves ${durableLoginName()}\nloggedIn\n`);
  expect(stdout).toContain("Institución de prueba 1");
});
