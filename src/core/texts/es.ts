import type { FailureText } from "../api/failures.ts";
import type * as en from "./en.ts";

export const bankLanguages = ["es", "en"] as const;

export const failures = {
  wrong_credentials: "El usuario, la contraseña u otro dato no son correctos. Revíselos y vuelva a intentarlo.",
  missing_credentials: "Falta un dato que el banco necesita. Complete todos los campos y vuelva a intentarlo.",
  provider_doesnt_exist: "Este banco no está disponible aquí. Elija otro.",
  user_blocked: "El banco bloqueó su usuario. Comuníquese con el banco para desbloquearlo.",
  max_sessions_reached: "Su usuario ya tiene una sesión abierta en el banco. Ciérrela y vuelva a ingresar.",
  provider_unavailable: "El banco no está disponible en este momento. Inténtelo más tarde.",
  not_implemented: "Esto no está disponible con este banco. Elija otro.",
  wrong_answer: "El código o la respuesta no son correctos. Vuelva a ingresar y el banco se lo pedirá otra vez.",
  missing_answer: "Su respuesta no llegó al banco. Vuelva a ingresar.",
  provider_session_expired: "Su sesión expiró. Vuelva a ingresar.",
  provider_login_failed: "El banco no pudo completar el inicio de sesión. Vuelva a intentarlo.",
  password_change_required:
    "El banco pide una contraseña nueva. Cámbiela en el sitio web o la app del banco y luego ingrese aquí.",
  logout_failed: "No se pudo cerrar la sesión; puede seguir abierta. Vuelva a intentarlo.",
  wrong_client: "Su usuario no tiene acceso al cliente que eligió. Vuelva a ingresar y elija otro.",
  api_key_refused: "Esta aplicación no está bien configurada. Avise a soporte.",
  cancelled: "Se canceló el inicio de sesión. Para continuar, vuelva a ingresar.",
  expired: "Se agotó el tiempo para responder. Vuelva a ingresar.",
  too_many_interactions:
    "El banco hizo demasiadas preguntas y, para proteger su cuenta, se detuvo el inicio de sesión. Comuníquese con el banco.",
  no_clients: "El banco pide elegir un cliente, pero no muestra ninguno. Comuníquese con el banco.",
  client_selection_off:
    "Su usuario opera en nombre de varias personas o empresas y aquí no se puede elegir una. Vuelva a ingresar con un usuario que opere por una sola.",
  correct: "Hay un dato que no es válido. Revíselo y vuelva a intentarlo.",
  retry: "No se puede continuar donde lo dejó. Vuelva a ingresar.",
  report: "Hubo un problema. Inténtelo más tarde y, si continúa, avise a soporte.",
  may_have_arrived: "Si estaba ingresando, sus datos pueden haber llegado al banco de todos modos.",
  network_failed: "No se pudo conectar. Revise su conexión a internet y vuelva a intentarlo.",
  request_timed_out: "La respuesta tardó demasiado. Espere unos minutos y vuelva a intentarlo.",
  service_unavailable: "Esto no está disponible en este momento. Espere unos minutos y vuelva a intentarlo.",
  outcome_unknown:
    "El inicio de sesión se interrumpió y sus datos pueden haber llegado al banco. Espere unos minutos antes de volver a intentarlo.",
  request_aborted: "Se interrumpió antes de terminar. Vuelva a intentarlo.",
  redirect_refused: "Por seguridad se detuvo el envío a otro lugar. No se envió nada allí. Avise a soporte.",
  rate_limited: "Hubo demasiados intentos en poco tiempo. Espere unos minutos y vuelva a intentarlo.",
  app_refused:
    "No se pudo verificar esta aplicación. Vuelva a iniciar sesión en ella o actualícela; si continúa, avise a soporte.",
  not_signed_in: "Su sesión aquí terminó. Iníciela otra vez y vuelva a intentarlo. No se envió nada al banco.",
  invalid_setup: "Hubo un problema en esta aplicación. No se envió nada al banco. Avise a soporte.",
  secret_unavailable: "Por seguridad, los datos que escribió no se guardan. Vuelva a ingresar.",
  login_not_waiting: "Ahora no se puede pausar. Inténtelo más tarde.",
  outcome_used: "Este paso ya se respondió, canceló o pausó. No se envió nada. Para continuar, vuelva a ingresar.",
  token_used: "Este inicio de sesión ya continuó, quizás en otra ventana. Si no es así, vuelva a ingresar.",
} satisfies Record<FailureText, string>;

export const labels = {
  username: "Usuario",
  password: "Contraseña",
  otp: "Código de verificación",
  token: "Token",
  captcha: "Caracteres de la imagen",
  personal_question: "Su respuesta",
  type: "Tipo",
  company_code: "Código de empresa",
  country_code: "País",
  document_number: "Número de documento",
} satisfies Record<keyof typeof en.labels, string>;

export const accountTypes = {
  pers: "Personal",
  corp: "Empresarial",
  smes: "Pequeñas y medianas empresas",
} satisfies Record<keyof typeof en.accountTypes, string>;

export const forms = {
  needed: "Complete este dato.",
  unsendable: "Escríbalo de nuevo.",
  choose: "Elija una opción.",
  offline: "No hay conexión: no se envió nada. Continúe cuando vuelva la conexión.",
  picture: "Escriba los caracteres que muestra la imagen.",
  pictureAlt: "Imagen de su banco con los caracteres que debe escribir",
  noPicture: "Su banco envió una imagen que no se puede mostrar. Empiece de nuevo para recibir otra.",
  confirmation: "Autorice el inicio de sesión en la app de su banco. Después vuelva y continúe aquí.",
  code: "Escriba el código de su banco.",
  question: "Responda la pregunta de su banco.",
  repeated:
    "El banco lo pide otra vez: quizás no aceptó su respuesta. Revise bien la próxima: tras varias incorrectas, el banco puede bloquear su usuario. Respuestas enviadas:",
  sessionEnded: "{bank}: su sesión expiró. Vuelva a ingresar.",
  timeToWait: "Tiempo de espera:",
} satisfies Record<keyof typeof en.forms, string>;

export const component = {
  chooseBank: "Elija su banco",
  search: "Buscar",
  country: "País",
  everyCountry: "Todos los países",
  noBank: "No se encontró ningún banco. Revise lo que escribió.",
  noBankInCountry: "No se encontró ningún banco. Revise lo que escribió o busque en todos los países.",
  banksFound: "Bancos encontrados: {count}",
  logInAt: "Ingrese a {bank}",
  logIn: "Ingresar",
  privacy:
    "Sus datos van por conexiones seguras a este sitio y al proveedor que ingresa a su banco. Después, esta página no los guarda.",
  providerState: "Aviso sobre este banco: {state}",
  narrowingFailed: "No se pudieron ajustar las opciones a lo que eligió. Se muestran todas.",
  optional: "opcional",
  choose: "Elija…",
  show: "Mostrar",
  hide: "Ocultar",
  oneMoreStep: "Un paso más",
  confirm: "Continuar",
  confirmed: "Ya confirmé",
  zoom: "Ampliar",
  timeLeft: "Tiempo restante: {time}",
  timeShort: "Queda poco tiempo: {time}",
  chooseClient: "¿En nombre de quién quiere ingresar?",
  loadingProviders: "Cargando los bancos…",
  loadingFields: "Consultando qué datos pide el banco…",
  submitting: "Ingresando (hasta 90 s)…",
  stillWaiting: "No cierre esta página. Tiempo transcurrido: {time}",
  listingClients: "Cargando los clientes…",
  selectingClient: "Eligiendo el cliente…",
  replacingSession: "Cerrando la otra sesión…",
  loadingDestinations: "Ya casi. Buscando a dónde puede transferir…",
  notLoggedIn: "No se pudo ingresar",
  linkFailed: "No se pudo continuar",
  retry: "Intentar de nuevo",
  replaceSession: "Cerrar la otra sesión e ingresar",
  changeProvider: "Elegir otro banco",
  cancel: "Cancelar y volver",
  cancelLink: "Cerrar",
  loggedIn: "Listo, ya ingresó",
  loggedInAt: "Conexión con {bank} lista. La página continúa automáticamente.",
  linkedAt:
    "Conexión con {bank} lista. La página continúa automáticamente. Destinos de transferencia encontrados: {count}",
  cancelled: "Inicio de sesión cancelado",
  closed: "Cerró el inicio de sesión antes de completarlo. Para conectar su banco, empiece de nuevo.",
  again: "Empezar de nuevo",
} satisfies Record<keyof typeof en.component, string>;

export const hosted = {
  asks: "{name} ({site}) le pide conectar su banco.",
  check: "Continúe solo si esperaba este enlace. Si no lo pidió, cierre esta página.",
  noCookies: "Su navegador no acepta cookies aquí. Permítalas para esta página y vuelva a abrir el enlace.",
  noScript: "Esta página necesita JavaScript. Permítalo, o abra el enlace en otro navegador.",
  logged_in: "Su banco está conectado. Ya puede cerrar esta página.",
  failed: "No se pudo ingresar al banco. Para continuar, pida otro enlace: {name}.",
  cancelled: "Se canceló la conexión con su banco. Para continuar, pida otro enlace: {name}.",
  expired: "Este enlace ya no sirve, porque pasó su tiempo. Para continuar, pida otro: {name}.",
  used: "Este enlace ya se usó. Si necesita otro, pídalo: {name}.",
  elsewhere:
    "Alguien empezó a ingresar con este enlace en otro navegador. Continúe allí. Si no fue usted, avise enseguida: {name}.",
  unknown: "Este enlace está incompleto o ya no sirve. Cópielo de nuevo completo, o pida otro: {name}.",
  broken: "Algo salió mal. Espere un momento y vuelva a abrir el enlace.",
} satisfies Record<keyof typeof en.hosted, string>;

export const mcp = {
  list_banks: "Ver los bancos",
  start_bank_login: "Ingresar a un banco",
  read_bank_login: "Ver si ya ingresó",
  list_transfer_destinations: "Ver a dónde puede transferir",
  end_bank_session: "Cerrar una sesión",
  open: "{bank}: ingrese en la página que se abre. Continúe solo si usted lo pidió. Su asistente no ve lo que escribe allí.",
  give: "Abra esta página e ingrese allí. Su asistente no ve lo que escribe.",
  created: "La página todavía no está abierta.",
  opened: "La página está abierta. Todavía no ingresó.",
  asking: "El banco le pregunta algo. Responda en la página.",
  logged_in: "Listo, ya ingresó.",
  ended: "La sesión está cerrada.",
} satisfies Record<keyof typeof en.mcp, string>;

export const command = {
  secret_in_argument:
    "Escribió un secreto en la línea de comandos, donde otros programas y el historial pueden leerlo. Considérelo expuesto y cámbielo.",
  file_unusable: "Un archivo no se puede usar.",
  invalid_setup: "Falta una parte del programa, o no está configurada.",
  sandbox:
    "No hay un servicio configurado (--base-url, VENTANILLA_BASE_URL o un archivo): este comando usa el sandbox incluido, y sus sesiones terminan con él.",
  loggingInAt: "Conexión a través de",
  loggedIn: "Listo, ya ingresó.",
  loggedOut: "La sesión está cerrada.",
  selectClient: "El banco pide elegir un cliente. Indique su id con --client.",
  interactionRequired:
    "El banco pide algo más y nada aquí puede responderlo: use --answer-command, un archivo de credenciales con `answers` o `totp`, o --pause-to.",
  paused: "El inicio de sesión está en pausa. Continúe con: ventanilla login --resume ARCHIVO",
  tryAgain: "¿Intentar de nuevo? Demasiados intentos incorrectos pueden bloquear su usuario.",
  missing: "Faltan datos y no hay una terminal donde pedirlos",
  howToGive:
    "Indíquelos con --credentials-from ARCHIVO (o - para la entrada estándar); solo la contraseña, con --password-stdin y el usuario en VENTANILLA_USERNAME.",
  howToGiveSecrets:
    "Escriba los secretos cuando se le pidan, o use --password-stdin, --credentials-from, --key-from, --api-key-from, --answer-command o el entorno.",
  interrupted: "Interrumpido. Lo que estaba en curso se detuvo; el banco pudo haberlo recibido.",
  picture: "La imagen está en el archivo",
  openPicture: "¿Abrirla en un visor?",
  yes: "Sí",
  no: "No",
  confirmed: "¿Ya confirmó?",
  chooseProvider: "¿Qué banco?",
  chooseClient: "¿En nombre de quién quiere ingresar?",
  leaveEmpty: "opcional",
  needed: "Complete este dato.",
  loadingProviders: "Cargando los bancos",
  loadingFields: "Consultando qué datos pide el banco",
  submitting: "Esperando al banco",
  listingClients: "Cargando los clientes",
  selectingClient: "Eligiendo el cliente",
  replacingSession: "Cerrando la otra sesión",
  answering: "Esperando la respuesta",
  readableByOthers:
    "Otros usuarios de esta máquina pueden leer este archivo, que contiene secretos (chmod 600 lo resuelve):",
  keysDropped:
    "Las claves de sesión no se guardarán: --seal-keys las guarda cifradas en los resultados, --keys-to ARCHIVO las escribe en un archivo con permisos 600.",
  nothingToDo: "No queda nada por enviar.",
  failedBefore: "Sin sesión en una ejecución anterior",
  failedBeforeHelp:
    "No se vuelven a enviar, así que el lote está incompleto (código de salida 8). Los resultados dicen cómo terminó cada uno. Para reenviarlos, indique su estado: --resend wrong_credentials.",
  stopped: "Detenido, porque el próximo inicio de sesión terminaría igual. El mismo comando envía lo que no se envió.",
  left: "restantes",
  skipped: "Ya procesados",
  listening: "Disponible en",
  apiKey: "Clave de API",
  sessionKey: "Clave de sesión",
  accounts: "El sandbox tiene estos usuarios para este banco:",
  user: "usuario",
  password: "contraseña",
  answer: "respuesta a",
  clients: "clientes",
  stopWith: "Presione Ctrl-C para detenerlo.",
  none: "No se encontró nada.",
  askedLater: "se pide después",
  printsKeys:
    "Las claves que siguen se crearon para esta ejecución. Para conservarlas, defínalas como variables: VENTANILLA_SERVE_KEY.",
  inMemory: "Las sesiones se guardan en memoria y terminan con este comando: --store las conserva.",
  pages: "Páginas",
  serveKey: "Clave de la API",
  webhookSecret: "Secreto del webhook",
  openLink: "Abra esta dirección para iniciar sesión:",
} satisfies Record<keyof typeof en.command, string>;
