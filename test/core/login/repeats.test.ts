import {
  createLoginMachine,
  describeFailure,
  type LoginOptions,
  type LoginOutcome,
  type LoginSettings,
  login,
  loginView,
} from "ventanilla";
import { describe, expect, test } from "vitest";
import { createActor, waitFor } from "xstate";
import {
  asks,
  failed,
  type Line,
  loggedIn,
  loginUnread,
  openQuestion,
  person,
  startService,
} from "../../bank/service.ts";
import { dataUrl, png } from "../api/pictures.ts";
import { credentials } from "./started.ts";

const again = { code: "answer_repeated", field: "otp" };

/** A login at a bank that asks as the lines say, with each answer of a list. @returns what each answer came to. */
async function answerAll(lines: readonly Line[], answers: readonly string[], options: LoginOptions = {}) {
  const service = await startService(lines);
  let outcome: LoginOutcome = await loginUnread(service.client(), person, options);
  const refused: unknown[] = [];
  for (const answer of answers) {
    const { answer: send } = openQuestion(outcome);
    await send(answer).then(
      (next) => {
        outcome = next;
      },
      (error) => refused.push({ code: error.code, field: error.field }),
    );
  }
  return { outcome, refused, posts: service.requests.map(({ form }) => form["otp"]).slice(1) };
}

const asking = (count: number, context = "A code") =>
  Array.from({ length: count }, () => asks("otp", "key-1", context));

describe("the same code is not sent twice for the same question:", () => {
  test("a verb rejects, and the outcome takes another code", async () => {
    const lines = [...asking(2), loggedIn("key-2")];
    const { outcome, refused, posts } = await answerAll(lines, ["123456", "123456", "123-456", "654321"]);
    expect(refused).toEqual([again, again]);
    expect(posts).toEqual(["123456", "654321"]);
    expect(outcome).toMatchObject({ state: "loggedIn" });
  });

  test("two codes in turn are each sent once", async () => {
    const { refused, posts } = await answerAll(asking(3), ["111111", "222222", "111111"]);
    expect([refused, posts]).toEqual([[again], ["111111", "222222"]]);
  });

  test("words are no other than a code", async () => {
    const settings: LoginSettings = { interactionKinds: { test: { otp: "question" } } };
    const { refused, posts } = await answerAll(asking(2, "Your first pet"), ["Rex", "Rex"], { settings });
    expect([refused, posts]).toEqual([[again], ["Rex"]]);
  });

  test("a handler that always returns it ends the login with the fault", async () => {
    const service = await startService(asking(3));
    const run = login(service.client(), person, { settings: { validate: false }, onInteraction: () => "8888" });
    await expect(run).rejects.toMatchObject(again);
    expect(service.lines()).toHaveLength(2);
  });

  test("a screen shows the sentence at its field, and the question stays", async () => {
    const service = await startService([...asking(2), loggedIn("key-2")]);
    const actor = createActor(createLoginMachine(service.client()), { input: { validate: false } }).start();
    const answer = async (number: number, code: string) => {
      await waitFor(actor, ({ context }) => context.interaction?.number === number);
      const view = loginView(actor.getSnapshot(), actor, { provider: "test", locale: "en" });
      if (view.state !== "awaitingInteraction") throw new Error(view.state);
      return view.answer(code);
    };
    actor.send({ type: "credentials.submit", credentials });
    expect(await answer(1, "123456")).toBeUndefined();
    expect(await answer(2, "123456")).toEqual({ otp: describeFailure("answer_repeated", "en").text });
    expect(service.lines()).toHaveLength(2);
    expect(await answer(2, "654321")).toBeUndefined();
    await waitFor(actor, (snapshot) => snapshot.matches("loggedIn"));
    expect(actor.getSnapshot().context.answersInVain).toBeUndefined();
  });
});

test.each<[string, readonly Line[], readonly string[], object]>([
  [
    "the bank's text is another one",
    [asks("otp", "k", "One"), asks("otp", "k", "Two"), loggedIn("k")],
    ["11", "11"],
    {},
  ],
  [
    "the bank asks for something else in between",
    [asks("otp", "k"), asks("pin", "k"), asks("otp", "k")],
    ["11", "22", "11"],
    {},
  ],
  [
    "it is what a picture shows",
    [asks("otp", "k", dataUrl("image/png", png)), asks("otp", "k", dataUrl("image/png", png)), loggedIn("k")],
    ["11", "11"],
    {},
  ],
])("the same text is sent if %s", async (_, lines, answers, options) => {
  const { refused } = await answerAll(lines, answers, options);
  expect(refused).toEqual([]);
});

describe("a code that is asked for again and again", () => {
  const codes = ["100001", "100002", "100003", "100004", "100005", "100006"];

  test.each([
    ["five times", {}, 5],
    ["as often as repeatLimit says", { repeatLimit: 2 }, 2],
    ["not at all more often than interactionLimit says", { interactionLimit: 3, repeatLimit: 9 }, 3],
  ])("is answered %s", async (_, settings, answers) => {
    const { outcome, posts } = await answerAll(asking(12), codes.slice(0, answers), { settings });
    expect(outcome).toEqual(failed("too_many_interactions"));
    expect(posts).toHaveLength(answers);
  });

  test("is another matter than a picture", async () => {
    const picture = asking(7, dataUrl("image/png", png));
    const { outcome } = await answerAll([...picture, loggedIn("key-2")], [...codes, "x"]);
    expect(outcome).toMatchObject({ state: "loggedIn" });
  });
});

describe("a code with the message around it", () => {
  test.each([
    "Your code is 123456",
    "Su código: 1234. No lo comparta",
    "123456 is your code, valid for 5 minutes",
    "Banco de Prueba: 12345678",
    "Código １２３４５６ de su banco",
    "Pago de 15000 en Tienda. Código: 482913",
    "from 1234 to 5678",
    "no llegó nada",
  ])("is refused before it is sent: %s", async (message) => {
    const service = await startService([asks("otp", "key-1"), loggedIn("key-2")]);
    const asked = openQuestion(await login(service.client(), person, { settings: { validate: false } }));
    await expect(asked.answer(message)).rejects.toMatchObject({
      code: "invalid_input",
      field: "otp",
      detail: expect.stringContaining("give the code alone"),
    });
    expect(service.lines()).toHaveLength(1);
    expect(await asked.answer("123456")).toMatchObject({ state: "loggedIn" });
  });

  test.each([
    ["otp", "123 456", "123456"],
    ["otp", "G-123456", "123456"],
    ["otp", "ABC123456", "ABC123456"],
    ["token", "correct horse 1234", "correct horse 1234"],
    ["answer", "Calle Mayor 1234", "Calle Mayor 1234"],
  ])("is not what a field %s gets by %s", async (field, given, sent) => {
    const service = await startService([asks(field, "key-1", ""), loggedIn("key-2")]);
    await openQuestion(await login(service.client(), person, { settings: { validate: false } })).answer(given);
    expect(service.requests[1]?.form[field]).toBe(sent);
  });
});
