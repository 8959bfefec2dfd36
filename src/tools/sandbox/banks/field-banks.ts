import type { Bank } from "../bank-model.ts";
import { refusal } from "../sandbox-responses.ts";
import {
  account,
  accountWith,
  askCode,
  askQuestion,
  bank,
  choice,
  corporate,
  field,
  otp,
  personal,
  personalQuestion,
  selectClient,
  small,
  sometimes,
  token,
  usernameAndPassword,
} from "./bank-parts.ts";

const personalType = { type: "pers" };
const companyType = { type: "corp" };
const smallCompanyType = { type: "smes" };

const ceiboToken = askCode("token", "Ingrese su token", "246802", { wrong: "B1002" });
const ipeCode = askCode("otp", "Código por SMS", "802468");

/** Invented banks with different login fields. */
export const fieldBanks: readonly Bank[] = [
  bank("ceibo_ar", "AR", "Banco Ceibo", {
    accountTypes: [personal, corporate],
    authFields: [
      ...usernameAndPassword,
      field("type", "choice", "Kind of account", "Tipo de cuenta", {
        choices: [choice("pers", "Personal", "Personal"), choice("corp", "Company", "Empresa")],
      }),
      sometimes(token),
    ],
    extraMembers: { methods: null, endpoints_status: null },
    destinations: { 11: "Banco Jacarandá", 14: "Banco del Litoral Imaginario" },
    accounts: [
      accountWith(personalType, "personal", "a choice without default"),
      accountWith(companyType, "company", "a token; a wrong one answers B1002", [ceiboToken]),
      accountWith(companyType, "group", "a token, then a choice of clients", [
        ceiboToken,
        selectClient({ 0: "Ceibo Sur S.A.", 1: "Ceibo Norte S.A." }, "new"),
      ]),
    ],
  }),
  bank("ipe_br", "BR", "Banco Ipê", {
    accountTypes: [personal, small],
    authFields: [
      ...usernameAndPassword,
      field("type", "choice", "Kind of account", "Tipo de cuenta", {
        choices: [choice("pers", "Personal", "Personal"), choice("smes", "Small company", "Pequeña empresa")],
        default: "pers",
      }),
      sometimes(otp),
    ],
    destinations: { 301: "Banco Araçá" },
    accounts: [
      accountWith(personalType, "plain", "a choice with a default"),
      accountWith(
        smallCompanyType,
        "keyless",
        "logged_in without a key: the key of the interaction stays valid",
        [ipeCode],
        { loggedInKey: "absent" },
      ),
      accountWith(smallCompanyType, "samekey", "logged_in with the key of the interaction again", [ipeCode]),
      accountWith(
        smallCompanyType,
        "newkey",
        "logged_in with a new key; the key of the interaction stays valid",
        [ipeCode],
        { loggedInKey: "new" },
      ),
    ],
  }),
  bank("cordillera_cl", "CL", "Banco Cordillera Azul", {
    accountTypes: [personal],
    authFields: [
      ...usernameAndPassword,
      sometimes(
        field("document_number", "text", "Document number (if you have one)", "Número de documento (si tiene)"),
      ),
      sometimes(personalQuestion),
    ],
    destinations: { 1: "Banco Valle Verde", 2: "Caja Araucaria", 3: "Banco Isla Larga" },
    accounts: [
      accountWith({ document_number: "12345678-5" }, "plain", "an optional field, which may be left out"),
      account("question", "a personal question; a wrong answer answers B1004", [
        askQuestion("personal_question", "¿Cómo se llamaba su primera mascota?", "firulais", { wrong: "B1004" }),
      ]),
    ],
  }),
  bank("puente_co", "CO", "Banco Puente", {
    accountTypes: [personal],
    authFields: [
      ...usernameAndPassword,
      field("country_code", "choice", "Country of the document", "País del documento", {
        choices: [choice("CO", "Colombia", "Colombia"), choice("VE", "Venezuela", "Venezuela")],
      }),
      field("type", "choice", "Kind of document", "Tipo de documento", {
        choices: [
          choice("cc", "Citizen's card", "Cédula de ciudadanía"),
          choice("ci", "Identity card", "Cédula de identidad"),
          choice("pp", "Passport", "Pasaporte"),
        ],
        narrowedBy: {
          field: "country_code",
          leaves: new Map([
            ["CO", ["cc", "pp"]],
            ["VE", ["ci", "pp"]],
          ]),
        },
      }),
    ],
    destinations: { 52: "Banco Orquídea" },
    accounts: [
      accountWith({ country_code: "CO", type: "cc" }, "local", "a choice that depends on another one"),
      accountWith({ country_code: "VE", type: "ci" }, "foreign", "the same choice with other values left"),
    ],
  }),
  bank("minimo_bo", "BO", "Banco Mínimo", {
    isMalformed: true,
    accountTypes: [],
    // Neither the usual two fields, nor `optional`, nor labels: a field without `optional` is required.
    authFields: [{ name: "document_number", type: "text", interactive: false }],
    destinations: {},
    wrongCredentials: refusal("wrong_credentials", 403),
    accounts: [
      accountWith(
        { document_number: "4455667" },
        "plain",
        "a provider with as few members as possible, wrong credentials without a message, and no destinations",
      ),
    ],
  }),
];
