import type { Bank } from "../bank-model.ts";
import { envelope, userBlocked } from "../sandbox-responses.ts";
import {
  account,
  askCode,
  askQuestion,
  captcha,
  choice,
  corporate,
  field,
  loggedIn,
  otp,
  personal,
  personalQuestion,
  refused,
  sometimes,
  token,
  usernameAndPassword,
} from "./bank-parts.ts";
import * as pictures from "./captcha-pictures.ts";

const askCity = (answer: string, more = {}) =>
  askQuestion("personal_question", "¿En qué ciudad nació su madre?", answer, more);

/** Invented banks whose interactions differ. */
export const interactionBanks: readonly Bank[] = [
  {
    code: "faro_uy",
    country: "UY",
    name: "Banco Faro",
    accountTypes: [personal, corporate],
    authFields: [...usernameAndPassword, sometimes(otp)],
    extraMembers: {
      aliases: ["faro", "banco_faro"],
      bank: { code: "faro", name: "Grupo Faro", logo: "https://example.com/logos/grupo-faro.svg" },
      methods: { accounts: true, movements: true, transfers: false },
      endpoints_status: { login: "up", transfer: "up" },
    },
    destinations: [
      { id: 101, name: "Banco Gaviota" },
      { id: 102, name: "Caja del Puerto" },
    ],
    accounts: [
      account("plain", "logs in at once"),
      account("otp", "a one-time code; a wrong one answers wrong_credentials", [
        askCode("otp", "Enviamos un código a su teléfono", "135790"),
        loggedIn,
      ]),
      account("blocked", "user_blocked", refused(userBlocked)),
      account(
        "sessions",
        "max_sessions_reached with the key of the session in the way; after GET /logout/ with it, logs in",
        [loggedIn],
        { sessionLimit: 1 },
      ),
    ],
  },
  {
    code: "quetzal_mx",
    country: "MX",
    name: "Banco Quetzal",
    accountTypes: [personal],
    authFields: [...usernameAndPassword, sometimes(otp), sometimes(personalQuestion)],
    destinations: [{ id: 40, name: "Banco Agave" }],
    accounts: [
      account(
        "otp",
        "of two interactive fields only the code; a wrong one is asked for again, the third is user_blocked",
        [askCode("otp", "Código de la app", "975310", { wrong: "ask_again" }), loggedIn],
      ),
      account("question", "of two interactive fields only the question; a wrong answer is asked for again", [
        askCity("oaxaca", { wrong: "ask_again" }),
        loggedIn,
      ]),
    ],
  },
  {
    code: "vicuna_pe",
    country: "PE",
    name: "Caja Vicuña",
    accountTypes: [personal],
    authFields: [...usernameAndPassword, personalQuestion, token],
    destinations: [
      { id: 5, name: "Caja Cóndor" },
      { id: 8, name: "Banco Totora" },
    ],
    accounts: [
      account(
        "chain",
        "two interactions in a row, the second one with a key of its own; the first key goes on working",
        [askCity("arequipa"), askCode("token", "Clave dinámica", "531975", { key: "new" }), loggedIn],
      ),
      account("chainsame", "two interactions in a row under one key", [
        askCity("arequipa"),
        askCode("token", "Clave dinámica", "531975"),
        loggedIn,
      ]),
    ],
  },
  {
    code: "bahia_es",
    country: "ES",
    name: "Caja Bahía",
    accountTypes: [personal],
    authFields: [...usernameAndPassword, sometimes(otp)],
    destinations: [{ id: 2100, name: "Caja Marisma" }],
    wrongCredentials: { http: 200, body: { status: "wrong_credentials", message: "Usuario o contraseña incorrectos" } },
    accounts: [
      account("plain", "wrong credentials come with HTTP 200 and a message"),
      account("late", "a one-time code; an answer that comes too late answers B1006", [
        askCode("otp", "Código por SMS", "192837", { late: "B1006" }),
        loggedIn,
      ]),
      account("renew", "B1008: must change password", refused(envelope("B1008"))),
    ],
  },
  {
    code: "mirador_gt",
    country: "GT",
    name: "Banco Mirador",
    accountTypes: [personal],
    authFields: [
      ...usernameAndPassword,
      sometimes(captcha),
      field("channel", "choice", "Where the code goes", "A dónde va el código", {
        interactive: true,
        optional: true,
        choices: [
          choice("mobile", "Mobile phone", "Teléfono móvil"),
          choice("mail", "Electronic mail", "Correo electrónico"),
        ],
      }),
      sometimes(otp),
      field("app_confirmation", "choice", "Confirmation in the app", "Confirmación en la app", {
        interactive: true,
        optional: true,
        choices: [choice("confirmed", "I have confirmed", "Ya confirmé")],
      }),
    ],
    destinations: [{ id: 33, name: "Banco Ceiba" }],
    accounts: [
      account("captcha", "a captcha: the context is a picture, as a data: address; a wrong answer is asked for again", [
        askQuestion("captcha", pictures.captcha, "7K4MP2", { wrong: "ask_again" }),
        loggedIn,
      ]),
      account("card", "a captcha as base64 without an address", [
        askQuestion("captcha", pictures.card, "9WH3T"),
        loggedIn,
      ]),
      account("drawing", "a captcha as SVG, which is never shown", [
        askQuestion("captcha", pictures.drawing, "5XA"),
        loggedIn,
      ]),
      account("channel", "a choice of where the one-time code goes, then the code", [
        askQuestion("channel", "¿A dónde enviamos el código?", "mobile"),
        askCode("otp", "Enviamos un código a su teléfono", "604812"),
        loggedIn,
      ]),
      account("confirm", "a confirmation in the bank's app: its field has one value to send", [
        askQuestion("app_confirmation", "Confirme el ingreso en la app de Banco Mirador", "confirmed"),
        loggedIn,
      ]),
    ],
  },
];
