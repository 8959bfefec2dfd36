import type { Bank } from "../bank-model.ts";
import { account, askCode, bank, field, otp, personal, token, usernameAndPassword } from "./bank-parts.ts";

const code = (more: Parameters<typeof askCode>[3]) => [
  askCode("otp", "Enviamos un código a su correo", "271828", more),
];

/** Invented banks that respond as some real ones do: with more than one field at once, or not exactly as the contract shows. */
export const irregularBanks: readonly Bank[] = [
  bank("cerrojo_sv", "SV", "Banco Cerrojo", {
    accountTypes: [personal],
    authFields: [...usernameAndPassword, otp, token],
    destinations: { 61: "Banco Candado" },
    accounts: [
      account("both", "a code and a token at once: `field` is a list, and one second login carries both", [
        askCode("otp", "Código por SMS y clave del token", "161803", { together: { token: "314159" } }),
      ]),
    ],
  }),
  bank("silencio_ni", "NI", "Banco Silencio", {
    accountTypes: [personal],
    authFields: [...usernameAndPassword, otp],
    // Without transfers there are no destinations.
    extraMembers: { methods: { accounts: true, personal_info: true, transfers: false, enrollments: false } },
    destinations: {},
    accounts: [
      account(
        "nofield",
        "interaction_required without `field`; the bank has one interactive field",
        code({ irregular: { field: undefined } }),
      ),
      account("nullfield", "interaction_required whose `field` is null", code({ irregular: { field: null } })),
      account(
        "object",
        "interaction_required whose `context` is an object with a `text`",
        code({ irregular: { context: { text: "Enviamos un código a su correo" } } }),
      ),
    ],
  }),
  bank("grieta_hn", "HN", "Banco Grieta", {
    isMalformed: true,
    accountTypes: [personal],
    authFields: [...usernameAndPassword, field("branch", "text", "Branch", "Sucursal", { optional: true })],
    badElements: {
      authFields: [{ name: "company_code", type: "text", interactive: "false", optional: true, default: 1 }],
      accountTypes: [{ name: null, label_en: "Corporate", label_es: "Corporativa" }],
      destinations: [
        { id: "doscientos", name: "Banco Fisura" },
        { id: 203, name: null },
      ],
    },
    destinations: { 201: "Banco Roca" },
    accounts: [account("plain", "one bad element in each list: a field, an account type, destinations")],
  }),
];
