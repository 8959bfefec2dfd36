import type { LinkSettings } from "../../../machines/link.types.ts";
import { loginScenarios, questionAtCanal, wrongAtCanal } from "./login-scenarios.ts";
import type { Fault, RequestName } from "./path-types.ts";
import {
  type Attempt,
  asks,
  failing,
  fault,
  findAccount,
  refuses,
  responds,
  type Scenario,
  type ScriptedFault,
  says,
  scenario,
} from "./scenario.ts";

const plain = says("started");
/** Beyond the contract: one choice narrows another. */
export const narrowing: RequestName = "GET /provider/{code}/?key={field}&value={chosen}";

const at = (when: string, faults: readonly ScriptedFault[]) => scenario("faro_uy", "plain", when, plain, { faults });

const selection: LinkSettings = { clientSelection: true };
const formBreaks = fault("GET /provider/{code}/", "broken");
const after = (when: string, rest: Partial<Scenario>) =>
  scenario("canal_pa", "letters", when, [wrongAtCanal, questionAtCanal], rest);

const notEnabled = { http: 403, body: { status: "error", message: "Unauthorized provider" } } satisfies Fault["what"];
const unknownApiKey = { http: 403, body: { status: "error", message: "Key not found" } } satisfies Fault["what"];
const expired = { body: { status: "error", message: "Invalid key" } } satisfies Fault["what"];

// A login's own paths show the login. Within a link, one scenario for each of its screens is enough.
const within = [
  "the bank asks for a one-time code",
  "the bank asks twice",
  "the password is wrong at first",
  "the bank wants a client",
  "the ids of the clients have letters",
  "another session is in the way",
  "the connection breaks at the login",
  "the login gets no response",
  "the bank asks again after a wrong code",
  "the next user is asked something else",
  "each login shows what the next one must not",
  "a login gets no response before and after a failure",
  "the texts of the bank are long",
  "the screen changes its language or theme",
  "no one answers in time",
  "no one chooses in time",
];

// Each of the two banks has a field that the other one has not.
const toCeibo: Attempt = { account: findAccount("ceibo_ar", "personal"), says: ["started"] };

const scenarios: readonly Scenario[] = [
  at("all goes well", []),
  ...loginScenarios.filter(({ when }) => within.includes(when)),
  scenario("puente_co", "foreign", "one choice narrows another", plain, { settings: { dependentChoices: true } }),
  scenario("puente_co", "local", "the narrowing of the choices breaks", plain, {
    settings: { dependentChoices: true },
    // Each change of a choice sends a request.
    faults: [{ request: narrowing, what: "broken" }],
  }),
  scenario("silencio_ni", "object", "the bank has no transfers", says(asks("otp"), "started")),
  // These users also have an optional field, two fields to answer, and a confirmation.
  scenario("cordillera_cl", "plain", "the bank is known and its session is enough", plain, {
    settings: { provider: "cordillera_cl", destinations: false },
  }),
  scenario("cerrojo_sv", "both", "the session has ended", says(asks("otp"), "started"), {
    faults: [responds("GET /transfer/destinations", expired, refuses("invalid_key"))],
  }),
  scenario("mirador_gt", "confirm", "the destinations break", says(asks("app_confirmation"), "started"), {
    faults: [fault("GET /transfer/destinations", "broken")],
  }),
  // It is in no list of banks.
  scenario("minimo_bo", "plain", "there are no transfer destinations", plain, { settings: { provider: "minimo_bo" } }),

  ...failing(at("the list of banks", []), responds("GET /provider/", unknownApiKey, refuses("api_key_refused"))),

  at("the bank is not enabled", [responds("GET /provider/{code}/", notEnabled, refuses("unauthorized_provider"))]),
  at("the form of the bank breaks, and then gets no response", [formBreaks, fault("GET /provider/{code}/", "held", 2)]),

  scenario("faro_uy", "plain", "the form of another bank was filled in before", plain, {
    leaves: findAccount("canal_pa", "letters"),
  }),
  scenario("canal_pa", "letters", "the next bank has another form", [wrongAtCanal, questionAtCanal, toCeibo], {
    settings: selection,
    passes: "GET /client/",
  }),
  after("requests around the login fail after a failure, a question and clients", {
    settings: selection,
    faults: [formBreaks, responds("GET /transfer/destinations", notEnabled, refuses("unauthorized_provider"))],
  }),
  after("the destinations get no response after a failure, a question and clients", {
    settings: selection,
    faults: [fault("GET /client/{id}/", "broken"), fault("GET /transfer/destinations", "held")],
  }),
  after("a client is missing after a failure and a question", { faults: [formBreaks] }),
];

/** The parts around a login, from the list of banks to the destinations (contract, section 1). */
export const linkScenarios: readonly Scenario[] = scenarios.map((one) => ({
  ...one,
  settings: { destinations: true, ...one.settings },
}));
