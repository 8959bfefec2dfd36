import { type InteractionPrompt, reveal, secret } from "ventanilla";
import { expect, test } from "vitest";
import { createAutomaticAnswers } from "../../../src/programs/cli/login/automatic-answers.ts";

type Sources = Parameters<typeof createAutomaticAnswers>[0];

const program = { environment: process.env } as Sources["program"];
const asked: InteractionPrompt = {
  kind: "code",
  field: "otp",
  fields: ["otp", "token"],
  context: "Both",
  number: 1,
  isRepeat: false,
  answersSent: 0,
};
const { signal } = new AbortController();

async function answer(known: Sources["known"], command?: string, times = 1): Promise<unknown> {
  const answerAutomatically = createAutomaticAnswers({ known, command, timeout: 60_000, program });
  let answers: Awaited<ReturnType<typeof answerAutomatically>>;
  for (let time = 0; time < times; time++) answers = await answerAutomatically("test", asked, signal);
  return answers && Object.fromEntries(Object.entries(answers).map(([name, text]) => [name, reveal(text)]));
}

const otp = secret("161803");
const token = secret("314159");

test("each field is answered: from the credentials, with a one-time code, with the command", async () => {
  expect(await answer({ answers: { otp, token } })).toEqual({ otp: "161803", token: "314159" });
  const totp = () => secret("999");
  expect(await answer({ answers: { token }, totp })).toEqual({ otp: "999", token: "314159" });
  expect(await answer({ answers: { token } }, "echo from-{field}")).toEqual({ otp: "from-otp", token: "314159" });
});

test("without an answer to each field there is none, nor is a stored one given twice", async () => {
  expect(await answer({ answers: { otp } })).toBeUndefined();
  expect(await answer({ answers: { otp, token } }, undefined, 2)).toBeUndefined();
});
