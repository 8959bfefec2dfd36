import { failure, missingParams, providerUnavailable, refusal } from "../answers.ts";
import type { Bank } from "../bank.ts";
import { envelope } from "../envelopes.ts";
import { askCode, loggedIn, pause, refused, selectClient } from "../script.ts";
import { choice, corporate, otp, personal, small, sometimes, token, usernameAndPassword } from "./auth-fields.ts";

const password = "s3creto";

const company = { company_code: "7701" };

/** Invented banks whose logins end otherwise. */
export const banksWithOutcomes: readonly Bank[] = [
  {
    code: "canal_pa",
    country: "PA",
    name: "Banco Canal Verde",
    accountTypes: [corporate, small],
    authFields: [
      ...usernameAndPassword,
      {
        name: "company_code",
        type: "text",
        interactive: false,
        optional: false,
        label_en: "Company code",
        label_es: "Código de empresa",
      },
      sometimes(token),
    ],
    destinations: [
      { id: 71, name: "Banco Esclusa" },
      { id: 72, name: "Caja Istmo" },
    ],
    accounts: [
      {
        username: "newkey",
        password,
        fields: company,
        shows: "select_client; choosing gives a new key",
        script: [selectClient({ 0: "First Client", 1: "Second Client" }, "new")],
      },
      {
        username: "samekey",
        password,
        fields: company,
        shows: "select_client; choosing keeps the key",
        script: [selectClient({ 0: "First Client", 1: "Second Client" }, "same")],
      },
      {
        username: "letters",
        password,
        fields: company,
        shows: "select_client with ids that are no numbers",
        script: [selectClient({ "FIC-02412222": "Ficticia S.A.", "FIC-02419999": "Ficticia Hermanos" }, "same")],
      },
      {
        username: "empty",
        password,
        fields: company,
        shows: "select_client with nobody to choose",
        script: [selectClient({}, "same")],
      },
      {
        username: "token",
        password,
        fields: company,
        shows: "a token, then select_client",
        script: [
          askCode({ field: "token", context: "Ingrese el código del dispositivo de la empresa", answer: "864209" }),
          selectClient({ 0: "First Client", 1: "Second Client" }, "new"),
        ],
      },
    ],
  },
  {
    code: "tortuga_ec",
    country: "EC",
    name: "Banco Tortuga",
    accountTypes: [personal],
    authFields: [...usernameAndPassword, sometimes(otp)],
    destinations: [{ id: 9, name: "Banco Galápago" }],
    accounts: [
      { username: "slow", password, shows: "a slow login", script: [pause, loggedIn()] },
      {
        username: "slowotp",
        password,
        shows: "a slow second login",
        script: [askCode({ field: "otp", context: "Código por correo", answer: "314159" }), pause, loggedIn()],
      },
    ],
  },
  {
    code: "niebla_py",
    country: "PY",
    name: "Banco Niebla",
    accountTypes: [personal],
    authFields: usernameAndPassword,
    destinations: [],
    accounts: [{ username: "plain", password, shows: "provider_unavailable", script: [refused(providerUnavailable)] }],
  },
  {
    code: "rareza_do",
    country: "DO",
    name: "Banco Rareza",
    accountTypes: [personal],
    authFields: [
      ...usernameAndPassword,
      {
        name: "branch",
        type: "text",
        interactive: false,
        optional: true,
        label_en: "Branch",
        label_es: "Sucursal",
        // Choices on a field that is no `choice`: seen in the wild.
        choices: [choice("north", "North", "Norte"), choice("south", "South", "Sur")],
      },
    ],
    destinations: [{ id: 1, name: "Banco Palmera" }],
    accounts: [
      {
        username: "branch",
        password,
        fields: { branch: "north" },
        shows: "a text field with choices",
        script: [loggedIn()],
      },
      {
        username: "novelty",
        password,
        shows: "a status nobody has heard of",
        script: [refused(refusal("under_review", 200))],
      },
      { username: "notyet", password, shows: "not_implemented", script: [refused(refusal("not_implemented", 501))] },
      { username: "params", password, shows: "missing_params", script: [refused(missingParams)] },
      {
        username: "unauthorized",
        password,
        shows: "error: Unauthorized provider",
        script: [refused(failure("Unauthorized provider", 403))],
      },
      { username: "credentials", password, shows: "B1001: credentials", script: [refused(envelope("B1001"))] },
      { username: "broken", password, shows: "B1007: provider login failed", script: [refused(envelope("B1007"))] },
      { username: "locked", password, shows: "B1011: user blocked", script: [refused(envelope("B1011"))] },
    ],
  },
];
