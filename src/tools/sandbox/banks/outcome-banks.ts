import type { Bank } from "../bank-model.ts";
import { envelope, failure, missingParams, ok, providerUnavailable, refusal } from "../sandbox-responses.ts";
import {
  account,
  accountWith,
  askCode,
  bank,
  choice,
  corporate,
  field,
  otp,
  pause,
  personal,
  refused,
  selectClient,
  small,
  sometimes,
  token,
  usernameAndPassword,
} from "./bank-parts.ts";

const company = { company_code: "7701" };
const twoClients = { 0: "First Client", 1: "Second Client" };

const missingBranch = { http: 400, body: { status: "missing_credentials", missing_fields: ["branch"] } };

/** Invented banks with other outcomes. */
export const outcomeBanks: readonly Bank[] = [
  bank("canal_pa", "PA", "Banco Canal Verde", {
    accountTypes: [corporate, small],
    authFields: [
      ...usernameAndPassword,
      field("company_code", "text", "Company code", "Código de empresa"),
      sometimes(token),
    ],
    destinations: { 71: "Banco Esclusa", 72: "Caja Istmo" },
    accounts: [
      accountWith(company, "newkey", "select_client; choosing gives a new key", [selectClient(twoClients, "new")]),
      accountWith(company, "samekey", "select_client; choosing keeps the key", [selectClient(twoClients, "same")]),
      accountWith(company, "letters", "select_client with ids that are not numbers", [
        selectClient({ "FIC-02412222": "Ficticia S.A.", "FIC-02419999": "Ficticia Hermanos" }, "same"),
      ]),
      accountWith(company, "empty", "select_client without clients", [selectClient({}, "same")]),
      accountWith(company, "later", "logs in; the destinations ask for a client", [], {
        destinations: ok({ status: "select_client" }),
      }),
      accountWith(company, "latertoken", "logs in; the destinations ask for a token", [], {
        destinations: ok({
          status: "interaction_required",
          field: "token",
          context: "Ingrese el token para ver sus contactos",
        }),
      }),
      accountWith(company, "token", "a token, then select_client", [
        askCode("token", "Ingrese el código del dispositivo de la empresa", "864209"),
        selectClient(twoClients, "new"),
      ]),
    ],
  }),
  bank("tortuga_ec", "EC", "Banco Tortuga", {
    accountTypes: [personal],
    authFields: [...usernameAndPassword, sometimes(otp)],
    destinations: { 9: "Banco Galápago" },
    accounts: [
      account("slow", "a slow login", [pause]),
      account("slowotp", "a slow second login", [askCode("otp", "Código por correo", "314159"), pause]),
    ],
  }),
  bank("niebla_py", "PY", "Banco Niebla", {
    accountTypes: [personal],
    authFields: usernameAndPassword,
    destinations: {},
    accounts: [account("plain", "provider_unavailable", refused(providerUnavailable))],
  }),
  bank("rareza_do", "DO", "Banco Rareza", {
    accountTypes: [personal],
    authFields: [
      ...usernameAndPassword,
      field("branch", "text", "Branch", "Sucursal", {
        optional: true,
        // Choices of a field that is not a `choice`, as some real banks send them.
        choices: [choice("north", "North", "Norte"), choice("south", "South", "Sur")],
      }),
    ],
    destinations: { 1: "Banco Palmera" },
    accounts: [
      accountWith({ branch: "north" }, "branch", "a text field with choices"),
      account("novelty", "an unknown status", refused(refusal("under_review", 200))),
      account("notyet", "not_implemented", refused(refusal("not_implemented", 501))),
      account("params", "missing_params", refused(missingParams)),
      account("nobranch", "missing_credentials, whose missing_fields names a field", refused(missingBranch)),
      account("unauthorized", "error: Unauthorized provider", refused(failure("Unauthorized provider", 403))),
      account("credentials", "B1001: credentials", refused(envelope("B1001"))),
      account("broken", "B1007: provider login failed", refused(envelope("B1007"))),
      account("locked", "B1011: user blocked", refused(envelope("B1011"))),
    ],
  }),
];
