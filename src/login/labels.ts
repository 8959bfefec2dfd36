import type { Locale } from "../api/failures.ts";

// Labels of the known field names: for banks without labels, and for Portuguese, which the contract does not have.
const known: Readonly<Record<string, Readonly<Record<Locale, string>>>> = {
  username: { en: "User", es: "Usuario", pt: "Usuário" },
  password: { en: "Password", es: "Contraseña", pt: "Senha" },
  otp: { en: "One-time code", es: "Código de un solo uso", pt: "Código de uso único" },
  token: { en: "Token", es: "Token", pt: "Token" },
  captcha: { en: "Characters in the picture", es: "Caracteres de la imagen", pt: "Caracteres da imagem" },
  personal_question: { en: "Security question", es: "Pregunta de seguridad", pt: "Pergunta de segurança" },
  type: { en: "Type", es: "Tipo", pt: "Tipo" },
  company_code: { en: "Company code", es: "Código de empresa", pt: "Código da empresa" },
  country_code: { en: "Country", es: "País", pt: "País" },
  document_number: { en: "Document number", es: "Número de documento", pt: "Número do documento" },
};

export function knownLabel(name: string, locale: Locale): string | undefined {
  return Object.hasOwn(known, name) ? known[name]?.[locale] : undefined;
}

/** Turns `document_number` into `Document number`. */
export function formatFieldName(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The instructions for interactions whose text from the bank has none. */
export const interactionTexts = {
  picture: {
    en: "Type the characters that the picture shows.",
    es: "Escriba los caracteres que muestra la imagen.",
    pt: "Digite os caracteres que a imagem mostra.",
  },
  pictureAlt: {
    en: "Picture from your bank with the characters to type",
    es: "Imagen de su banco con los caracteres que debe escribir",
    pt: "Imagem do seu banco com os caracteres a digitar",
  },
  noPicture: {
    en: "Your bank sent a picture that can't be shown. Cancel and log in again to get a new one.",
    es: "Su banco envió una imagen que no se puede mostrar. Cancele y vuelva a ingresar para recibir otra.",
    pt: "O seu banco enviou uma imagem que não pode ser mostrada. Cancele e entre de novo para receber outra.",
  },
  confirmation: {
    en: "Confirm the login in your bank's app. Then go on here.",
    es: "Confirme el ingreso en la app de su banco. Después continúe aquí.",
    pt: "Confirme o acesso no app do seu banco. Depois continue aqui.",
  },
} satisfies Record<string, Readonly<Record<Locale, string>>>;

// A bank may also ask for a second, different code under the same name, and the service does not report a wrong answer: so "may".
const repeated: Readonly<Record<Locale, string>> = {
  en: "The bank asks again: your last answer may not have been accepted. Check the next one before you send it: too many wrong answers can block your user. Answers sent: ",
  es: "El banco lo pide de nuevo: es posible que no haya aceptado su última respuesta. Revise la próxima antes de enviarla: demasiadas respuestas incorrectas pueden bloquear su usuario. Respuestas enviadas: ",
  pt: "O banco pede de novo: talvez a sua última resposta não tenha sido aceita. Confira a próxima antes de enviar: respostas erradas demais podem bloquear o seu usuário. Respostas enviadas: ",
};

/** The text for a person whom the bank asks for the same field again. */
export function formatRepeat(answersSent: number, locale: Locale): string {
  return `${repeated[locale]}${answersSent}.`;
}

const ended: Readonly<Record<Locale, string>> = {
  en: "Your session at {bank} has ended. Log in again.",
  es: "Su sesión en {bank} terminó. Vuelva a ingresar.",
  pt: "Sua sessão em {bank} terminou. Entre novamente.",
};

/** The text for a person whose session at a bank has ended. */
export function formatSessionEnd(bank: string, locale: Locale): string {
  return ended[locale].replace("{bank}", () => bank);
}
