import type { Locale } from "../api/failures.ts";

const table = {
  chooseBank: { en: "Choose your bank", es: "Elija su banco", pt: "Escolha o seu banco" },
  search: { en: "Search", es: "Buscar", pt: "Buscar" },
  country: { en: "Country", es: "País", pt: "País" },
  everyCountry: { en: "All countries", es: "Todos los países", pt: "Todos os países" },
  noBank: {
    en: "No bank matches. Check the spelling, or choose all countries.",
    es: "No se encontró ningún banco. Revise cómo lo escribió o elija todos los países.",
    pt: "Nenhum banco encontrado. Confira se escreveu certo ou escolha todos os países.",
  },
  /** `{count}` banks match. */
  banksFound: { en: "Banks found: {count}", es: "Bancos encontrados: {count}", pt: "Bancos encontrados: {count}" },
  /** `{bank}` is the bank's name. */
  logInAt: { en: "Log in at {bank}", es: "Ingrese a {bank}", pt: "Acesse sua conta em {bank}" },
  logIn: { en: "Log in", es: "Ingresar", pt: "Entrar" },
  /** The other choices that a choice leaves could not be read. */
  narrowingFailed: {
    en: "The options could not be matched to your choice. All of them are listed.",
    es: "No se pudieron ajustar las opciones a lo que eligió. Se muestran todas.",
    pt: "Não foi possível ajustar as opções à sua escolha. Todas são mostradas.",
  },
  optional: { en: "optional", es: "opcional", pt: "opcional" },
  choose: { en: "Choose…", es: "Elija…", pt: "Escolha…" },
  show: { en: "Show", es: "Mostrar", pt: "Mostrar" },
  hide: { en: "Hide", es: "Ocultar", pt: "Ocultar" },
  check: { en: "Please check what you typed", es: "Revise los datos ingresados", pt: "Confira o que você digitou" },
  oneMoreStep: { en: "One more step", es: "Un paso más", pt: "Mais um passo" },
  confirm: { en: "Continue", es: "Continuar", pt: "Continuar" },
  /** Where the login is confirmed elsewhere, mostly in the bank's app. */
  confirmed: { en: "I have confirmed", es: "Ya confirmé", pt: "Já confirmei" },
  zoom: { en: "Enlarge", es: "Ampliar", pt: "Ampliar" },
  /** `{time}` is minutes and seconds. */
  timeLeft: { en: "{time} left to answer", es: "Quedan {time} para responder", pt: "Restam {time} para responder" },
  chooseClient: {
    en: "Who do you log in for?",
    es: "¿Con qué cliente quiere continuar?",
    pt: "Com qual cliente você quer continuar?",
  },
  clientRequired: {
    en: "This user acts for several clients. Choosing one is not possible here.",
    es: "Este usuario representa a varios clientes. Aquí no se puede elegir uno.",
    pt: "Este usuário representa vários clientes. Aqui não é possível escolher um.",
  },
  loadingProviders: {
    en: "Fetching the list of banks…",
    es: "Cargando la lista de bancos…",
    pt: "Carregando a lista de bancos…",
  },
  loadingFields: {
    en: "Asking what the bank needs…",
    es: "Consultando qué datos pide el banco…",
    pt: "Consultando os dados que o banco pede…",
  },
  submitting: {
    en: "Logging in, up to a minute…",
    es: "Ingresando, hasta un minuto…",
    pt: "Entrando, até um minuto…",
  },
  listingClients: { en: "Fetching the clients…", es: "Cargando los clientes…", pt: "Carregando os clientes…" },
  selectingClient: { en: "Choosing the client…", es: "Seleccionando el cliente…", pt: "Selecionando o cliente…" },
  replacingSession: {
    en: "Closing the other session…",
    es: "Cerrando la otra sesión…",
    pt: "Encerrando a outra sessão…",
  },
  loadingDestinations: {
    en: "Nearly done. Finding where you can transfer to…",
    es: "Ya casi. Buscando a dónde puede transferir…",
    pt: "Quase pronto. Buscando para onde você pode transferir…",
  },
  notLoggedIn: { en: "You are not logged in", es: "No se pudo ingresar", pt: "Não foi possível entrar" },
  /** What surrounds the login failed; there may be a session. */
  linkFailed: { en: "That did not work", es: "No se pudo continuar", pt: "Não foi possível continuar" },
  retry: { en: "Try again", es: "Intentar de nuevo", pt: "Tentar de novo" },
  replaceSession: {
    en: "Close the other session and log in",
    es: "Cerrar la otra sesión e ingresar",
    pt: "Encerrar a outra sessão e entrar",
  },
  changeProvider: { en: "Another bank", es: "Otro banco", pt: "Outro banco" },
  cancel: { en: "Cancel", es: "Cancelar", pt: "Cancelar" },
  cancelLink: { en: "Close", es: "Cerrar", pt: "Fechar" },
  loggedIn: { en: "You are logged in", es: "Ingreso completado", pt: "Acesso concluído" },
  /** `{bank}` is the bank's name. */
  loggedInAt: {
    en: "{bank} is connected. This page continues by itself.",
    es: "{bank} está conectado. La página continúa automáticamente.",
    pt: "{bank} está conectado. A página continua automaticamente.",
  },
  /** The same with a list of destinations: `{count}` is how many there are. */
  linkedAt: {
    en: "{bank} is connected. Transfer destinations found: {count}. This page continues by itself.",
    es: "{bank} está conectado. Destinos de transferencia encontrados: {count}. La página continúa automáticamente.",
    pt: "{bank} está conectado. Destinos de transferência encontrados: {count}. A página continua automaticamente.",
  },
  cancelled: { en: "The login was closed", es: "Se canceló el ingreso", pt: "O acesso foi cancelado" },
  again: { en: "Start again", es: "Empezar de nuevo", pt: "Começar de novo" },
} satisfies Record<string, Record<Locale, string>>;

/**
 * The words of the component; labels, questions and failures come from the bank and the code table.
 *
 * @useDeclaredType
 */
export type BankLoginTexts = { readonly [Name in keyof typeof table]: string };

export function mergeTexts(locale: Locale, own: Partial<BankLoginTexts>): BankLoginTexts {
  const texts = Object.entries(table).map(([name, words]) => [name, words[locale]]);
  return { ...(Object.fromEntries(texts) as BankLoginTexts), ...own };
}

/** Puts values into a text: `fillIn("{count} banks", { count: 3 })`. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
