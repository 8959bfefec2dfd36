import { userBlocked } from "../answers.ts";
import type { Bank } from "../bank.ts";
import { envelope } from "../envelopes.ts";
import { askCode, askQuestion, loggedIn, refused } from "../script.ts";
import {
  captcha,
  choice,
  corporate,
  otp,
  personal,
  personalQuestion,
  sometimes,
  token,
  usernameAndPassword,
} from "./auth-fields.ts";
import * as pictures from "./pictures.ts";

const password = "s3creto";

const cityQuestion = { field: "personal_question", context: "¿En qué ciudad nació su madre?" };

/** Invented banks whose interactions differ. */
export const banksWithInteractions: readonly Bank[] = [
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
      { username: "plain", password, shows: "logs in at once", script: [loggedIn()] },
      {
        username: "otp",
        password,
        shows: "a one-time code; a wrong one answers wrong_credentials",
        script: [askCode({ field: "otp", context: "Enviamos un código a su teléfono", answer: "135790" }), loggedIn()],
      },
      { username: "blocked", password, shows: "user_blocked", script: [refused(userBlocked)] },
      {
        username: "sessions",
        password,
        shows: "max_sessions_reached with the key of the session in the way; after GET /logout/ with it, logs in",
        script: [loggedIn()],
        sessionLimit: 1,
      },
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
      {
        username: "otp",
        password,
        shows: "of two interactive fields only the code; a wrong one is asked for again, the third is user_blocked",
        script: [
          askCode({ field: "otp", context: "Código de la app", answer: "975310", wrong: "ask_again" }),
          loggedIn(),
        ],
      },
      {
        username: "question",
        password,
        shows: "of two interactive fields only the question; a wrong answer is asked for again",
        script: [askQuestion({ ...cityQuestion, answer: "oaxaca", wrong: "ask_again" }), loggedIn()],
      },
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
      {
        username: "chain",
        password,
        shows: "two interactions in a row, the second one with a key of its own; the first key goes on working",
        script: [
          askQuestion({ ...cityQuestion, answer: "arequipa" }),
          askCode({ field: "token", context: "Clave dinámica", answer: "531975", key: "new" }),
          loggedIn(),
        ],
      },
      {
        username: "chainsame",
        password,
        shows: "two interactions in a row under one key",
        script: [
          askQuestion({ ...cityQuestion, answer: "arequipa" }),
          askCode({ field: "token", context: "Clave dinámica", answer: "531975" }),
          loggedIn(),
        ],
      },
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
      {
        username: "plain",
        password,
        shows: "wrong credentials come with HTTP 200 and a message",
        script: [loggedIn()],
      },
      {
        username: "late",
        password,
        shows: "a one-time code; an answer that comes too late answers B1006",
        script: [askCode({ field: "otp", context: "Código por SMS", answer: "192837", late: "B1006" }), loggedIn()],
      },
      { username: "renew", password, shows: "B1008: must change password", script: [refused(envelope("B1008"))] },
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
      sometimes({
        name: "channel",
        type: "choice",
        interactive: true,
        label_en: "Where the code goes",
        label_es: "A dónde va el código",
        choices: [
          choice("mobile", "Mobile phone", "Teléfono móvil"),
          choice("mail", "Electronic mail", "Correo electrónico"),
        ],
      }),
      sometimes(otp),
      sometimes({
        name: "app_confirmation",
        type: "choice",
        interactive: true,
        label_en: "Confirmation in the app",
        label_es: "Confirmación en la app",
        choices: [choice("confirmed", "I have confirmed", "Ya confirmé")],
      }),
    ],
    destinations: [{ id: 33, name: "Banco Ceiba" }],
    accounts: [
      {
        username: "captcha",
        password,
        shows: "a captcha: the context is a picture, as a data: address; a wrong answer is asked for again",
        script: [
          askQuestion({ field: "captcha", context: pictures.captcha, answer: "7K4MP2", wrong: "ask_again" }),
          loggedIn(),
        ],
      },
      {
        username: "card",
        password,
        shows: "a captcha as base64 without an address",
        script: [askQuestion({ field: "captcha", context: pictures.card, answer: "9WH3T" }), loggedIn()],
      },
      {
        username: "drawing",
        password,
        shows: "a captcha as SVG, which is never shown",
        script: [askQuestion({ field: "captcha", context: pictures.drawing, answer: "5XA" }), loggedIn()],
      },
      {
        username: "channel",
        password,
        shows: "a choice of where the one-time code goes, then the code",
        script: [
          askQuestion({ field: "channel", context: "¿A dónde enviamos el código?", answer: "mobile" }),
          askCode({ field: "otp", context: "Enviamos un código a su teléfono", answer: "604812" }),
          loggedIn(),
        ],
      },
      {
        username: "confirm",
        password,
        shows: "a confirmation in the bank's app: its field has one value to send",
        script: [
          askQuestion({
            field: "app_confirmation",
            context: "Confirme el ingreso en la app de Banco Mirador",
            answer: "confirmed",
          }),
          loggedIn(),
        ],
      },
    ],
  },
];
