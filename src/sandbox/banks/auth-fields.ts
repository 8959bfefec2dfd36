import type { AccountType, AuthField, Choice } from "../bank.ts";

/** The two fields that every bank asks for (contract, section 4.1). */
export const usernameAndPassword: readonly AuthField[] = [
  { name: "username", type: "text", interactive: false, optional: false, label_en: "User name", label_es: "Usuario" },
  {
    name: "password",
    type: "password",
    interactive: false,
    optional: false,
    label_en: "Password",
    label_es: "Contraseña",
  },
];

export const otp: AuthField = {
  name: "otp",
  type: "text",
  interactive: true,
  optional: false,
  label_en: "One-time code",
  label_es: "Código de un solo uso",
};

export const token: AuthField = {
  name: "token",
  type: "password",
  interactive: true,
  optional: false,
  label_en: "Token",
  label_es: "Token",
};

export const personalQuestion: AuthField = {
  name: "personal_question",
  type: "text",
  interactive: true,
  optional: false,
  label_en: "Personal question",
  label_es: "Pregunta personal",
};

export const captcha: AuthField = {
  name: "captcha",
  type: "text",
  interactive: true,
  optional: false,
  label_en: "Characters in the picture",
  label_es: "Caracteres de la imagen",
};

/** A field that not every user of the bank is asked for. */
export const sometimes = (field: AuthField): AuthField => ({ ...field, optional: true });

export const choice = (name: string, label_en: string, label_es: string): Choice => ({ name, label_en, label_es });

export const personal: AccountType = { name: "pers", label_en: "Personal", label_es: "Personal" };
export const corporate: AccountType = { name: "corp", label_en: "Corporate", label_es: "Corporativa" };
export const small: AccountType = {
  name: "smes",
  label_en: "Small and medium enterprises",
  label_es: "Pequeñas y medianas empresas",
};
