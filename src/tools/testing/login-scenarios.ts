import type { LinkSettings } from "../../../machines/link.types.ts";
import { longTexts } from "./long-texts.ts";
import {
  type Attempt,
  asks,
  failing,
  fault,
  findAccount,
  findQuestion,
  listAnswers,
  refuses,
  responds,
  type Scenario,
  says,
  scenario,
  toFormValues,
} from "./scenario.ts";

// Client selection and session replacement: both beyond the contract.
const beyond: LinkSettings = { clientSelection: true, sessionReplacement: true };

const plain = says("started");
const code = says(asks("otp"), "started");
const client = says("client");
const tokenAndClient = says(asks("token"), "client");
const tooManySessions = says(refuses("max_sessions_reached"));
const afterLogout: Attempt = { says: ["started"] };

const test = findAccount("test", "12345");
const testOtp = findAccount("test", "12345otp");
const faro = findAccount("faro_uy", "otp");
const confirming = findAccount("mirador_gt", "confirm");
const quetzal = findAccount("quetzal_mx", "otp");
const bahia = findAccount("bahia_es", "plain");
const letters = findAccount("canal_pa", "letters");
export const wrongAtCanal: Attempt = {
  // A screen must not change what was typed: neither capitals nor a blank at the end.
  values: { ...toFormValues(letters), username: "Stranger", password: "Another " },
  says: [refuses("wrong_credentials")],
};
export const questionAtCanal: Attempt = { account: findAccount("canal_pa", "token"), says: [asks("token"), "client"] };
/** A failure, clients, a question and other clients. */
export const afterEachOther: readonly Attempt[] = [wrongAtCanal, ...client, questionAtCanal];
const { type: _, ...withoutChoice } = toFormValues(findAccount("ipe_br", "plain"));
const { document_number: __, ...withoutDocument } = toFormValues(findAccount("cordillera_cl", "plain"));

const listing = responds("GET /client/", { body: { status: "error", message: "Invalid key" } }, refuses("invalid_key"));
const choosing = responds(
  "GET /client/{id}/",
  { body: { status: "error", message: "wrong_client" } },
  refuses("wrong_client"),
);
const tooEarly = { status: "interaction_required", ...findQuestion(confirming, "app_confirmation") };
const closing = responds("GET /logout/", { body: { status: "error", code: "B1009" } }, refuses("logout_failed"));

/**
 * The behaviour of banks at a login (contract, section 3, and what is known beyond it). If two scenarios show the same, the
 * first one is used.
 */
export const loginScenarios: readonly Scenario[] = [
  // What the bank asks.
  scenario("test", "12345", "the bank asks nothing more", plain),
  scenario("test", "12345otp", "the bank asks for a one-time code", code),
  scenario("test", "12345pq", "the bank asks a personal question", says(asks("personal_question"), "started")),
  scenario("mirador_gt", "captcha", "the bank shows a picture", says(asks("captcha"), "started")),
  scenario("mirador_gt", "channel", "the bank asks where the code goes", says(asks("channel"), asks("otp"), "started")),
  scenario("mirador_gt", "confirm", "the bank wants the login confirmed", says(asks("app_confirmation"), "started")),
  scenario(
    "mirador_gt",
    "approve",
    "the bank wants the login approved under the name of a code",
    says(asks("otp"), "started"),
  ),
  scenario("cerrojo_sv", "both", "the bank asks for a code and a token at once", says(asks("otp"), "started")),
  scenario("brou_pers_uy_mock", "12345", "the bank asks for a token", says(asks("token"), "started")),
  scenario("vicuna_pe", "chain", "the bank asks twice", says(asks("personal_question"), asks("token"), "started")),

  // Wrong answers.
  scenario("mirador_gt", "confirm", "the confirmation comes too early", says(asks("app_confirmation"), "started"), {
    faults: [responds("POST /login/", { body: tooEarly }, asks("app_confirmation"), 2)],
  }),
  scenario("quetzal_mx", "otp", "the bank asks again after a wrong code", [
    { answers: ["000000", ...listAnswers(quetzal)], says: [asks("otp"), asks("otp"), "started"] },
  ]),
  scenario("quetzal_mx", "otp", "the bank blocks the user after three wrong codes", [
    { answers: ["000000", "111111", "222222"], says: [asks("otp"), asks("otp"), asks("otp"), refuses("user_blocked")] },
  ]),
  scenario("faro_uy", "otp", "the bank wants a new login after a wrong code", [
    { answers: ["000000"], says: [asks("otp"), refuses("wrong_credentials")] },
    { answers: listAnswers(faro), says: [asks("otp"), "started"] },
  ]),
  scenario("ceibo_ar", "company", "the bank refuses a wrong token", [
    { answers: ["000000"], says: [asks("token"), refuses("wrong_answer")] },
  ]),
  scenario("cordillera_cl", "question", "the bank refuses a wrong answer", [
    { answers: ["wrong"], says: [asks("personal_question"), refuses("wrong_answer")] },
  ]),

  // The content of the form.
  scenario("ceibo_ar", "personal", "the form has a choice to make", plain),
  scenario("ipe_br", "plain", "the form has a choice that is made already", [
    { values: withoutChoice, says: ["started"] },
  ]),
  scenario("puente_co", "foreign", "one choice of the form depends on another", plain),
  scenario("rareza_do", "branch", "the form has a text with choices", plain),
  scenario("cordillera_cl", "plain", "an optional field has a value", plain),
  scenario("cordillera_cl", "plain", "an optional field has no value", [
    { values: withoutDocument, says: ["started"] },
  ]),
  scenario("minimo_bo", "plain", "the bank says little about its form", plain),

  // What the bank refuses.
  scenario("test", "12345", "the password is wrong at first", [
    { values: { ...toFormValues(test), password: "another" }, says: [refuses("wrong_credentials")] },
    ...plain,
  ]),
  scenario("bahia_es", "plain", "the bank refuses the user with its own message", [
    { values: { ...toFormValues(bahia), username: "Stranger" }, says: [refuses("wrong_credentials")] },
  ]),
  scenario("faro_uy", "blocked", "the bank has blocked the user", says(refuses("user_blocked"))),
  scenario("faro_uy", "sessions", "too many sessions are open", tooManySessions, { afterLogout }),
  scenario("bahia_es", "renew", "the bank wants a new password", says(refuses("password_change_required"))),
  scenario("niebla_py", "plain", "the bank is not available", says(refuses("provider_unavailable"))),
  scenario("rareza_do", "novelty", "the bank sends an unknown status", says(refuses("unexpected_status"))),

  // Clients.
  scenario("canal_pa", "newkey", "the bank wants a client", client),
  scenario("canal_pa", "letters", "the ids of the clients have letters", client, { settings: beyond }),
  scenario("canal_pa", "token", "the bank asks for a token and has clients to choose from", tokenAndClient, {
    settings: beyond,
  }),
  scenario("canal_pa", "empty", "the bank has no client to choose from", client, { settings: beyond }),
  ...failing(scenario("canal_pa", "samekey", "the list of clients", client, { settings: beyond }), listing),
  ...failing(scenario("canal_pa", "samekey", "the choice of a client", client, { settings: beyond }), choosing),

  // Sessions in the way.
  scenario("faro_uy", "sessions", "another session is in the way", tooManySessions, { settings: beyond, afterLogout }),
  scenario("faro_uy", "sessions", "closing one session is not enough", says(), {
    settings: beyond,
    faults: [
      responds(
        "POST /login/",
        { http: 403, body: { status: "max_sessions_reached", key: "the-key-of-yet-another-session" } },
        refuses("max_sessions_reached"),
        "always",
      ),
      responds("GET /logout/", { body: { status: "logged_out" } }, undefined, "always"),
    ],
  }),
  ...failing(
    scenario("faro_uy", "sessions", "closing the other session", tooManySessions, {
      settings: beyond,
      afterLogout,
    }),
    closing,
  ),

  // Faults.
  scenario("test", "12345", "the connection breaks at the login", plain, {
    faults: [fault("POST /login/", "broken")],
  }),
  scenario("test", "12345otp", "the connection breaks at the answer", code, {
    faults: [fault("POST /login/", "broken", 2)],
  }),
  scenario("test", "12345", "the bank gives no key", plain, {
    faults: [responds("POST /login/", { body: { status: "logged_in" } }, "started, no key")],
  }),
  scenario("test", "12345", "the login gets no response", plain, { faults: [fault("POST /login/", "held")] }),
  scenario("test", "12345otp", "the second login gets no response", code, {
    faults: [fault("POST /login/", "held", 2)],
  }),
  scenario("vicuna_pe", "chain", "the bank asks too often", says(asks("personal_question"), asks("token"), "started"), {
    settings: { interactionLimit: 1 },
  }),

  // Leftovers of an earlier login on a screen.
  scenario("test", "12345pq", "the next user is asked something else", [
    ...says(asks("personal_question"), "started"),
    { account: testOtp, says: [asks("otp"), "started"] },
  ]),
  scenario("canal_pa", "letters", "each login shows what the next one must not", afterEachOther, {
    settings: beyond,
    faults: [fault("GET /client/{id}/", "broken")],
  }),
  scenario("canal_pa", "letters", "a client is missing after a failure and a question", [
    wrongAtCanal,
    questionAtCanal,
  ]),
  scenario(
    "test",
    "12345otp",
    "a login gets no response before and after a failure",
    [
      ...plain,
      { values: { ...toFormValues(testOtp), password: "another" }, says: [refuses("wrong_credentials")] },
      ...plain,
      ...code,
    ],
    { faults: [fault("POST /login/", "held"), fault("POST /login/", "held", 3)] },
  ),
  longTexts,
  scenario("test", "12345otp", "the screen changes its language or theme", code, { changesAppearance: true }),

  // Last, because they take longest.
  scenario("test", "12345otp", "no one answers in time", code, { settings: { answerTimeout: 1000 }, isLate: true }),
  scenario("canal_pa", "newkey", "no one chooses in time", client, {
    settings: { answerTimeout: 1000, clientSelection: true },
    isLate: true,
  }),
];
