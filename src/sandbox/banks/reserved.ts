import type { Bank } from "../bank.ts";
import { askCode, askQuestion, loggedIn } from "../script.ts";
import { corporate, otp, personal, personalQuestion, sometimes, token, usernameAndPassword } from "./auth-fields.ts";

/** The accounts that are publicly known of the live service's own sandbox, value for value. */
export const reservedBanks: readonly Bank[] = [
  {
    code: "test",
    country: "UY",
    name: "Banco de prueba",
    accountTypes: [personal, corporate],
    authFields: [...usernameAndPassword, sometimes(otp), sometimes(personalQuestion)],
    destinations: [
      { id: 1, name: "Institución de prueba 1" },
      { id: 2, name: "Institución de prueba 2" },
    ],
    accounts: [
      { username: "12345", password: "gfdsa", shows: "logs in at once", script: [loggedIn()] },
      {
        username: "12345otp",
        password: "asdfg",
        shows: "asks for a one-time code",
        script: [askCode({ field: "otp", context: "OTP required", answer: "8888" }), loggedIn()],
      },
      {
        username: "12345pq",
        password: "asdfg",
        shows: "asks a personal question",
        script: [
          askQuestion({ field: "personal_question", context: "What is your lucky number?", answer: "8888" }),
          loggedIn(),
        ],
      },
    ],
  },
  {
    code: "brou_pers_uy_mock",
    country: "UY",
    name: "BROU Personas (simulado)",
    accountTypes: [personal],
    authFields: [...usernameAndPassword, token],
    destinations: [
      { id: 1, name: "Institución simulada de Montevideo" },
      { id: 7, name: "Institución simulada de Salto" },
    ],
    accounts: [
      {
        username: "12345",
        password: "asdfg",
        shows: "asks for a token",
        script: [askCode({ field: "token", context: "Token required", answer: "prometeo" }), loggedIn()],
      },
    ],
  },
  {
    code: "bcp_pers_pe_mock",
    country: "PE",
    name: "BCP Personas (simulado)",
    accountTypes: [personal],
    authFields: [...usernameAndPassword, token],
    destinations: [{ id: 2, name: "Institución simulada de Lima" }],
    accounts: [
      {
        username: "12345",
        password: "asdfg",
        shows: "asks for a token",
        script: [askCode({ field: "token", context: "Token required", answer: "123456" }), loggedIn()],
      },
    ],
  },
];
