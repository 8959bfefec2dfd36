import { refusal } from "../answers.ts";
import type { Bank } from "../bank.ts";
import { askCode, askQuestion, loggedIn, selectClient } from "../script.ts";
import {
  choice,
  corporate,
  otp,
  personal,
  personalQuestion,
  small,
  sometimes,
  token,
  usernameAndPassword,
} from "./auth-fields.ts";

const password = "s3creto";

/** Invented banks whose login fields differ. */
export const banksWithFields: readonly Bank[] = [
  {
    code: "ceibo_ar",
    country: "AR",
    name: "Banco Ceibo",
    accountTypes: [personal, corporate],
    authFields: [
      ...usernameAndPassword,
      {
        name: "type",
        type: "choice",
        interactive: false,
        optional: false,
        label_en: "Kind of account",
        label_es: "Tipo de cuenta",
        choices: [choice("pers", "Personal", "Personal"), choice("corp", "Company", "Empresa")],
      },
      sometimes(token),
    ],
    extraMembers: { methods: null, endpoints_status: null },
    destinations: [
      { id: 11, name: "Banco Jacarandá" },
      { id: 14, name: "Banco del Litoral Imaginario" },
    ],
    accounts: [
      {
        username: "personal",
        password,
        fields: { type: "pers" },
        shows: "a choice without default",
        script: [loggedIn()],
      },
      {
        username: "company",
        password,
        fields: { type: "corp" },
        shows: "a token; a wrong one answers B1002",
        script: [
          askCode({ field: "token", context: "Ingrese su token", answer: "246802", wrong: "B1002" }),
          loggedIn(),
        ],
      },
      {
        username: "group",
        password,
        fields: { type: "corp" },
        shows: "a token, then a choice of clients",
        script: [
          askCode({ field: "token", context: "Ingrese su token", answer: "246802", wrong: "B1002" }),
          selectClient({ 0: "Ceibo Sur S.A.", 1: "Ceibo Norte S.A." }, "new"),
        ],
      },
    ],
  },
  {
    code: "ipe_br",
    country: "BR",
    name: "Banco Ipê",
    accountTypes: [personal, small],
    authFields: [
      ...usernameAndPassword,
      {
        name: "type",
        type: "choice",
        interactive: false,
        optional: false,
        label_en: "Kind of account",
        label_es: "Tipo de cuenta",
        choices: [choice("pers", "Personal", "Personal"), choice("smes", "Small company", "Pequeña empresa")],
        default: "pers",
      },
      sometimes(otp),
    ],
    destinations: [{ id: 301, name: "Banco Araçá" }],
    accounts: [
      { username: "plain", password, fields: { type: "pers" }, shows: "a choice with a default", script: [loggedIn()] },
      {
        username: "keyless",
        password,
        fields: { type: "smes" },
        shows: "logged_in without a key: the key of the interaction stays valid",
        script: [askCode({ field: "otp", context: "Código por SMS", answer: "802468" }), loggedIn("absent")],
      },
      {
        username: "samekey",
        password,
        fields: { type: "smes" },
        shows: "logged_in with the key of the interaction again",
        script: [askCode({ field: "otp", context: "Código por SMS", answer: "802468" }), loggedIn()],
      },
      {
        username: "newkey",
        password,
        fields: { type: "smes" },
        shows: "logged_in with a new key; the key of the interaction goes on working",
        script: [askCode({ field: "otp", context: "Código por SMS", answer: "802468" }), loggedIn("new")],
      },
    ],
  },
  {
    code: "cordillera_cl",
    country: "CL",
    name: "Banco Cordillera Azul",
    accountTypes: [personal],
    authFields: [
      ...usernameAndPassword,
      {
        name: "document_number",
        type: "text",
        interactive: false,
        optional: true,
        label_en: "Document number (if you have one)",
        label_es: "Número de documento (si tiene)",
      },
      sometimes(personalQuestion),
    ],
    destinations: [
      { id: 1, name: "Banco Valle Verde" },
      { id: 2, name: "Caja Araucaria" },
      { id: 3, name: "Banco Isla Larga" },
    ],
    accounts: [
      {
        username: "plain",
        password,
        fields: { document_number: "12345678-5" },
        shows: "an optional field, which may be left out",
        script: [loggedIn()],
      },
      {
        username: "question",
        password,
        shows: "a personal question; a wrong answer answers B1004",
        script: [
          askQuestion({
            field: "personal_question",
            context: "¿Cómo se llamaba su primera mascota?",
            answer: "firulais",
            wrong: "B1004",
          }),
          loggedIn(),
        ],
      },
    ],
  },
  {
    code: "puente_co",
    country: "CO",
    name: "Banco Puente",
    accountTypes: [personal],
    authFields: [
      ...usernameAndPassword,
      {
        name: "country_code",
        type: "choice",
        interactive: false,
        optional: false,
        label_en: "Country of the document",
        label_es: "País del documento",
        choices: [choice("CO", "Colombia", "Colombia"), choice("VE", "Venezuela", "Venezuela")],
      },
      {
        name: "type",
        type: "choice",
        interactive: false,
        optional: false,
        label_en: "Kind of document",
        label_es: "Tipo de documento",
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
      },
    ],
    destinations: [{ id: 52, name: "Banco Orquídea" }],
    accounts: [
      {
        username: "local",
        password,
        fields: { country_code: "CO", type: "cc" },
        shows: "a choice that depends on another one",
        script: [loggedIn()],
      },
      {
        username: "foreign",
        password,
        fields: { country_code: "VE", type: "ci" },
        shows: "the same choice with other values left",
        script: [loggedIn()],
      },
    ],
  },
  {
    code: "minimo_bo",
    country: "BO",
    name: "Banco Mínimo",
    accountTypes: [],
    // Neither the usual two fields, nor `optional`, nor labels: a field without `optional` is required.
    authFields: [{ name: "document_number", type: "text", interactive: false }],
    destinations: [],
    wrongCredentials: refusal("wrong_credentials", 403),
    accounts: [
      {
        username: "plain",
        password,
        fields: { document_number: "4455667" },
        shows:
          "a provider that says as little as it may (wrong credentials without a message), and nobody to transfer to",
        script: [loggedIn()],
      },
    ],
  },
];
