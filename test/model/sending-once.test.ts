import { createCredentials, reveal, secret } from "ventanilla";
import { expect } from "vitest";
import { waitFor } from "xstate";
import { test } from "../bank/bank.ts";
import { chosen, credentials, form, keys, pausedChoice, pausedQuestion, question } from "./login-cases.ts";
import { beginLogin } from "./login-conversation.ts";

const loggedIn = { json: { status: "logged_in", key: keys.session } };
const other = createCredentials({ provider: "other", username: "67890", password: "qwert" });

test("a form that is submitted again and again is sent once, as it was the first time", async ({ bank }) => {
  const { actor, next, requests } = beginLogin(bank, {});
  actor.send({ type: "credentials.submit", credentials });
  actor.send({ type: "credentials.submit", credentials: other });
  const open = await next();
  actor.send({ type: "credentials.submit", credentials: other });
  open.end(loggedIn);
  await waitFor(actor, ({ status }) => status === "done");
  expect(requests.map((request) => request.form)).toEqual([form]);
});

test("a question that is answered again and again is answered once, with the first answer", async ({ bank }) => {
  const { actor, lead, next, requests } = beginLogin(bank, {});
  await lead("credentials are submitted", "the bank asks a question");
  actor.send({ type: "interaction.answer", answer: secret("first") });
  actor.send({ type: "interaction.answer", answer: secret("second") });
  const open = await next();
  actor.send({ type: "interaction.answer", answer: secret("third") });
  open.end(loggedIn);
  await waitFor(actor, ({ status }) => status === "done");
  expect(requests.map((request) => request.form[question.field])).toEqual([undefined, "first"]);
});

test("a client that is chosen again is selected once, as it was the first time", async ({ bank }) => {
  const { actor, lead, next, requests } = beginLogin(bank, { clientSelection: true });
  await lead("credentials are submitted", "the bank wants a client selected", "the clients are listed");
  actor.send({ type: "client.choose", client: chosen });
  actor.send({ type: "client.choose", client: "1" });
  const open = await next();
  actor.send({ type: "client.choose", client: "1" });
  open.end({ json: { status: "success" } });
  await waitFor(actor, ({ status }) => status === "done");
  expect(requests.map(({ path }) => path)).toEqual(["/login/", "/client/", `/client/${chosen}/`]);
});

test("a session that is replaced again and again is closed once", async ({ bank }) => {
  const { actor, lead, next, requests } = beginLogin(bank, { sessionReplacement: true });
  await lead("credentials are submitted", "the bank counts too many sessions");
  actor.send({ type: "session.replace" });
  actor.send({ type: "session.replace" });
  const logout = await next();
  actor.send({ type: "session.replace" });
  logout.end({ json: { status: "logged_out" } });
  (await next()).end(loggedIn);
  await waitFor(actor, ({ status }) => status === "done");
  expect(requests.map(({ path }) => path)).toEqual(["/login/", "/logout/", "/login/"]);
});

test("an answer, a choice and a replacement that nobody asked for are not kept for later", async ({ bank }) => {
  const { actor, lead, requests } = beginLogin(bank, { clientSelection: true, sessionReplacement: true });
  actor.send({ type: "interaction.answer", answer: secret("unasked") });
  actor.send({ type: "client.choose", client: "unasked" });
  actor.send({ type: "session.replace" });
  await lead("credentials are submitted", "the bank asks a question", "the question is answered");
  await lead("the bank wants a client selected", "the clients are listed", "a client is chosen");
  await lead("the client is selected");
  expect(JSON.stringify(requests)).not.toContain("unasked");
  expect(requests.map(({ path }) => path)).toEqual(["/login/", "/login/", "/client/", `/client/${chosen}/`]);
});

test("a paused login that is taken up again and again is asked once and answered once", async ({ bank }) => {
  const { actor, lead, requests, heard } = beginLogin(bank, {});
  actor.send({ type: "login.resume", paused: pausedQuestion });
  actor.send({ type: "login.resume", paused: pausedQuestion });
  await lead("the question is answered");
  actor.send({ type: "login.resume", paused: pausedQuestion });
  await lead("the bank starts a session");
  expect(heard).toMatchObject([{ type: "interaction.required" }, { type: "login.succeeded" }]);
  expect(requests).toHaveLength(1);
});

test("a paused login is not taken up in the middle of another", async ({ bank }) => {
  const { actor, next, requests } = beginLogin(bank, {});
  actor.send({ type: "credentials.submit", credentials });
  actor.send({ type: "login.resume", paused: pausedChoice });
  (await next()).end(loggedIn);
  const { output } = await waitFor(actor, ({ status }) => status === "done");
  expect(output && reveal(output.key)).toBe(keys.session);
  expect(requests).toEqual([{ method: "POST", path: "/login/", query: {}, form }]);
});

test("what breaks is not sent again by itself", async ({ bank }) => {
  const { lead, requests, heard } = beginLogin(bank, {});
  await lead("credentials are submitted", "the login breaks");
  expect(heard).toMatchObject([{ type: "login.failed", failure: { code: "network_failed", request: "POST /login/" } }]);
  await lead("credentials are submitted", "the bank starts a session");
  expect(requests).toHaveLength(2);
});
