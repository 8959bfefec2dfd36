import { loginScenarios } from "./login-scenarios.ts";
import type { Fault, RequestName } from "./path-types.ts";
import {
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
  toFormValues,
} from "./scenario.ts";

const plain = says("started");
/** Beyond the contract: one choice narrows another. */
export const narrowing: RequestName = "GET /provider/{code}/?key={field}&value={chosen}";

const at = (when: string, faults: readonly ScriptedFault[]) => scenario("faro_uy", "plain", when, plain, { faults });

const notEnabled = { http: 403, body: { status: "error", message: "Unauthorized provider" } } satisfies Fault["what"];
const unknownApiKey = { http: 403, body: { status: "error", message: "Key not found" } } satisfies Fault["what"];
const expired = { body: { status: "error", message: "Invalid key" } } satisfies Fault["what"];

// What a login does is shown by a login's own paths: within a link, one scenario for each of its screens.
const within = [
  "the bank asks for a one-time code",
  "the bank asks twice",
  "the password is wrong at first",
  "the bank wants a client",
  "the ids of the clients have letters",
  "another session is in the way",
  "the connection breaks at the login",
  "the login stays without an answer",
  "the bank asks again after a wrong code",
  "the password is wrong at first, and then the bank asks for a code",
  "the next user is asked something else",
  "the next user has other clients",
  "the screen changes its language or theme",
  "nobody answers in time",
  "nobody chooses in time",
];

// Each has a field that the other one has not.
const cordillera = findAccount("cordillera_cl", "plain");
const ceibo = findAccount("ceibo_ar", "personal");

const scenarios: readonly Scenario[] = [
  at("all goes well", []),
  ...loginScenarios.filter(({ when }) => within.includes(when)),
  scenario("puente_co", "foreign", "one choice narrows another", plain, { settings: { dependentChoices: true } }),
  scenario("puente_co", "local", "the narrowing of the choices breaks", plain, {
    settings: { dependentChoices: true },
    // Every change of a choice is asked about.
    faults: [{ request: narrowing, what: "broken" }],
  }),
  scenario("silencio_ni", "object", "the bank has no transfers", says(asks("otp"), "started")),
  scenario("faro_uy", "plain", "the bank is known and its session is enough", plain, {
    settings: { provider: "faro_uy", destinations: false },
  }),
  // In no list of banks.
  scenario("minimo_bo", "plain", "there is nobody to transfer to", plain, { settings: { provider: "minimo_bo" } }),

  ...failing(at("the list of banks", []), responds("GET /provider/", unknownApiKey, refuses("api_key_refused"))),

  at("the bank is not enabled", [responds("GET /provider/{code}/", notEnabled, refuses("unauthorized_provider"))]),
  at("the form of the bank breaks", [fault("GET /provider/{code}/", "broken")]),
  at("the form of the bank stays without an answer", [fault("GET /provider/{code}/", "held")]),

  at("the session has ended", [responds("GET /transfer/destinations", expired, refuses("invalid_key"))]),
  at("the destinations are refused", [
    responds("GET /transfer/destinations", notEnabled, refuses("unauthorized_provider")),
  ]),
  at("the destinations break", [fault("GET /transfer/destinations", "broken")]),
  at("the destinations stay without an answer", [fault("GET /transfer/destinations", "held")]),

  scenario("cordillera_cl", "plain", "the next bank has another form", [
    { values: { ...toFormValues(cordillera), password: "another" }, says: [refuses("wrong_credentials")] },
    { account: ceibo, says: ["started"] },
  ]),
];

/** What surrounds a login, from the list of banks to the destinations (contract, section 1). */
export const linkScenarios: readonly Scenario[] = scenarios.map((one) => ({
  ...one,
  settings: { destinations: true, ...one.settings },
}));
