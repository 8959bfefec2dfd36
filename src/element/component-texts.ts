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
  /** Where the login is confirmed elsewhere, mostly in the bank's app. */
  readonly confirmed: string;
  readonly zoom: string;
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
  /** What surrounds the login failed; there may be a session. */
  readonly linkFailed: string;
  readonly retry: string;
  readonly replaceSession: string;
  readonly changeProvider: string;
  readonly cancel: string;
  readonly cancelLink: string;
  readonly loggedIn: string;
  /** `{bank}` is the bank's name. */
  readonly loggedInAt: string;
  /** The same with a list of destinations: `{count}` is how many there are. */
  readonly linkedAt: string;
  readonly cancelled: string;
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
  oneMoreStep: "One more step",
  confirm: "Continue",
  confirmed: "I have confirmed",
  zoom: "Enlarge",
  timeLeft: "{time} left to answer",
  chooseClient: "Who do you log in for?",
  clientRequired: "This user acts for several clients. Choosing one is not possible here.",
  loadingProviders: "Fetching the list of banks…",
  loadingFields: "Asking what the bank needs…",
  submitting: "Logging in, up to a minute…",
  listingClients: "Fetching the clients…",
  selectingClient: "Choosing the client…",
  replacingSession: "Closing the other session…",
  loadingDestinations: "Nearly done. Finding where you can transfer to…",
  notLoggedIn: "You are not logged in",
  linkFailed: "That did not work",
  retry: "Try again",
  replaceSession: "Close the other session and log in",
  changeProvider: "Another bank",
  cancel: "Cancel",
  cancelLink: "Close",
  loggedIn: "You are logged in",
  loggedInAt: "{bank} is connected. This page continues by itself.",
  linkedAt: "{bank} is connected. Transfer destinations found: {count}. This page continues by itself.",
  cancelled: "The login was closed",
  again: "Start again",
};

const es: BankLoginTexts = {
  chooseBank: "Elija su banco",
  search: "Buscar",
  country: "País",
  everyCountry: "Todos los países",
  noBank: "No se encontró ningún banco. Revise cómo lo escribió o elija todos los países.",
  banksFound: "Bancos encontrados: {count}",
  logInAt: "Ingrese a {bank}",
  logIn: "Ingresar",
  optional: "opcional",
  choose: "Elija…",
  show: "Mostrar",
  hide: "Ocultar",
  check: "Revise los datos ingresados",
  oneMoreStep: "Un paso más",
  confirm: "Continuar",
  confirmed: "Ya confirmé",
  zoom: "Ampliar",
  timeLeft: "Quedan {time} para responder",
  chooseClient: "¿Con qué cliente quiere continuar?",
  clientRequired: "Este usuario representa a varios clientes. Aquí no se puede elegir uno.",
  loadingProviders: "Cargando la lista de bancos…",
  loadingFields: "Consultando qué datos pide el banco…",
  submitting: "Ingresando. Puede tardar un minuto…",
  listingClients: "Cargando los clientes…",
  selectingClient: "Seleccionando el cliente…",
  replacingSession: "Cerrando la otra sesión…",
  loadingDestinations: "Ya casi. Buscando a dónde puede transferir…",
  notLoggedIn: "No se pudo ingresar",
  linkFailed: "No se pudo continuar",
  retry: "Intentar de nuevo",
  replaceSession: "Cerrar la otra sesión e ingresar",
  changeProvider: "Otro banco",
  cancel: "Cancelar",
  cancelLink: "Cerrar",
  loggedIn: "Ingreso completado",
  loggedInAt: "{bank} está conectado. La página continúa automáticamente.",
  linkedAt:
    "{bank} está conectado. Destinos de transferencia encontrados: {count}. La página continúa automáticamente.",
  cancelled: "Se canceló el ingreso",
  again: "Empezar de nuevo",
};

const pt: BankLoginTexts = {
  chooseBank: "Escolha o seu banco",
  search: "Buscar",
  country: "País",
  everyCountry: "Todos os países",
  noBank: "Nenhum banco encontrado. Confira se escreveu certo ou escolha todos os países.",
  banksFound: "Bancos encontrados: {count}",
  logInAt: "Acesse sua conta em {bank}",
  logIn: "Entrar",
  optional: "opcional",
  choose: "Escolha…",
  show: "Mostrar",
  hide: "Ocultar",
  check: "Confira o que você digitou",
  oneMoreStep: "Mais um passo",
  confirm: "Continuar",
  confirmed: "Já confirmei",
  zoom: "Ampliar",
  timeLeft: "Restam {time} para responder",
  chooseClient: "Com qual cliente você quer continuar?",
  clientRequired: "Este usuário representa vários clientes. Aqui não é possível escolher um.",
  loadingProviders: "Carregando a lista de bancos…",
  loadingFields: "Consultando os dados que o banco pede…",
  submitting: "Entrando. Isso pode levar um minuto…",
  listingClients: "Carregando os clientes…",
  selectingClient: "Selecionando o cliente…",
  replacingSession: "Encerrando a outra sessão…",
  loadingDestinations: "Quase pronto. Buscando para onde você pode transferir…",
  notLoggedIn: "Não foi possível entrar",
  linkFailed: "Não foi possível continuar",
  retry: "Tentar de novo",
  replaceSession: "Encerrar a outra sessão e entrar",
  changeProvider: "Outro banco",
  cancel: "Cancelar",
  cancelLink: "Fechar",
  loggedIn: "Acesso concluído",
  loggedInAt: "{bank} está conectado. A página continua automaticamente.",
  linkedAt: "{bank} está conectado. Destinos de transferência encontrados: {count}. A página continua automaticamente.",
  cancelled: "O acesso foi cancelado",
  again: "Começar de novo",
};

const texts: Readonly<Record<Locale, BankLoginTexts>> = { en, es, pt };

export function mergeTexts(locale: Locale, own: Partial<BankLoginTexts>): BankLoginTexts {
  return { ...texts[locale], ...own };
}

/** The nearest language that there are texts in: `es-UY` is `es`, anything unknown `en`. */
export function toLocale(language: string): Locale {
  const [base = ""] = language.toLowerCase().split("-");
  return base === "es" || base === "pt" ? base : "en";
}

/** Puts values into a text: `fillIn("{count} banks", { count: 3 })`. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
