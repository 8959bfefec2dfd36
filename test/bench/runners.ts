import { createActor } from "xstate";
import {
  type BankClient,
  createCredentials,
  createLoginMachine,
  type LoginResponse,
  login as logInHeadless,
  secret,
} from "../../src/index.ts";
import { expectLoggedIn } from "./hand-written.ts";
import { compare, type Effort } from "./rounds.ts";

// What a login costs without HTTP: the client's `login` is a stub that responds at once.
const key = secret("6e2f1f0e-8d0b-4c52-9b0e-0d4f7a1c2b3a");
const interaction: LoginResponse = { status: "interaction_required", key, field: "otp", context: "The code" };
const stub = {
  login: (_: object, call?: { key?: unknown }): Promise<LoginResponse> =>
    Promise.resolve(call?.key ? { status: "logged_in", key } : interaction),
} as BankClient;
const machine = createLoginMachine(stub);
const texts = { provider: "test", username: "12345678", password: "correct horse battery staple" };
// The others read no fields either.
const settings = { validate: false, answerTimeout: 300_000 };
const code = "482913";

/** From the start to the session key: the form, the code. */
function logIn(): Promise<void> {
  return new Promise((resolve, reject) => {
    const actor = createActor(machine, { input: settings });
    actor.on("interaction.required", () => actor.send({ type: "interaction.answer", answer: { otp: secret(code) } }));
    actor.on("login.succeeded", () => resolve());
    actor.on("login.failed", ({ failure }) => reject(new Error(failure.code)));
    actor.start();
    actor.send({ type: "credentials.submit", credentials: createCredentials(texts) });
  });
}

/** The same by `login()`, with a handler and by its outcomes. */
const logInByHandler = async () =>
  expectLoggedIn(await logInHeadless(stub, { ...texts, ...settings, onInteraction: () => code }));
async function logInByOutcomes(): Promise<void> {
  const outcome = await logInHeadless(stub, { ...texts, ...settings });
  expectLoggedIn(outcome.status === "interaction_required" ? await outcome.answer(code) : outcome);
}

/** What `login()` costs above XState's floor: an actor of the same statechart. */
export const compareRunners = (effort: Effort) =>
  compare(
    { "actor of XState": logIn, "login() with a handler": logInByHandler, "login() by outcomes": logInByOutcomes },
    effort,
  );
