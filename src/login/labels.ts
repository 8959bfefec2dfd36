import type { Locale } from "../api/failures.ts";

// The field names that are known of the service, for banks that give no label, and for Portuguese, which the contract
// has none of.
const known: Readonly<Record<string, Readonly<Record<Locale, string>>>> = {
  username: { en: "User", es: "Usuario", pt: "Usuário" },
  password: { en: "Password", es: "Contraseña", pt: "Senha" },
  otp: { en: "One-time code", es: "Código de un solo uso", pt: "Código de uso único" },
  token: { en: "Token", es: "Token", pt: "Token" },
  personal_question: { en: "Security question", es: "Pregunta de seguridad", pt: "Pergunta de segurança" },
  type: { en: "Type", es: "Tipo", pt: "Tipo" },
  company_code: { en: "Company code", es: "Código de empresa", pt: "Código da empresa" },
  country_code: { en: "Country", es: "País", pt: "País" },
  document_number: { en: "Document number", es: "Número de documento", pt: "Número do documento" },
};

export function knownLabel(name: string, locale: Locale): string | undefined {
  return Object.hasOwn(known, name) ? known[name]?.[locale] : undefined;
}

/** `document_number` as `Document number`. */
export function wordsOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
