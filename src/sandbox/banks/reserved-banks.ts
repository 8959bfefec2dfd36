import type { Account, Bank, Step } from "../bank-model.ts";
import {
  askCode,
  askQuestion,
  corporate,
  loggedIn,
  otp,
  personal,
  personalQuestion,
  sometimes,
  token,
  usernameAndPassword,
} from "./bank-parts.ts";

const account = (username: string, password: string, shows: string, ...steps: readonly Step[]): Account => ({
  username,
  password,
  shows,
  script: [...steps, loggedIn],
});

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
      account("12345", "gfdsa", "logs in at once"),
      account("12345otp", "asdfg", "asks for a one-time code", askCode("otp", "OTP required", "8888")),
      account(
        "12345pq",
        "asdfg",
        "asks a personal question",
        askQuestion("personal_question", "What is your lucky number?", "8888"),
      ),
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
    accounts: [account("12345", "asdfg", "asks for a token", askCode("token", "Token required", "prometeo"))],
  },
  {
    code: "bcp_pers_pe_mock",
    country: "PE",
    name: "BCP Personas (simulado)",
    accountTypes: [personal],
    authFields: [...usernameAndPassword, token],
    destinations: [{ id: 2, name: "Institución simulada de Lima" }],
    accounts: [account("12345", "asdfg", "asks for a token", askCode("token", "Token required", "123456"))],
  },
];
