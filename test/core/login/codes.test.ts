import { createLoginMachine, interactionKind, type LoginSettings, loginView } from "ventanilla";
import { describe, expect, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { loggedIn, loginUnread, person, startService } from "../../bank/service.ts";
import { submit } from "./started.ts";

// "The interactive field(s)" as the person copied them: contract, section 4.1. What the bank gets is read at the bank.

const kinds: LoginSettings["interactionKinds"] = { test: { clave_dinamica: "code", otp_question: "question" } };

async function startBank(field: unknown, context = "Code sent") {
  const asks = { json: { status: "interaction_required", key: "first-key", context, field } };
  const service = await startService([asks, loggedIn("key-2")]);
  const received = () => Object.fromEntries(new URLSearchParams(service.requests[1]?.body));
  return { service, received };
}

const rows: readonly [what: string, field: string, typed: string, sent: string][] = [
  ["a hyphen", "otp", "123-456", "123456"],
  ["a prefix", "otp", "G-123456", "123456"],
  ["a prefix and blanks", "sms_code", " G - 123 456\n", "123456"],
  ["full-width digits", "otp", "\uff11\uff12\uff13\uff14\uff15\uff16", "123456"],
  ["invisible characters", "otp", "\u200b123\u2060456\ufeff", "123456"],
  ["blanks that do not break", "otp", "123\u00a0456\u202f", "123456"],
  ["another dash", "code", "123\u2013456", "123456"],
  ["blanks in a token", "token", "123 456", "123456"],
  ["digits under a name that the settings call a code", "clave_dinamica", "123 456", "123456"],
  ["letters", "token", "ab-12 CD", "ab-12 CD"],
  ["a letter that belongs to it", "token", "A123456", "A123456"],
  ["hyphens alone", "otp", "--", "--"],
  ["an answer in words", "personal_question", "12-34 de mayo", "12-34 de mayo"],
  ["digits of an answer in words", "personal_question", "12-34", "12-34"],
  ["digits under a name that the settings call a question", "otp_question", "12-34", "12-34"],
];

describe.each(rows)("a code with %s", (_, field, typed, sent) => {
  test("reaches the bank from a handler", async () => {
    const { service, received } = await startBank(field);
    const settings = { interactionKinds: kinds };
    await loginUnread(service.client(), person, { settings, onInteraction: () => typed });
    expect(received()[field]).toBe(sent);
  });

  test("reaches the bank from a screen", async () => {
    const { service, received } = await startBank(field);
    const machine = createLoginMachine(service.client());
    const actor = createActor(machine, { input: { validate: false, interactionKinds: kinds } }).start();
    actor.send(submit);
    await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
    const view = loginView(actor.getSnapshot(), actor, { provider: "test" });
    if (view.state !== "awaitingInteraction") return expect.fail(view.state);
    view.answer(typed);
    await waitFor(actor, ({ status }) => status === "done");
    expect(received()[field]).toBe(sent);
  });
});

test("of several fields each code is cleaned, and a password is sent as it is", async () => {
  const { service, received } = await startBank(["personal_question", "token"], "Both, please");
  await loginUnread(
    service.client(),
    { ...person, password: "12-34 56" },
    {
      onInteraction: () => ({ personal_question: "1-2", token: "65-43 21" }),
    },
  );
  expect(received()).toMatchObject({ password: "12-34 56", personal_question: "1-2", token: "654321" });
});

test("where the text asks to confirm in the app, a code that somebody has is cleaned too", async () => {
  const { service, received } = await startBank("otp", "Confirme el ingreso en la app");
  expect(interactionKind({ field: "otp", context: "Confirme el ingreso en la app" }).kind).toBe("confirmation");
  await loginUnread(service.client(), person, { onInteraction: () => "65-43 21" });
  expect(received()["otp"]).toBe("654321");
});
