import type { LoginCase } from "../../bank/service.ts";

const otp = { provider: "test", username: "12345otp", password: "asdfg" };
const company = { provider: "canal_pa", password: "s3creto", fields: { company_code: "7701" } };
const begun = "login.started started at test in submitting after 0";
const asked =
  "interaction.required interaction_required at test in awaitingInteraction after 100 field=otp fields=otp number=1 answersSent=0";

const answered = "interaction.answered answered at test in submitting after 100 number=1 wait=0";

/** Logins at the sandbox, with their events and their spans. */
export const sandboxLogins: readonly (readonly [
  string,
  LoginCase,
  events: readonly string[],
  spans: readonly string[],
])[] = [
  [
    "a login with a one-time code",
    { ...otp, onInteraction: () => "8888" },
    [begun, asked, answered, "login.finished logged_in at test in loggedIn after 200 interactions=1"],
    [
      "ventanilla.login: logged_in",
      "  ventanilla.submitCredentials: interaction_required",
      "  ventanilla.submitAnswer: logged_in",
    ],
  ],
  [
    "a chain of two interactions",
    {
      provider: "vicuna_pe",
      username: "chain",
      password: "s3creto",
      onInteraction: ({ number }) => ["arequipa", "531975"][number - 1] ?? null,
    },
    [
      "login.started started at vicuna_pe in submitting after 0",
      "interaction.required interaction_required at vicuna_pe in awaitingInteraction after 100 field=personal_question fields=personal_question number=1 answersSent=0",
      "interaction.answered answered at vicuna_pe in submitting after 100 number=1 wait=0",
      "interaction.required interaction_required at vicuna_pe in awaitingInteraction after 200 field=token fields=token number=2 answersSent=0",
      "interaction.answered answered at vicuna_pe in submitting after 200 number=2 wait=0",
      "login.finished logged_in at vicuna_pe in loggedIn after 300 interactions=2",
    ],
    [
      "ventanilla.login: logged_in",
      "  ventanilla.submitCredentials: interaction_required",
      "  ventanilla.submitAnswer: interaction_required",
      "  ventanilla.submitAnswer: logged_in",
    ],
  ],
  [
    "two fields at once",
    {
      provider: "cerrojo_sv",
      username: "both",
      password: "s3creto",
      onInteraction: () => ({ otp: "161803", token: "314159" }),
    },
    [
      "login.started started at cerrojo_sv in submitting after 0",
      "interaction.required interaction_required at cerrojo_sv in awaitingInteraction after 100 field=otp fields=otp,token number=1 answersSent=0",
      "interaction.answered answered at cerrojo_sv in submitting after 100 number=1 wait=0",
      "login.finished logged_in at cerrojo_sv in loggedIn after 200 interactions=1",
    ],
    [
      "ventanilla.login: logged_in",
      "  ventanilla.submitCredentials: interaction_required",
      "  ventanilla.submitAnswer: logged_in",
    ],
  ],
  [
    "a choice of client",
    { ...company, username: "newkey", onSelectClient: () => "1" },
    [
      "login.started started at canal_pa in submitting after 0",
      "client.required select_client at canal_pa in selectClient after 200 clients=2",
      "client.chosen chosen at canal_pa in submitting after 200 wait=0",
      "login.finished logged_in at canal_pa in loggedIn after 300 interactions=0",
    ],
    [
      "ventanilla.login: logged_in",
      "  ventanilla.submitCredentials: select_client",
      "  ventanilla.listClients: success",
      "  ventanilla.selectClient: success",
    ],
  ],
  [
    "a client that the caller chooses",
    { ...company, username: "newkey" },
    [
      "login.started started at canal_pa in submitting after 0",
      "login.failed client_selection_off at canal_pa in failed after 100 kind=outcome interactions=0 replaceable=false",
    ],
    ["ventanilla.login: client_selection_off", "  ventanilla.submitCredentials: select_client"],
  ],
  [
    "a session that is replaced",
    { settings: { sessionReplacement: true }, provider: "faro_uy", username: "sessions", password: "s3creto" },
    [
      "login.started started at faro_uy in submitting after 0",
      "login.failed max_sessions_reached at faro_uy in failed after 100 kind=outcome httpStatus=403 interactions=0 replaceable=true",
      "login.started replacing_session at faro_uy in submitting after 100",
      "login.finished logged_in at faro_uy in loggedIn after 300 interactions=0",
    ],
    [
      "ventanilla.login: logged_in",
      "  ventanilla.submitCredentials: max_sessions_reached",
      "  ventanilla.closeSession: logged_out",
      "  ventanilla.submitCredentials: logged_in",
    ],
  ],
  [
    "an unknown status",
    { provider: "rareza_do", username: "novelty", password: "s3creto" },
    [
      "login.started started at rareza_do in submitting after 0",
      "login.failed unexpected_status at rareza_do in failed after 100 kind=outcome httpStatus=200 wireStatus=under_review interactions=0 replaceable=false",
    ],
    ["ventanilla.login: unexpected_status", "  ventanilla.submitCredentials: unexpected_status"],
  ],
  [
    "a question that expires",
    { settings: { answerTimeout: 1 }, ...otp, onInteraction: () => new Promise(() => {}) },
    [begun, asked, "login.failed expired at test in failed after 100 kind=outcome interactions=1 replaceable=false"],
    ["ventanilla.login: expired", "  ventanilla.submitCredentials: interaction_required"],
  ],
  [
    "a handler that throws",
    {
      ...otp,
      onInteraction: () => {
        throw new Error("not today");
      },
    },
    [begun, asked, "login.cancelled stopped at test in awaitingInteraction after 100 interactions=1"],
    ["ventanilla.login: stopped", "  ventanilla.submitCredentials: interaction_required"],
  ],
];
