import { secret } from "ventanilla";
import { expect } from "vitest";
import { waitFor } from "xstate";
import { test } from "../bank/bank.ts";
import { credentials, form } from "./login-cases.ts";
import { beginLogin } from "./login-conversation.ts";

const { provider, username, password } = form;
const asking = (field: string, key?: string) => ({
  json: { status: "interaction_required", field, context: `${field}, please`, ...(key && { key }) },
});

const required = (field: string, number: number) => ({
  type: "interaction.required",
  interaction: { field, context: `${field}, please`, number, isRepeat: false, answersSent: 0 },
});

test("a second login carries the last key, the same credentials and only the field that was asked for last", async ({
  bank,
}) => {
  const { actor, next, requests, heard } = beginLogin(bank, { answerTimeout: Number.POSITIVE_INFINITY });
  const answer = async (text: string) => {
    await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
    actor.send({ type: "interaction.answer", answer: secret(text) });
  };
  actor.send({ type: "credentials.submit", credentials });
  (await next()).end(asking("otp", "key-1"));
  await answer("8888");
  (await next()).end(asking("personal_question", "key-2"));
  await answer("Rex");
  (await next()).end(asking("token"));
  await answer("123456");
  (await next()).end({ json: { status: "logged_in" } });
  await waitFor(actor, ({ status }) => status === "done");
  const second = (key: string, field: Record<string, string>) => ({
    method: "POST",
    path: "/login/",
    query: { key },
    form: { provider, username, password, ...field },
  });
  expect(requests).toEqual([
    { method: "POST", path: "/login/", query: {}, form },
    second("key-1", { otp: "8888" }),
    second("key-2", { personal_question: "Rex" }),
    second("key-2", { token: "123456" }),
  ]);
  expect(heard).toEqual([
    required("otp", 1),
    required("personal_question", 2),
    required("token", 3),
    { type: "login.succeeded", provider },
  ]);
});

test("the same field asked again right after an answer is a repeat, and counts the answers to it in a row", async ({
  bank,
}) => {
  const { actor, next, heard } = beginLogin(bank, {});
  actor.send({ type: "credentials.submit", credentials });
  for (const field of ["otp", "otp", "otp", "token", "otp"]) {
    (await next()).end(asking(field, "key-1"));
    await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
    actor.send({ type: "interaction.answer", answer: secret("8888") });
  }
  (await next()).end({ json: { status: "logged_in" } });
  await waitFor(actor, ({ status }) => status === "done");
  const interactions = heard.flatMap((event) => ("interaction" in event ? [event.interaction] : []));
  expect(interactions).toMatchObject([
    { field: "otp", number: 1, isRepeat: false, answersSent: 0 },
    { field: "otp", number: 2, isRepeat: true, answersSent: 1 },
    { field: "otp", number: 3, isRepeat: true, answersSent: 2 },
    { field: "token", number: 4, isRepeat: false, answersSent: 0 },
    { field: "otp", number: 5, isRepeat: false, answersSent: 0 },
  ]);
});
