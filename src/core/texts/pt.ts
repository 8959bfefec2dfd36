import type { FailureText } from "../api/failures.ts";
import type * as en from "./en.ts";

// Banks have no labels in Portuguese; Spanish is nearer to it than English.
export const bankLanguages = ["es", "en"] as const;

export const failures = {
  wrong_credentials: "Usuário, senha ou outro dado incorreto. Confira e tente novamente.",
  missing_credentials: "Falta um dado que o banco exige. Preencha todos os campos e tente novamente.",
  provider_doesnt_exist: "Este banco não está disponível aqui. Escolha outro.",
  user_blocked: "O banco bloqueou seu usuário. Fale com o banco para desbloqueá-lo.",
  max_sessions_reached: "Seu usuário já tem uma sessão aberta no banco. Encerre essa sessão e entre novamente.",
  provider_unavailable: "O banco não está disponível no momento. Tente novamente mais tarde.",
  not_implemented: "Isto não está disponível com este banco. Escolha outro.",
  wrong_answer: "Código ou resposta incorretos. Entre novamente e o banco pedirá outra vez.",
  missing_answer: "Sua resposta não chegou ao banco. Entre novamente.",
  provider_session_expired: "Sua sessão expirou. Entre novamente.",
  provider_login_failed: "O banco não conseguiu concluir o acesso. Tente novamente.",
  password_change_required:
    "O banco pede uma nova senha. Altere a senha no site ou no app do banco e depois entre aqui.",
  logout_failed: "Não foi possível encerrar a sessão; ela pode continuar aberta. Tente novamente.",
  wrong_client: "Seu usuário não tem acesso ao cliente escolhido. Entre novamente e escolha outro.",
  api_key_refused: "Este aplicativo não está configurado corretamente. Fale com o suporte.",
  cancelled: "O acesso foi cancelado. Para continuar, entre novamente.",
  expired: "O tempo para responder acabou. Entre novamente.",
  too_many_interactions:
    "O banco fez perguntas demais e, para proteger sua conta, o acesso foi interrompido. Fale com o banco.",
  no_clients: "O banco pede para escolher um cliente, mas não mostra nenhum. Fale com o banco.",
  client_selection_off:
    "Seu usuário opera em nome de várias pessoas ou empresas, e não é possível escolher uma aqui. Entre novamente com um usuário que opere por uma só.",
  correct: "Um dos dados não é válido. Confira e tente novamente.",
  retry: "Não é possível continuar de onde parou. Entre novamente.",
  report: "Houve um problema. Tente novamente mais tarde e, se continuar, fale com o suporte.",
  may_have_arrived: "Se você estava entrando, seus dados podem ter chegado ao banco mesmo assim.",
  network_failed: "Não foi possível conectar. Verifique sua internet e tente novamente.",
  request_timed_out: "A resposta demorou demais. Aguarde alguns minutos e tente novamente.",
  service_unavailable: "Isto não está disponível no momento. Aguarde alguns minutos e tente novamente.",
  outcome_unknown:
    "O acesso foi interrompido, e seus dados podem ter chegado ao banco. Aguarde alguns minutos antes de tentar novamente.",
  request_aborted: "Foi interrompido antes de terminar. Tente novamente.",
  redirect_refused: "Por segurança, o envio a outro lugar foi bloqueado. Nada foi enviado para lá. Fale com o suporte.",
  rate_limited: "Muitas tentativas em pouco tempo. Aguarde alguns minutos e tente novamente.",
  app_refused:
    "Não foi possível verificar este aplicativo. Entre nele novamente ou atualize-o; se continuar, fale com o suporte.",
  not_signed_in: "Sua sessão aqui terminou. Inicie-a outra vez e tente novamente. Nada foi enviado ao banco.",
  invalid_setup: "Houve um problema neste aplicativo. Nada foi enviado ao banco. Fale com o suporte.",
  secret_unavailable: "Por segurança, os dados que você digitou não ficam guardados. Entre novamente.",
  login_not_waiting: "Agora não é possível pausar. Tente novamente mais tarde.",
  outcome_used: "Esta etapa já foi concluída. Nada foi enviado. Para continuar, entre novamente.",
  token_used: "Este acesso já foi continuado, talvez em outra janela. Se não foi, entre novamente.",
} satisfies Record<FailureText, string>;

export const labels = {
  username: "Usuário",
  password: "Senha",
  otp: "Código de verificação",
  token: "Token",
  captcha: "Caracteres da imagem",
  personal_question: "Sua resposta",
  type: "Tipo",
  company_code: "Código da empresa",
  country_code: "País",
  document_number: "Número do documento",
} satisfies Record<keyof typeof en.labels, string>;

export const accountTypes = {
  pers: "Pessoal",
  corp: "Empresarial",
  smes: "Pequenas e médias empresas",
} satisfies Record<keyof typeof en.accountTypes, string>;

export const forms = {
  needed: "Preencha este campo.",
  unsendable: "Digite novamente.",
  choose: "Escolha uma opção.",
  offline: "Sem conexão: nada foi enviado. Continue quando a conexão voltar.",
  picture: "Digite os caracteres que a imagem mostra.",
  pictureAlt: "Imagem do seu banco com os caracteres a digitar",
  noPicture: "Seu banco enviou uma imagem que não pode ser mostrada. Comece novamente para receber outra.",
  confirmation: "Autorize o acesso no app do seu banco. Depois volte e continue aqui.",
  code: "Digite o código do seu banco.",
  question: "Responda à pergunta do seu banco.",
  repeated:
    "O banco pede novamente: talvez não tenha aceitado sua resposta. Confira bem a próxima: após várias respostas erradas, o banco pode bloquear seu usuário. Respostas enviadas:",
  sessionEnded: "{bank}: sua sessão expirou. Entre novamente.",
  timeToWait: "Tempo de espera:",
} satisfies Record<keyof typeof en.forms, string>;

export const component = {
  chooseBank: "Escolha seu banco",
  search: "Buscar",
  country: "País",
  everyCountry: "Todos os países",
  noBank: "Nenhum banco encontrado. Confira o que digitou.",
  noBankInCountry: "Nenhum banco encontrado. Confira o que digitou ou busque em todos os países.",
  banksFound: "Bancos encontrados: {count}",
  logInAt: "Acesse sua conta {bank}",
  logIn: "Entrar",
  privacy:
    "Seus dados vão por conexões seguras a este site e ao parceiro que entra no seu banco. Depois, esta página não os guarda.",
  providerState: "Aviso sobre este banco: {state}",
  narrowingFailed: "Não foi possível ajustar as opções à sua escolha. Todas são mostradas.",
  optional: "opcional",
  choose: "Escolha…",
  show: "Mostrar",
  hide: "Ocultar",
  oneMoreStep: "Mais um passo",
  confirm: "Continuar",
  confirmed: "Já confirmei",
  zoom: "Ampliar",
  timeLeft: "Tempo restante: {time}",
  timeShort: "Resta pouco tempo: {time}",
  chooseClient: "Em nome de quem você quer entrar?",
  loadingProviders: "Carregando os bancos…",
  loadingFields: "Consultando os dados que o banco pede…",
  submitting: "Entrando (até 90 s)…",
  stillWaiting: "Não feche esta página. Tempo decorrido: {time}",
  listingClients: "Carregando os clientes…",
  selectingClient: "Escolhendo o cliente…",
  replacingSession: "Encerrando a outra sessão…",
  loadingDestinations: "Quase pronto. Buscando para onde você pode transferir…",
  notLoggedIn: "Não foi possível entrar",
  linkFailed: "Não foi possível continuar",
  retry: "Tentar novamente",
  replaceSession: "Encerrar a outra sessão e entrar",
  changeProvider: "Escolher outro banco",
  cancel: "Cancelar e voltar",
  cancelLink: "Fechar",
  loggedIn: "Acesso concluído",
  loggedInAt: "Conexão com {bank} concluída. A página continua automaticamente.",
  linkedAt:
    "Conexão com {bank} concluída. A página continua automaticamente. Destinos de transferência encontrados: {count}",
  cancelled: "Acesso cancelado",
  closed: "Você fechou o acesso antes de concluir. Para conectar seu banco, comece novamente.",
  again: "Recomeçar",
} satisfies Record<keyof typeof en.component, string>;

export const hosted = {
  asks: "{name} ({site}) pede que você conecte seu banco.",
  check: "Continue só se você esperava este link. Se não pediu, feche esta página.",
  noCookies: "O navegador não aceita cookies aqui. Permita-os para esta página e abra o link outra vez.",
  noScript: "Esta página precisa de JavaScript. Permita-o, ou abra o link em outro navegador.",
  logged_in: "Seu banco está conectado. Você já pode fechar esta página.",
  failed: "Não foi possível entrar no banco. Para continuar, peça outro link: {name}.",
  cancelled: "A conexão com seu banco foi cancelada. Para continuar, peça outro link: {name}.",
  expired: "O prazo deste link acabou. Para continuar, peça outro: {name}.",
  used: "Este link já foi usado. Se precisar de outro, peça: {name}.",
  elsewhere:
    "Alguém começou a entrar com este link em outro navegador. Continue lá. Se não foi você, avise logo: {name}.",
  unknown: "Este link está incompleto ou não vale mais. Copie-o outra vez por inteiro, ou peça outro: {name}.",
  broken: "Algo deu errado. Aguarde um momento e abra o link outra vez.",
} satisfies Record<keyof typeof en.hosted, string>;

export const mcp = {
  list_banks: "Ver os bancos",
  start_bank_login: "Entrar em um banco",
  read_bank_login: "Ver se você já entrou",
  list_transfer_destinations: "Ver para onde você pode transferir",
  end_bank_session: "Encerrar uma sessão",
  open: "{bank}: entre na página que se abre. Continue só se você pediu. O assistente não vê o que você digita ali.",
  give: "Abra esta página e entre nela. O assistente não vê o que você digita.",
  created: "A página ainda não está aberta.",
  opened: "A página está aberta. Você ainda não entrou.",
  asking: "O banco pergunta algo. Responda na página.",
  logged_in: "Acesso concluído.",
  ended: "A sessão está encerrada.",
} satisfies Record<keyof typeof en.mcp, string>;

export const command = {
  secret_in_argument:
    "Você escreveu um segredo na linha de comando, onde outros programas e o histórico podem lê-lo. Considere-o exposto e troque-o.",
  file_unusable: "Um arquivo não pode ser usado.",
  invalid_setup: "Falta uma parte do programa, ou ela não está configurada.",
  sandbox:
    "Nenhum serviço está configurado (--base-url, VENTANILLA_BASE_URL ou um arquivo): este comando usa o sandbox incluído, e suas sessões terminam com ele.",
  loggingInAt: "Conexão por meio de",
  loggedIn: "Acesso concluído.",
  loggedOut: "A sessão está encerrada.",
  selectClient: "O banco pede para escolher um cliente. Indique seu id com --client.",
  interactionRequired:
    "O banco pede mais um dado e nada aqui pode respondê-lo: use --answer-command, um arquivo de credenciais com `answers` ou `totp`, ou --pause-to.",
  paused: "O acesso está pausado. Continue com: ventanilla login --resume ARQUIVO",
  tryAgain: "Tentar novamente? Muitas tentativas erradas podem bloquear seu usuário.",
  missing: "Faltam dados e não há um terminal para pedi-los",
  howToGive:
    "Indique-os com --credentials-from ARQUIVO (ou - para a entrada padrão); só a senha, com --password-stdin e o usuário em VENTANILLA_USERNAME.",
  howToGiveSecrets:
    "Digite os segredos quando forem pedidos ou use --password-stdin, --credentials-from, --key-from, --api-key-from, --answer-command ou o ambiente.",
  interrupted: "Interrompido. O que estava em andamento foi interrompido; o banco pode tê-lo recebido.",
  picture: "A imagem está no arquivo",
  openPicture: "Abrir em um visualizador?",
  yes: "Sim",
  no: "Não",
  confirmed: "Você já confirmou?",
  chooseProvider: "Qual banco?",
  chooseClient: "Em nome de quem você quer entrar?",
  leaveEmpty: "opcional",
  needed: "Preencha este campo.",
  loadingProviders: "Carregando os bancos",
  loadingFields: "Consultando os dados que o banco pede",
  submitting: "Aguardando o banco",
  listingClients: "Carregando os clientes",
  selectingClient: "Escolhendo o cliente",
  replacingSession: "Encerrando a outra sessão",
  answering: "Aguardando a resposta",
  readableByOthers: "Outros usuários desta máquina podem ler este arquivo, que contém segredos (chmod 600 resolve):",
  keysDropped:
    "As chaves de sessão não serão guardadas: --seal-keys guarda-as criptografadas nos resultados, --keys-to ARQUIVO as escreve em um arquivo com permissões 600.",
  nothingToDo: "Não resta nada a enviar.",
  failedBefore: "Sem sessão em uma execução anterior",
  failedBeforeHelp:
    "Não são reenviados, portanto o lote está incompleto (código de saída 8). Os resultados dizem como cada um terminou. Para reenviá-los, indique o estado: --resend wrong_credentials.",
  stopped: "Parado, porque o próximo acesso terminaria da mesma forma. O mesmo comando envia o que não foi enviado.",
  left: "restantes",
  skipped: "Já processados",
  listening: "Disponível em",
  apiKey: "Chave de API",
  sessionKey: "Chave de sessão",
  accounts: "O sandbox tem estes usuários para este banco:",
  user: "usuário",
  password: "senha",
  answer: "resposta a",
  clients: "clientes",
  stopWith: "Pressione Ctrl-C para encerrar.",
  none: "Nada encontrado.",
  askedLater: "pedido depois",
  printsKeys:
    "As chaves abaixo foram criadas para esta execução. Para conservá-las, defina-as como variáveis: VENTANILLA_SERVE_KEY.",
  inMemory: "As sessões ficam na memória e terminam com este comando: --store as conserva.",
  pages: "Páginas",
  serveKey: "Chave da API",
  webhookSecret: "Segredo do webhook",
  openLink: "Abra este endereço para entrar:",
} satisfies Record<keyof typeof en.command, string>;
