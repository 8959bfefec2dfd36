import type { Locale } from "../../index.ts";

type Texts = Readonly<Record<Locale, string>>;

/** What the command line says beside the texts of the failures. */
export const texts = {
  sandbox: {
    en: "No service is set (--base-url, VENTANILLA_BASE_URL or a config file): this command uses the embedded sandbox, and its sessions end with it.",
    es: "No hay un servicio configurado (--base-url, VENTANILLA_BASE_URL o un archivo): este comando usa el sandbox incluido, y sus sesiones terminan con él.",
    pt: "Nenhum serviço está configurado (--base-url, VENTANILLA_BASE_URL ou um arquivo): este comando usa o sandbox incluído, e suas sessões terminam com ele.",
  },
  loggingInAt: { en: "Logging in at", es: "Ingreso en", pt: "Acesso em" },
  loggedIn: { en: "You are logged in.", es: "Ingreso completado.", pt: "Você entrou." },
  loggedOut: { en: "The session is closed.", es: "La sesión está cerrada.", pt: "A sessão está encerrada." },
  selectClient: {
    en: "The bank wants a client chosen. Give one with --client.",
    es: "El banco pide elegir un cliente. Indíquelo con --client.",
    pt: "O banco pede para escolher um cliente. Indique-o com --client.",
  },
  interactionRequired: {
    en: "The bank asks for one more thing, and nothing here answers it: give --answer-command, a credentials file with `answers` or `totp`, or --pause-to.",
    es: "El banco pide algo más y nada aquí lo responde: use --answer-command, un archivo de credenciales con `answers` o `totp`, o --pause-to.",
    pt: "O banco pede mais um dado e nada aqui o responde: use --answer-command, um arquivo de credenciais com `answers` ou `totp`, ou --pause-to.",
  },
  paused: {
    en: "The login is paused. Go on with: ventanilla login --resume FILE",
    es: "El ingreso está en pausa. Continúe con: ventanilla login --resume ARCHIVO",
    pt: "O acesso está pausado. Continue com: ventanilla login --resume ARQUIVO",
  },
  tryAgain: {
    en: "Try again? Too many wrong tries can block your user.",
    es: "¿Intentar de nuevo? Demasiados intentos incorrectos pueden bloquear su usuario.",
    pt: "Tentar de novo? Tentativas erradas demais podem bloquear o seu usuário.",
  },
  missing: {
    en: "Missing, and this is no terminal to ask on",
    es: "Falta, y no hay una terminal donde preguntar",
    pt: "Falta, e não há um terminal onde perguntar",
  },
  howToGive: {
    en: "Give them with --credentials-from FILE (or - for standard input); a password alone with --password-stdin and the user name in VENTANILLA_USERNAME.",
    es: "Indíquelos con --credentials-from ARCHIVO (o - para la entrada estándar); solo la contraseña, con --password-stdin y el usuario en VENTANILLA_USERNAME.",
    pt: "Indique-os com --credentials-from ARQUIVO (ou - para a entrada padrão); só a senha, com --password-stdin e o usuário em VENTANILLA_USERNAME.",
  },
  howToGiveSecrets: {
    en: "Secrets come from a prompt, --password-stdin, --credentials-from, --key-from, --api-key-from, --answer-command or the environment.",
    es: "Los secretos se dan en una pregunta, con --password-stdin, --credentials-from, --key-from, --api-key-from, --answer-command o el entorno.",
    pt: "Segredos vêm de uma pergunta, de --password-stdin, --credentials-from, --key-from, --api-key-from, --answer-command ou do ambiente.",
  },
  interrupted: {
    en: "Interrupted. What was under way was stopped; the bank may have received it.",
    es: "Interrumpido. Lo que estaba en curso se detuvo; el banco pudo haberlo recibido.",
    pt: "Interrompido. O que estava em curso foi parado; o banco pode tê-lo recebido.",
  },
  picture: { en: "The picture is the file", es: "La imagen es el archivo", pt: "A imagem é o arquivo" },
  openPicture: { en: "Open it in a viewer?", es: "¿Abrirla en un visor?", pt: "Abri-la em um visualizador?" },
  yes: { en: "Yes", es: "Sí", pt: "Sim" },
  no: { en: "No", es: "No", pt: "Não" },
  confirmed: { en: "Have you confirmed?", es: "¿Ya confirmó?", pt: "Você já confirmou?" },
  chooseProvider: { en: "Which bank?", es: "¿Qué banco?", pt: "Qual banco?" },
  chooseClient: { en: "Which client?", es: "¿Qué cliente?", pt: "Qual cliente?" },
  leaveEmpty: { en: "optional", es: "opcional", pt: "opcional" },
  needed: { en: "This is needed.", es: "Este dato es necesario.", pt: "Este dado é necessário." },
  loadingProviders: { en: "Loading the banks", es: "Cargando los bancos", pt: "Carregando os bancos" },
  loadingFields: {
    en: "Asking what the bank needs",
    es: "Consultando qué pide el banco",
    pt: "Consultando o que o banco pede",
  },
  submitting: { en: "Waiting for the bank", es: "Esperando al banco", pt: "Aguardando o banco" },
  listingClients: { en: "Loading the clients", es: "Cargando los clientes", pt: "Carregando os clientes" },
  selectingClient: { en: "Choosing the client", es: "Eligiendo el cliente", pt: "Escolhendo o cliente" },
  replacingSession: { en: "Closing the other session", es: "Cerrando la otra sesión", pt: "Encerrando a outra sessão" },
  answering: { en: "Waiting for the answer", es: "Esperando la respuesta", pt: "Aguardando a resposta" },
  readableByOthers: {
    en: "Others on this machine can read this file, which holds secrets (chmod 600 helps):",
    es: "Otros usuarios de esta máquina pueden leer este archivo, que contiene secretos (chmod 600 lo resuelve):",
    pt: "Outros usuários desta máquina podem ler este arquivo, que contém segredos (chmod 600 resolve):",
  },
  keysDropped: {
    en: "The session keys will not be kept: --seal-keys seals them into the results, --keys-to FILE writes them to a file of mode 600.",
    es: "Las claves de sesión no se guardarán: --seal-keys las sella en los resultados, --keys-to ARCHIVO las escribe en un archivo de modo 600.",
    pt: "As chaves de sessão não serão guardadas: --seal-keys as sela nos resultados, --keys-to ARQUIVO as escreve em um arquivo de modo 600.",
  },
  nothingToDo: {
    en: "Nothing is left to send.",
    es: "No queda nada por enviar.",
    pt: "Não resta nada a enviar.",
  },
  failedBefore: {
    en: "ended without a session in an earlier run and will not be sent again, so the batch is incomplete (exit code 8). The results say why each one ended. To send one again give its line another id, or --resend-unknown for outcome_unknown.",
    es: "terminaron sin sesión en una ejecución anterior y no se vuelven a enviar, así que el lote está incompleto (código de salida 8). Los resultados dicen cómo terminó cada uno. Para reenviar uno, dele otro id a su línea, o use --resend-unknown si es outcome_unknown.",
    pt: "terminaram sem sessão em uma execução anterior e não são reenviados, portanto o lote está incompleto (código de saída 8). Os resultados dizem como cada um terminou. Para reenviar um, dê outro id à sua linha, ou use --resend-unknown se for outcome_unknown.",
  },
  left: { en: "left", es: "restantes", pt: "restantes" },
  skipped: { en: "done before", es: "hechos antes", pt: "feitos antes" },
  listening: { en: "Listening on", es: "Disponible en", pt: "Disponível em" },
  apiKey: { en: "API key", es: "Clave de API", pt: "Chave de API" },
  accounts: {
    en: "The sandbox has these users for this bank:",
    es: "El sandbox tiene estos usuarios para este banco:",
    pt: "O sandbox tem estes usuários para este banco:",
  },
  user: { en: "user", es: "usuario", pt: "usuário" },
  password: { en: "password", es: "contraseña", pt: "senha" },
  answer: { en: "answer to", es: "respuesta a", pt: "resposta a" },
  clients: { en: "clients", es: "clientes", pt: "clientes" },
  stopWith: { en: "Ctrl-C stops it.", es: "Ctrl-C lo detiene.", pt: "Ctrl-C o encerra." },
  none: { en: "Nothing found.", es: "No se encontró nada.", pt: "Nada encontrado." },
  askedLater: { en: "asked for later", es: "se pide después", pt: "pedido depois" },
} satisfies Record<string, Texts>;
