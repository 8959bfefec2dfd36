import { createCredentials, secret } from "ventanilla";
import { expect } from "vitest";
import { waitFor } from "xstate";
import { test } from "../bank/bank.ts";
import { credentials, form, keys, question } from "./login-cases.ts";
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
