import type { Locale } from "../api/failures.ts";

/** The words of the component; labels, questions and failures come from the bank and the code table. */
export interface BankLoginTexts {
  readonly chooseBank: string;
  readonly search: string;
  readonly country: string;
  readonly everyCountry: string;
  readonly noBank: string;
  /** `{count}` banks match. */
  readonly banksFound: string;
  /** `{bank}` is the bank's name. */
  readonly logInAt: string;
  readonly logIn: string;
  readonly optional: string;
  readonly choose: string;
  readonly show: string;
  readonly hide: string;
  readonly check: string;
  readonly oneMoreStep: string;
  readonly confirm: string;
  /** `{time}` is minutes and seconds. */
  readonly timeLeft: string;
  readonly chooseClient: string;
  readonly clientRequired: string;
  readonly loadingProviders: string;
  readonly loadingFields: string;
  readonly submitting: string;
  readonly listingClients: string;
  readonly selectingClient: string;
  readonly replacingSession: string;
  readonly loadingDestinations: string;
  readonly notLoggedIn: string;
  readonly retry: string;
  readonly replaceSession: string;
  readonly changeProvider: string;
  readonly cancel: string;
  readonly leave: string;
  readonly loggedIn: string;
  /** `{bank}` is the bank's name. */
  readonly loggedInAt: string;
  readonly left: string;
  readonly again: string;
}

const en: BankLoginTexts = {
  chooseBank: "Choose your bank",
  search: "Search",
  country: "Country",
  everyCountry: "All countries",
  noBank: "No bank matches. Check the spelling, or choose all countries.",
  banksFound: "Banks found: {count}",
  logInAt: "Log in at {bank}",
  logIn: "Log in",
  optional: "optional",
  choose: "Choose…",
  show: "Show",
  hide: "Hide",
  check: "Please check what you typed",
  oneMoreStep: "The bank asks for one more step",
  confirm: "Continue",
  timeLeft: "{time} left to answer",
  chooseClient: "Who do you log in for?",
  clientRequired: "This user acts for several clients. Choosing one is not possible here.",
  loadingProviders: "Fetching the list of banks…",
  loadingFields: "Asking what the bank needs…",
  submitting: "Logging in. This can take a minute…",
  listingClients: "Fetching the clients…",
  selectingClient: "Choosing the client…",
  replacingSession: "Closing the other session…",
  loadingDestinations: "Nearly done…",
  notLoggedIn: "You are not logged in",
  retry: "Try again",
  replaceSession: "Close the other session and log in",
  changeProvider: "Another bank",
  cancel: "Cancel",
  leave: "Close",
  loggedIn: "You are logged in",
  loggedInAt: "{bank} let you in. You can go on.",
  left: "The login was closed",
  again: "Start again",
};

const es: BankLoginTexts = {
  chooseBank: "Elige tu banco",
  search: "Buscar",
  country: "País",
  everyCountry: "Todos los países",
  noBank: "Ningún banco coincide. Revisa cómo lo escribiste o elige todos los países.",
  banksFound: "Bancos encontrados: {count}",
  logInAt: "Ingresa a {bank}",
  logIn: "Ingresar",
  optional: "opcional",
  choose: "Elige…",
  show: "Mostrar",
  hide: "Ocultar",
  check: "Revisa lo que escribiste",
  oneMoreStep: "El banco pide un paso más",
  confirm: "Continuar",
  timeLeft: "Quedan {time} para responder",
  chooseClient: "¿Para quién ingresas?",
  clientRequired: "Este usuario representa a varios clientes. Aquí no se puede elegir uno.",
  loadingProviders: "Buscando la lista de bancos…",
  loadingFields: "Preguntando qué necesita el banco…",
  submitting: "Ingresando. Puede tardar un minuto…",
  listingClients: "Buscando los clientes…",
  selectingClient: "Eligiendo el cliente…",
  replacingSession: "Cerrando la otra sesión…",
  loadingDestinations: "Ya casi…",
  notLoggedIn: "No ingresaste",
  retry: "Intentar de nuevo",
  replaceSession: "Cerrar la otra sesión e ingresar",
  changeProvider: "Otro banco",
  cancel: "Cancelar",
  leave: "Cerrar",
  loggedIn: "Ingresaste",
  loggedInAt: "{bank} te dejó entrar. Puedes continuar.",
  left: "El ingreso se cerró",
  again: "Empezar de nuevo",
};

const pt: BankLoginTexts = {
  chooseBank: "Escolha o seu banco",
  search: "Buscar",
  country: "País",
  everyCountry: "Todos os países",
  noBank: "Nenhum banco corresponde. Confira a escrita ou escolha todos os países.",
  banksFound: "Bancos encontrados: {count}",
  logInAt: "Entre em {bank}",
  logIn: "Entrar",
  optional: "opcional",
  choose: "Escolha…",
  show: "Mostrar",
  hide: "Ocultar",
  check: "Confira o que você digitou",
  oneMoreStep: "O banco pede mais um passo",
  confirm: "Continuar",
  timeLeft: "Restam {time} para responder",
  chooseClient: "Para quem você entra?",
  clientRequired: "Este usuário representa vários clientes. Aqui não é possível escolher um.",
  loadingProviders: "Buscando a lista de bancos…",
  loadingFields: "Perguntando o que o banco precisa…",
  submitting: "Entrando. Pode levar um minuto…",
  listingClients: "Buscando os clientes…",
  selectingClient: "Escolhendo o cliente…",
  replacingSession: "Encerrando a outra sessão…",
  loadingDestinations: "Quase pronto…",
  notLoggedIn: "Você não entrou",
  retry: "Tentar de novo",
  replaceSession: "Encerrar a outra sessão e entrar",
  changeProvider: "Outro banco",
  cancel: "Cancelar",
  leave: "Fechar",
  loggedIn: "Você entrou",
  loggedInAt: "{bank} deixou você entrar. Pode continuar.",
  left: "O acesso foi fechado",
  again: "Começar de novo",
};

const texts: Readonly<Record<Locale, BankLoginTexts>> = { en, es, pt };

export function textsFor(locale: Locale, own: Partial<BankLoginTexts>): BankLoginTexts {
  return { ...texts[locale], ...own };
}

/** The nearest language that there are texts in: `es-UY` is `es`, anything unknown `en`. */
export function localeOf(language: string): Locale {
  const [base = ""] = language.toLowerCase().split("-");
  return base === "es" || base === "pt" ? base : "en";
}

/** Puts values into a text: `filled("{count} banks", { count: 3 })`. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
