import type { Bank } from "../bank-model.ts";
import { envelope, userBlocked } from "../sandbox-responses.ts";
import {
  account,
  askCode,
  askQuestion,
  bank,
  captcha,
  choice,
  corporate,
  field,
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

/** Invented banks with different interactions. */
export const interactionBanks: readonly Bank[] = [
  bank("faro_uy", "UY", "Banco Faro", {
    accountTypes: [personal, corporate],
    authFields: [...usernameAndPassword, sometimes(otp)],
    extraMembers: {
      aliases: ["faro", "banco_faro"],
      bank: { code: "faro", name: "Grupo Faro", logo: "https://example.com/logos/grupo-faro.svg" },
      methods: {
        accounts: true,
        credit_cards: true,
        accounts_movements: true,
        credit_cards_movements: true,
        personal_info: true,
        transfers: true,
        enrollments: false,
      },
      endpoints_status: {
        test: [{ endpoint: "/login/", status: "ok", timestamp: "2026-01-02T03:04:05Z" }],
        prod: [
          { endpoint: "/login/", status: "ok", timestamp: "2026-01-02T03:04:05Z" },
          { endpoint: "/transfer/destinations", status: "error", timestamp: "2026-01-02T03:04:05Z" },
        ],
      },
    },
    destinations: { 101: "Banco Gaviota", 102: "Caja del Puerto" },
    accounts: [
      account("plain", "logs in at once"),
      account("otp", "a one-time code; a wrong one answers wrong_credentials", [
        askCode("otp", "Enviamos un código a su teléfono", "135790"),
      ]),
      account("blocked", "user_blocked", refused(userBlocked)),
      account(
        "sessions",
        "max_sessions_reached with the key of the other session; after GET /logout/ with it, logs in",
        [],
        { sessionLimit: 1 },
      ),
    ],
  }),
  bank("quetzal_mx", "MX", "Banco Quetzal", {
    accountTypes: [personal],
    authFields: [...usernameAndPassword, sometimes(otp), sometimes(personalQuestion)],
    destinations: { 40: "Banco Agave" },
    accounts: [
      account(
        "otp",
        "of two interactive fields only the code; a wrong one is asked for again, the third is user_blocked",
        [askCode("otp", "Código de la app", "975310", { wrong: "ask_again" })],
      ),
      account("question", "of two interactive fields only the question; a wrong answer is asked for again", [
        askCity("oaxaca", { wrong: "ask_again" }),
      ]),
    ],
  }),
  bank("vicuna_pe", "PE", "Caja Vicuña", {
    accountTypes: [personal],
    authFields: [...usernameAndPassword, personalQuestion, token],
    destinations: { 5: "Caja Cóndor", 8: "Banco Totora" },
    accounts: [
      account("chain", "two interactions in a row, the second one with its own key; the first key stays valid", [
        askCity("arequipa"),
        askCode("token", "Clave dinámica", "531975", { key: "new" }),
      ]),
      account("chainsame", "two interactions in a row under one key", [
        askCity("arequipa"),
        askCode("token", "Clave dinámica", "531975"),
      ]),
    ],
  }),
  bank("bahia_es", "ES", "Caja Bahía", {
    accountTypes: [personal],
    authFields: [...usernameAndPassword, sometimes(otp)],
    destinations: { 2100: "Caja Marisma" },
    wrongCredentials: { http: 200, body: { status: "wrong_credentials", message: "Usuario o contraseña incorrectos" } },
    accounts: [
      account("plain", "wrong credentials come with HTTP 200 and a message"),
      account("late", "a one-time code; an answer that comes too late answers B1006", [
        askCode("otp", "Código por SMS", "192837", { late: "B1006" }),
      ]),
      account("renew", "B1008: must change password", refused(envelope("B1008"))),
    ],
  }),
  bank("mirador_gt", "GT", "Banco Mirador", {
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
    destinations: { 33: "Banco Ceiba" },
    accounts: [
      account("captcha", "a captcha: the context is a picture, as a data: address; a wrong answer is asked for again", [
        askQuestion("captcha", pictures.captcha, "7K4MP2", { wrong: "ask_again" }),
      ]),
      account("card", "a captcha as base64 without an address", [askQuestion("captcha", pictures.card, "9WH3T")]),
      account("drawing", "a captcha as SVG, which is never shown", [askQuestion("captcha", pictures.drawing, "5XA")]),
      account("channel", "a choice of where the one-time code goes, then the code", [
        askQuestion("channel", "¿A dónde enviamos el código?", "mobile"),
        askCode("otp", "Enviamos un código a su teléfono", "604812"),
      ]),
      account("confirm", "a confirmation in the bank's app: its field has one value to send", [
        askQuestion("app_confirmation", "Confirme el ingreso en la app de Banco Mirador", "confirmed"),
      ]),
      account(
        "approve",
        "an approval in the bank's app under the field of a code: only the text says so, any value is accepted",
        [askCode("otp", "Confirme el ingreso en la app de Banco Mirador", "confirmed", { takesAny: true })],
      ),
    ],
  }),
];
