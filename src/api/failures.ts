export type { Failure } from "../../machines/login.types.ts";

/** The languages in which every failure has a text for people. */
export type Locale = "en" | "es" | "pt";

/**
 * What a person can do about a failure. `correct`: check what was typed in. `retry`: log in again. `wait`: log in
 * again, later. `closeSession`: close the other session first. `changeProvider`: another bank. `contactBank`: only the bank
 * can help. `report`: only the operator of the program can.
 */
export type Recovery = "correct" | "retry" | "wait" | "closeSession" | "changeProvider" | "contactBank" | "report";

/**
 * One row of the code table.
 *
 * @inline
 */
interface FailureEntry {
  /** `outcome`: from the bank, the service or the person, a value. `fault`: something broke, an error. */
  readonly kind: "outcome" | "fault";
  /** HTTP codes it has been seen with; empty if it does not come from a response. */
  readonly http: readonly number[];
  /** Whether the same attempt may succeed later without a change. It never means that ventanilla repeats a login. */
  readonly retryable: boolean;
  readonly recovery: Recovery;
  readonly en: string;
  readonly es: string;
  readonly pt: string;
}

// By default a code comes from no response, and is not retryable.
const defaults: Pick<FailureEntry, "http" | "retryable"> = { http: [], retryable: false };
const outcome = (recovery: Recovery, members: Partial<typeof defaults> = {}) =>
  ({ ...defaults, ...members, kind: "outcome", recovery }) as const;
const fault = (recovery: Recovery, members: Partial<typeof defaults> = {}) =>
  ({ ...defaults, ...members, kind: "fault", recovery }) as const;

/**
 * The one code table: every failure that a person can meet, by its `FailureCode`. `docs/errors.md` is generated from it.
 * Statuses of the contract, sections 3 and 7, keep their wire names.
 */
export const failures = {
  wrong_credentials: {
    ...outcome("correct", { http: [403, 200] }),
    en: "The user name, the password or the code is not right.",
    es: "El usuario, la contraseña o el código no son correctos.",
    pt: "O usuário, a senha ou o código não estão corretos.",
  },
  missing_credentials: {
    ...outcome("correct", { http: [400] }),
    en: "The bank needs a field that was left empty.",
    es: "Falta completar un dato que el banco necesita.",
    pt: "Falta preencher um dado de que o banco precisa.",
  },
  provider_doesnt_exist: {
    ...outcome("changeProvider", { http: [404] }),
    en: "This bank is not known to the service.",
    es: "El servicio no conoce este banco.",
    pt: "O serviço não conhece este banco.",
  },
  user_blocked: {
    ...outcome("contactBank", { http: [403] }),
    en: "The bank has locked this user. Contact the bank to unlock it.",
    es: "El banco bloqueó este usuario. Comuníquese con el banco para desbloquearlo.",
    pt: "O banco bloqueou este usuário. Fale com o banco para desbloqueá-lo.",
  },
  max_sessions_reached: {
    ...outcome("closeSession", { http: [403], retryable: true }),
    en: "This user has another session open at the bank. Close it and log in again.",
    es: "Este usuario tiene otra sesión abierta en el banco. Ciérrela y vuelva a ingresar.",
    pt: "Este usuário tem outra sessão aberta no banco. Encerre-a e entre novamente.",
  },
  provider_unavailable: {
    ...outcome("wait", { http: [503], retryable: true }),
    en: "The bank is not available right now. Try again later.",
    es: "El banco no está disponible en este momento. Inténtelo más tarde.",
    pt: "O banco não está disponível no momento. Tente mais tarde.",
  },
  missing_params: {
    ...outcome("correct"),
    en: "A part of the request is missing.",
    es: "Falta un dato en la solicitud.",
    pt: "Falta um dado na solicitação.",
  },
  not_implemented: {
    ...outcome("changeProvider"),
    en: "The service does not offer this for the bank.",
    es: "El servicio no ofrece esta operación para el banco.",
    pt: "O serviço não oferece esta operação para o banco.",
  },
  wrong_answer: {
    ...outcome("correct"),
    en: "The code or the answer is not right. Log in again to get a new one.",
    es: "El código o la respuesta son incorrectos. Vuelva a ingresar para recibir un código nuevo.",
    pt: "Código ou resposta incorretos. Entre novamente para receber um novo código.",
  },
  missing_answer: {
    ...outcome("correct"),
    en: "The bank received no code or answer. Log in again.",
    es: "El banco no recibió el código o la respuesta. Vuelva a ingresar.",
    pt: "O banco não recebeu o código ou a resposta. Entre novamente.",
  },
  provider_session_expired: {
    ...outcome("retry", { retryable: true }),
    en: "The session at the bank has ended. Log in again.",
    es: "La sesión en el banco terminó. Vuelva a ingresar.",
    pt: "A sessão no banco terminou. Entre novamente.",
  },
  provider_login_failed: {
    ...outcome("retry", { retryable: true }),
    en: "The bank could not complete the login. Try again later.",
    es: "El banco no pudo completar el ingreso. Inténtelo más tarde.",
    pt: "O banco não conseguiu concluir o acesso. Tente mais tarde.",
  },
  password_change_required: {
    ...outcome("retry"),
    en: "The bank asks for a new password. Change it at the bank, then log in here.",
    es: "El banco pide una contraseña nueva. Cámbiela en el banco y luego ingrese aquí.",
    pt: "O banco pede uma nova senha. Altere-a no banco e depois entre aqui.",
  },
  logout_failed: {
    ...outcome("retry", { retryable: true }),
    en: "The session could not be closed.",
    es: "No se pudo cerrar la sesión.",
    pt: "Não foi possível encerrar a sessão.",
  },
  wrong_client: {
    ...outcome("correct", { http: [200] }),
    en: "The chosen client does not exist for this user.",
    es: "El cliente elegido no existe para este usuario.",
    pt: "O cliente escolhido não existe para este usuário.",
  },
  invalid_key: {
    ...outcome("retry", { http: [200] }),
    en: "The session is not known or has expired. Log in again.",
    es: "La sesión no existe o venció. Vuelva a ingresar.",
    pt: "A sessão não existe ou expirou. Entre novamente.",
  },
  unauthorized_provider: {
    ...outcome("changeProvider"),
    en: "This bank is not enabled for the application.",
    es: "Este banco no está habilitado para la aplicación.",
    pt: "Este banco não está habilitado para o aplicativo.",
  },
  missing_api_key: {
    ...outcome("report", { http: [401] }),
    en: "The application did not identify itself to the service.",
    es: "La aplicación no se identificó ante el servicio.",
    pt: "O aplicativo não se identificou ao serviço.",
  },
  unknown_api_key: {
    ...outcome("report", { http: [403] }),
    en: "The service does not know the application's API key.",
    es: "El servicio no conoce la clave de API de la aplicación.",
    pt: "O serviço não conhece a chave de API do aplicativo.",
  },
  unexpected_status: {
    ...outcome("report"),
    en: "The service sent an unknown response.",
    es: "El servicio envió una respuesta desconocida.",
    pt: "O serviço enviou uma resposta desconhecida.",
  },
  cancelled: {
    ...outcome("retry", { retryable: true }),
    en: "The login was cancelled.",
    es: "Se canceló el ingreso.",
    pt: "O acesso foi cancelado.",
  },
  expired: {
    ...outcome("retry", { retryable: true }),
    en: "The time to answer has run out. Log in again.",
    es: "Se agotó el tiempo para responder. Vuelva a ingresar.",
    pt: "O tempo para responder acabou. Entre novamente.",
  },
  too_many_interactions: {
    ...outcome("contactBank"),
    en: "The bank asked too many times. The login was stopped to protect the account.",
    es: "El banco hizo demasiadas preguntas. El ingreso se detuvo para proteger la cuenta.",
    pt: "O banco fez perguntas demais. O acesso foi interrompido para proteger a conta.",
  },
  no_clients: {
    ...outcome("contactBank", { http: [200] }),
    en: "The bank asks to choose a client but lists none.",
    es: "El banco pide elegir un cliente, pero no muestra ninguno.",
    pt: "O banco pede para escolher um cliente, mas não mostra nenhum.",
  },
  network_failed: {
    ...fault("retry", { retryable: true }),
    en: "The connection to the service failed. Check your connection. If you were logging in, the bank may have received the login.",
    es: "Falló la conexión con el servicio. Revise su conexión. Si estaba ingresando, es posible que el banco haya recibido el ingreso.",
    pt: "A conexão com o serviço falhou. Verifique sua conexão. Se você estava entrando, é possível que o banco tenha recebido o acesso.",
  },
  request_timed_out: {
    ...fault("retry", { retryable: true }),
    en: "The service did not respond in time. If you were logging in, the bank may have received the login.",
    es: "El servicio no respondió a tiempo. Si estaba ingresando, es posible que el banco haya recibido el ingreso.",
    pt: "O serviço não respondeu a tempo. Se você estava entrando, é possível que o banco tenha recebido o acesso.",
  },
  request_aborted: {
    ...fault("retry", { retryable: true }),
    en: "The request was stopped before it finished.",
    es: "La solicitud se detuvo antes de terminar.",
    pt: "A solicitação foi interrompida antes de terminar.",
  },
  outcome_unknown: {
    ...fault("wait", { http: [409] }),
    en: "The login was interrupted, and it is not known whether the bank received it. Wait a few minutes before trying again.",
    es: "El ingreso se interrumpió y no se sabe si el banco lo recibió. Espere unos minutos antes de volver a intentarlo.",
    pt: "O acesso foi interrompido e não se sabe se o banco o recebeu. Aguarde alguns minutos antes de tentar novamente.",
  },
  redirect_refused: {
    ...fault("report", { http: [301, 302, 303, 307, 308] }),
    en: "The service redirected the request to another address. Nothing was sent there.",
    es: "El servicio redirigió la solicitud a otra dirección. No se envió nada allí.",
    pt: "O serviço redirecionou a solicitação para outro endereço. Nada foi enviado para lá.",
  },
  response_unreadable: {
    ...fault("retry", { retryable: true }),
    en: "The service's response could not be read.",
    es: "No se pudo leer la respuesta del servicio.",
    pt: "Não foi possível ler a resposta do serviço.",
  },
  response_against_contract: {
    ...fault("report"),
    en: "The service's response is incomplete.",
    es: "La respuesta del servicio está incompleta.",
    pt: "A resposta do serviço está incompleta.",
  },
  response_too_large: {
    ...fault("report"),
    en: "The service's response is too large.",
    es: "La respuesta del servicio es demasiado grande.",
    pt: "A resposta do serviço é grande demais.",
  },
  access_refused: {
    ...fault("report", { http: [401, 403] }),
    en: "The service refused the request.",
    es: "El servicio rechazó la solicitud.",
    pt: "O serviço recusou a solicitação.",
  },
  rate_limited: {
    ...fault("wait", { http: [429], retryable: true }),
    en: "Too many requests were made. Wait a while and try again.",
    es: "Se hicieron demasiadas solicitudes. Espere un momento e inténtelo de nuevo.",
    pt: "Foram feitas solicitações demais. Aguarde um pouco e tente novamente.",
  },
  service_unavailable: {
    ...fault("wait", { http: [502, 503, 504], retryable: true }),
    en: "The service is not available right now. Try again later. If you were logging in, the bank may have received the login.",
    es: "El servicio no está disponible en este momento. Inténtelo más tarde. Si estaba ingresando, es posible que el banco haya recibido el ingreso.",
    pt: "O serviço não está disponível no momento. Tente mais tarde. Se você estava entrando, é possível que o banco tenha recebido o acesso.",
  },
  http_failed: {
    ...fault("report", { http: [400, 404, 405, 413, 415, 500] }),
    en: "The service reported an error without saying which.",
    es: "El servicio informó un error sin indicar cuál.",
    pt: "O serviço informou um erro sem indicar qual.",
  },
  origin_refused: {
    ...fault("report", { http: [403] }),
    en: "This page is not allowed to log in to banks: its address is not in the application's list.",
    es: "Esta página no está autorizada para ingresar a bancos: su dirección no está en la lista de la aplicación.",
    pt: "Esta página não está autorizada a acessar bancos: seu endereço não está na lista do aplicativo.",
  },
  app_refused: {
    ...fault("report", { http: [401, 403] }),
    en: "This app is not allowed to log in to banks. Sign in to the app again, or update it.",
    es: "Esta aplicación no está autorizada para ingresar a bancos. Vuelva a iniciar sesión en ella o actualícela.",
    pt: "Este aplicativo não está autorizado a acessar bancos. Entre nele novamente ou atualize-o.",
  },
  body_already_read: {
    ...fault("report", { http: [500] }),
    en: "The application lost the login on its own server. Nothing was sent to the bank.",
    es: "La aplicación perdió los datos del ingreso en su propio servidor. No se envió nada al banco.",
    pt: "O aplicativo perdeu os dados do acesso no próprio servidor. Nada foi enviado ao banco.",
  },
  slash_changed: {
    ...fault("report", { http: [404] }),
    en: "The application's server changed the address of the request. Nothing was sent to the bank.",
    es: "El servidor de la aplicación cambió la dirección de la solicitud. No se envió nada al banco.",
    pt: "O servidor do aplicativo mudou o endereço da solicitação. Nada foi enviado ao banco.",
  },
  invalid_input: {
    ...fault("correct"),
    en: "A value can't be used as it is.",
    es: "Un valor no se puede usar tal como está.",
    pt: "Um valor não pode ser usado como está.",
  },
  missing_field: {
    ...fault("correct"),
    en: "A required value is missing.",
    es: "Falta un dato obligatorio.",
    pt: "Falta um dado obrigatório.",
  },
  unknown_field: {
    ...fault("correct"),
    en: "The bank does not know one of the fields.",
    es: "El banco no conoce uno de los campos.",
    pt: "O banco não conhece um dos campos.",
  },
  secret_unavailable: {
    ...fault("retry"),
    en: "The login can't continue: its protected values are no longer available. Log in again.",
    es: "El ingreso no puede continuar: sus datos protegidos ya no están disponibles. Vuelva a ingresar.",
    pt: "O acesso não pode continuar: os dados protegidos não estão mais disponíveis. Entre novamente.",
  },
  handler_failed: {
    ...fault("report"),
    en: "The application could not continue the login.",
    es: "La aplicación no pudo continuar con el ingreso.",
    pt: "O aplicativo não conseguiu continuar com o acesso.",
  },
  login_not_waiting: {
    ...fault("retry", { retryable: true }),
    en: "The login can't be paused now: it is not waiting for an answer.",
    es: "El ingreso no se puede pausar ahora: no está esperando una respuesta.",
    pt: "O acesso não pode ser pausado agora: não está aguardando uma resposta.",
  },
  outcome_used: {
    ...fault("retry"),
    en: "This step was already answered, cancelled or paused. Nothing was sent.",
    es: "Este paso ya fue respondido, cancelado o pausado. No se envió nada.",
    pt: "Esta etapa já foi respondida, cancelada ou pausada. Nada foi enviado.",
  },
  token_incomplete: {
    ...fault("retry"),
    en: "The login can't be resumed: a part of it is missing. Log in again.",
    es: "El ingreso no se puede retomar: está incompleto. Vuelva a ingresar.",
    pt: "O acesso não pode ser retomado: está incompleto. Entre novamente.",
  },
  token_altered: {
    ...fault("retry"),
    en: "The login can't be resumed: it was altered. Log in again.",
    es: "El ingreso no se puede retomar: fue alterado. Vuelva a ingresar.",
    pt: "O acesso não pode ser retomado: foi alterado. Entre novamente.",
  },
  token_expired: {
    ...fault("retry"),
    en: "The login waited too long. Log in again.",
    es: "El ingreso pausado venció. Vuelva a ingresar.",
    pt: "O acesso pausado expirou. Entre novamente.",
  },
  token_of_another_version: {
    ...fault("retry"),
    en: "The login was paused by another version of the application. Log in again.",
    es: "El ingreso fue pausado por otra versión de la aplicación. Vuelva a ingresar.",
    pt: "O acesso foi pausado por outra versão do aplicativo. Entre novamente.",
  },
  token_of_another_key: {
    ...fault("retry"),
    en: "The login was sealed with an unknown key. Log in again.",
    es: "El ingreso fue cifrado con una clave desconocida. Vuelva a ingresar.",
    pt: "O acesso foi criptografado com uma chave desconhecida. Entre novamente.",
  },
  token_of_another_address: {
    ...fault("retry"),
    en: "The login belongs to another service. Log in again.",
    es: "El ingreso pertenece a otro servicio. Vuelva a ingresar.",
    pt: "O acesso pertence a outro serviço. Entre novamente.",
  },
  token_used: {
    ...fault("retry"),
    en: "The login was already resumed.",
    es: "El ingreso ya fue retomado.",
    pt: "O acesso já foi retomado.",
  },
  secret_in_argument: {
    ...fault("correct"),
    en: "A secret was given as an argument, where other programs and the shell's history can read it. Consider it exposed.",
    es: "Se dio un secreto como argumento, donde otros programas y el historial de la terminal pueden leerlo. Considere que quedó expuesto.",
    pt: "Um segredo foi dado como argumento, onde outros programas e o histórico do terminal podem lê-lo. Considere que ele ficou exposto.",
  },
  insecure_address: {
    ...fault("correct"),
    en: "The address is not encrypted (http). Nothing was sent. Use https; --allow-http accepts http all the same.",
    es: "La conexión con esa dirección no está cifrada (http). No se envió nada. Use https; --allow-http acepta http de todos modos.",
    pt: "A conexão com esse endereço não é criptografada (http). Nada foi enviado. Use https; --allow-http aceita http mesmo assim.",
  },
  file_unusable: {
    ...fault("correct"),
    en: "A file can't be used.",
    es: "Un archivo no se puede usar.",
    pt: "Um arquivo não pode ser usado.",
  },
  part_missing: {
    ...fault("report"),
    en: "A part of the program is not installed.",
    es: "Falta instalar una parte del programa.",
    pt: "Uma parte do programa não está instalada.",
  },
  unexpected_fault: {
    ...fault("report"),
    en: "An unexpected error occurred.",
    es: "Ocurrió un error inesperado.",
    pt: "Ocorreu um erro inesperado.",
  },
} as const satisfies Record<string, FailureEntry>;

/** Every code of the table: each is an `OutcomeCode` or a `FaultCode`. */
export type FailureCode = keyof typeof failures;

type CodeOfKind<Kind extends FailureEntry["kind"]> = {
  [Code in FailureCode]: (typeof failures)[Code]["kind"] extends Kind ? Code : never;
}[FailureCode];

/**
 * The codes of outcomes: returned as values.
 *
 * @useDeclaredType
 */
export type OutcomeCode = CodeOfKind<"outcome">;

/**
 * The codes of faults: carried by errors.
 *
 * @useDeclaredType
 */
export type FaultCode = CodeOfKind<"fault">;

/**
 * The text for people.
 *
 * @param code a code of the table.
 * @param locale default `en`.
 */
export function failureText(code: FailureCode, locale: Locale = "en"): string {
  const entry = findEntry(code) ?? failures.unexpected_fault;
  return entry[locale] ?? entry.en;
}

/** Whether the same attempt may succeed later without a change. */
export function isRetryable(code: FailureCode): boolean {
  return findEntry(code)?.retryable ?? false;
}

/** What a person can do about it. */
export function failureRecovery(code: FailureCode): Recovery {
  return findEntry(code)?.recovery ?? "report";
}

// A failure may come from a stored snapshot or an actor of the user's own: an unknown code must not crash a screen.
function findEntry(code: string): FailureEntry | undefined {
  return Object.hasOwn(failures, code) ? failures[code as FailureCode] : undefined;
}
