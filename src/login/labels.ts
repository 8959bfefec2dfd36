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

// A bank may also ask for a second, different code under the same name, and a wrong answer is told nowhere: so "may".
const repeated: Readonly<Record<Locale, string>> = {
  en: "The bank asks again: your last answer may not have been accepted. Check the next one before you send it: too many wrong answers can block your user. Answers sent: ",
  es: "El banco lo pide de nuevo: es posible que no haya aceptado tu última respuesta. Revisa la próxima antes de enviarla: demasiadas respuestas incorrectas pueden bloquear tu usuario. Respuestas enviadas: ",
  pt: "O banco pede de novo: talvez a sua última resposta não tenha sido aceita. Confira a próxima antes de enviar: respostas erradas demais podem bloquear o seu usuário. Respostas enviadas: ",
};

/** What a person is told where the bank asks for the same field again. */
export function formatRepeat(answersSent: number, locale: Locale): string {
  return `${repeated[locale]}${answersSent}.`;
}
