import type { Account, AccountType, AuthField, Bank, Choice, InteractionStep, Step } from "../bank-model.ts";
import type { SandboxResponse } from "../sandbox-responses.ts";

// The parts of the banks, so that each bank reads as data.

/** A bank; the institutions to which it can transfer are given by their ids. */
export const bank = (
  code: string,
  country: string,
  name: string,
  {
    destinations,
    ...members
  }: Omit<Bank, "code" | "country" | "name" | "destinations"> & {
    readonly destinations: Readonly<Record<number, string>>;
  },
): Bank => ({
  code,
  country,
  name,
  destinations: Object.entries(destinations).map(([id, name]) => ({ id: Number(id), name })),
  ...members,
});

export const field = (
  name: string,
  type: string,
  label_en: string,
  label_es: string,
  more: Partial<AuthField> = {},
): AuthField => ({ name, type, interactive: false, optional: false, label_en, label_es, ...more });

export const choice = (name: string, label_en: string, label_es: string): Choice => ({ name, label_en, label_es });

/** A field that some users of the bank don't need. */
export const sometimes = (field: AuthField): AuthField => ({ ...field, optional: true });

/** The two fields that every bank asks for (contract, section 4.1). */
export const usernameAndPassword: readonly AuthField[] = [
  field("username", "text", "User name", "Usuario"),
  field("password", "password", "Password", "Contraseña"),
];

const interactive = { interactive: true };

export const otp = field("otp", "text", "One-time code", "Código de un solo uso", interactive);
export const token = field("token", "password", "Token", "Token", interactive);
export const personalQuestion = field(
  "personal_question",
  "text",
  "Personal question",
  "Pregunta personal",
  interactive,
);
export const captcha = field("captcha", "text", "Characters in the picture", "Caracteres de la imagen", interactive);

export const personal: AccountType = { name: "pers", label_en: "Personal", label_es: "Personal" };
export const corporate: AccountType = { name: "corp", label_en: "Corporate", label_es: "Corporativa" };
export const small: AccountType = {
  name: "smes",
  label_en: "Small and medium enterprises",
  label_es: "Pequeñas y medianas empresas",
};

/** An account of an invented bank; all of them have one password. Without a script it logs in at once. */
export const account = (
  username: string,
  shows: string,
  script: readonly Step[] = [],
  more: Partial<Account> = {},
): Account => ({ username, password: "s3creto", shows, script, ...more });

/** An account with values of the bank's own fields. */
export const accountWith = (
  fields: Readonly<Record<string, string>>,
  ...args: Parameters<typeof account>
): Account => ({
  ...account(...args),
  fields,
});

const asking =
  (asks: InteractionStep["asks"]) =>
  (
    field: string,
    context: string,
    answer: string,
    more: Partial<Omit<InteractionStep, "step" | "field" | "context" | "answer" | "asks">> = {},
  ): InteractionStep => ({
    step: "interaction",
    asks,
    wrong: "wrong_credentials",
    late: "Invalid key",
    key: "same",
    field,
    context,
    answer,
    ...more,
  });

export const askCode = asking("code");
export const askQuestion = asking("question");

export const pause: Step = { step: "pause" };

export const selectClient = (clients: Readonly<Record<string, string>>, chosen: "new" | "same"): Step => ({
  step: "clients",
  clients: new Map(Object.entries(clients)),
  chosen,
});

export const refused = (response: SandboxResponse): readonly Step[] => [{ step: "refused", response }];
