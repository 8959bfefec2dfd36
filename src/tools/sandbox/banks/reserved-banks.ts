import type { Bank } from "../bank-model.ts";
import {
  account,
  askCode,
  askQuestion,
  bank,
  corporate,
  otp,
  personal,
  personalQuestion,
  sometimes,
  token,
  usernameAndPassword,
} from "./bank-parts.ts";

const password = "asdfg";

/** The publicly known accounts of the live service's sandbox, with the same values. */
export const reservedBanks: readonly Bank[] = [
  bank("test", "UY", "Banco de prueba", {
    accountTypes: [personal, corporate],
    authFields: [...usernameAndPassword, sometimes(otp), sometimes(personalQuestion)],
    destinations: { 1: "Institución de prueba 1", 2: "Institución de prueba 2" },
    accounts: [
      account("12345", "logs in at once", [], { password: "gfdsa" }),
      account("12345otp", "asks for a one-time code", [askCode("otp", "OTP required", "8888")], { password }),
      account(
        "12345pq",
        "asks a personal question; `prometeo` is right as well",
        [
          askQuestion("personal_question", "Nombre de la empresa más grande de OpenBanking en LATAM", "8888", {
            otherAnswer: "prometeo",
          }),
        ],
        { password },
      ),
    ],
  }),
  bank("brou_pers_uy_mock", "UY", "BROU Personas (simulado)", {
    accountTypes: [personal],
    authFields: [...usernameAndPassword, token],
    destinations: { 1: "Institución simulada de Montevideo", 7: "Institución simulada de Salto" },
    accounts: [account("12345", "asks for a token", [askCode("token", "Token required", "prometeo")], { password })],
  }),
  bank("bcp_pers_pe_mock", "PE", "BCP Personas (simulado)", {
    accountTypes: [personal],
    authFields: [...usernameAndPassword, token],
    destinations: { 2: "Institución simulada de Lima" },
    accounts: [account("12345", "asks for a token", [askCode("token", "Token required", "123456")], { password })],
  }),
];
