import type { FailureText } from "../api/failures.ts";

/** The labels that banks give: the contract's languages, nearest first. */
export const bankLanguages = ["en", "es"] as const;

/** What happened, then the one thing that helps. */
export const failures = {
  wrong_credentials: "The user name, the password or another detail is not right. Check them and try again.",
  missing_credentials: "Something the bank needs is missing. Fill in every field and try again.",
  provider_doesnt_exist: "This bank is not available here. Choose another one.",
  username_differs: "This link is for another user name. Check it and try again.",
  known_wrong: "The bank has refused these details before, so they were not sent again. Check them and try again.",
  user_blocked: "The bank has locked you out. Contact the bank to regain access.",
  max_sessions_reached:
    "You already have sessions open at the bank, perhaps on another device. To log in here, they have to be closed.",
  provider_unavailable: "The bank is not available right now. Try again later.",
  not_implemented: "This can't be done with this bank. Choose another one.",
  wrong_answer: "The code or the answer is not right. Log in again and the bank will ask once more.",
  missing_answer: "Your answer did not reach the bank. Log in again.",
  provider_session_expired: "Your session has expired. Log in again.",
  session_incomplete: "The bank asks for one more step before it shows this. Log in again.",
  provider_login_failed: "The bank could not complete the login. Try again.",
  password_change_required:
    "The bank asks for a new password. Change it on the bank's website or app, then log in here.",
  logout_failed: "The session could not be closed and may still be open. Try again.",
  wrong_client: "You don't have access to the person or company you chose. Log in again and choose another.",
  api_key_refused: "This app is not set up correctly. Contact its support.",
  cancelled: "The login was cancelled. To continue, log in again.",
  approval_denied: "The login was declined in your bank's app. If that was a mistake, log in again.",
  expired: "The time to answer has run out. Log in again.",
  too_many_interactions:
    "The bank asked too many times, so the login was stopped to protect your account. Contact the bank.",
  no_clients: "The bank asks who you are logging in for but lists no one. Contact the bank.",
  client_selection_off:
    "You act for several people or companies at this bank, and you can't choose one here. Log in again with a user name that acts for only one.",
  answer_repeated:
    "The bank asked again after this same answer, so it was not sent a second time. Check it and try again.",
  correct: "One of the details is not valid. Check it and try again.",
  retry: "You can't pick up where you left off. Log in again.",
  report: "Something went wrong. Try again later; if it keeps happening, contact support.",
  /** Added to the next ones, unless only something was read. */
  may_have_arrived: "If you were logging in, your details may have reached the bank.",
  /** As a relay that keeps the login reports it. */
  not_received: "Nothing reached the bank. Check your internet connection and try again.",
  network_failed: "Could not connect. Check your internet connection and try again.",
  request_timed_out: "This took too long and was stopped. Wait a few minutes and try again.",
  service_unavailable: "This is not available right now. Wait a few minutes and try again.",
  outcome_unknown:
    "The login was interrupted, and your details may have reached the bank. Wait a few minutes before trying again.",
  request_aborted: "This was stopped before it finished. Try again.",
  /** A phone's system may have followed the redirect, so nothing is said of where the details went. */
  redirect_refused: "This led to another place and was stopped. Contact support.",
  rate_limited: "Too many attempts in a short time. Wait a few minutes and try again.",
  app_refused:
    "This app could not be verified. Sign in to it again, or update it; if it keeps happening, contact support.",
  not_signed_in: "You are not signed in here any more. Sign in, then try again. Nothing was sent to the bank.",
  invalid_setup: "A problem in this app got in the way. Nothing was sent to the bank. Contact support.",
  secret_unavailable: "For your security, what you typed is not kept. Log in again.",
  login_not_waiting: "This can't be paused right now. Try again later.",
  outcome_used: "This step was already answered, cancelled or paused. Nothing was sent. To continue, log in again.",
  token_used: "You already continued this login, perhaps in another window. If not, log in again.",
} satisfies Record<FailureText, string>;

/** Labels of the known field names, where the bank has none. */
export const labels = {
  username: "User name",
  password: "Password",
  otp: "One-time code",
  token: "Token",
  captcha: "Characters in the picture",
  personal_question: "Your answer",
  type: "Type",
  company_code: "Company code",
  country_code: "Country",
  document_number: "ID number",
};

/** The kinds of account of the contract, section 2.2, for banks without labels. */
export const accountTypes = {
  pers: "Personal",
  corp: "Corporate",
  smes: "Small and medium companies",
};

/** Forms and questions. */
export const forms = {
  needed: "Fill this in.",
  unsendable: "Type this again.",
  choose: "Choose an option.",
  /** In place of a code, a message that it came in, or one without it. */
  codeAlone: "Type the code alone, without the rest of the message.",
  /** The browser has no connection. */
  offline: "You are offline, so nothing was sent. Continue when the connection is back.",
  picture: "Type the characters that the picture shows.",
  pictureAlt: "Picture from your bank with the characters to type",
  noPicture: "Your bank sent a picture that can't be shown. Start again to get another one.",
  confirmation: "Approve the login in your bank's app, then come back and continue here.",
  code: "Enter the code from your bank.",
  question: "Answer your bank's question.",
  /** The number of tries follows. A bank may also ask for a second, different code under the same name: so "may". */
  repeated:
    "The bank is asking again: it may not have accepted your answer. After several tries it can lock you out. Tries so far:",
  /** Where the login is confirmed elsewhere, and the bank asks again. */
  notConfirmed: "Your bank has not received your approval yet. Approve the login in its app first, then continue here.",
  /** After `known_wrong`, where a person types the form. */
  sendAnyway: "If you are sure that they are right, send them again: then they go to the bank.",
  /** A time follows. */
  timeToWait: "Time to wait:",
};

/** `<bank-login>`. */
export const component = {
  chooseBank: "Choose your bank",
  search: "Search",
  country: "Country",
  everyCountry: "All countries",
  noBank: "No bank found. Check the spelling.",
  searchEverywhere: "Search in all countries",
  clearSearch: "Clear the search",
  /** `{count}` banks match. */
  banksFound: "Banks found: {count}",
  logInAt: "Log in to {bank}",
  logIn: "Log in",
  /** Before the form, in two lines: who gets what is typed, and how it travels. `{host}` is the name of the page. An empty text shows nothing. */
  privacy: "Your details go encrypted to {host} and its partner that logs you in.\nThis page keeps none of them.",
  /** `{host}` of `privacy`, if the page does not say its name. */
  thisSite: "this site",
  /** What happens during a login, in three lines. */
  waitSent: "Your details are on their way.",
  waitChecked: "The bank checks them.",
  waitThen: "Then connected, or one more step.",
  /** A link, if the page has an address for it: at the form, and after the bank has locked the user. */
  forgotPassword: "Forgot your password? Go to your bank",
  goToBank: "Go to your bank",
  /** What the service says of the bank before its form, by its word for it; any other word is a problem. */
  bankMaintenance: "This bank is under maintenance. The login may not work right now.",
  bankDown: "This bank is not responding right now. The login will probably fail.",
  bankTrouble: "This bank reports a problem. The login may not work right now.",
  /** The other choices that a choice leaves could not be read. */
  narrowingFailed: "The options could not be matched to your choice. All of them are listed.",
  optional: "optional",
  choose: "Choose…",
  show: "Show",
  hide: "Hide",
  oneMoreStep: "One more step",
  confirm: "Continue",
  /** Where the login is confirmed elsewhere, mostly in the bank's app. */
  confirmed: "I have confirmed",
  /** Beside a confirmation whose approval in the bank's app is awaited. */
  awaitingApproval: "Open your bank's app and approve there. This page then continues.",
  /** Opens the field of a confirmation, for a person who has a code in place of the app. */
  haveCode: "I have a code",
  zoom: "Enlarge",
  /** Opens what to do without a code: below it is `cancel`. */
  noCode: "Did not get a code?",
  noCodeHelp:
    "It can take a minute. If none arrives, go back and log in again with your password: the bank sends another code, and only the newest one works.",
  /** In the last minute. The time limit is the page's own, and not the bank's. `{time}` is minutes and seconds. */
  timeShort: "Time left on this page: {time}",
  chooseClient: "Who are you logging in for?",
  /** In a long list of clients: `{count}` match. */
  clientsFound: "Found: {count}",
  noClient: "Nothing found. Check the spelling.",
  loadingProviders: "Loading the banks…",
  loadingFields: "Checking what the bank asks for…",
  submitting: "Logging in (up to 90 s)…",
  /** After ten seconds of a wait. `{time}` is minutes and seconds. */
  stillWaiting: "Please keep this page open. Time so far: {time}",
  listingClients: "Finding who you can log in for…",
  selectingClient: "Continuing with your choice…",
  replacingSession: "Closing your open sessions…",
  loadingDestinations: "Nearly done. Finding where you can transfer to…",
  notLoggedIn: "Could not log in",
  /** What surrounds the login failed; there may be a session. */
  linkFailed: "Something went wrong",
  retry: "Try again",
  /** The service may close all sessions of the user. */
  replaceSession: "Close all my sessions and log in",
  changeProvider: "Choose another bank",
  cancel: "Cancel and go back",
  cancelLink: "Close",
  loggedIn: "You are logged in",
  loggedInAt: "{bank} is connected. You can continue now.",
  /** The same with a list of destinations: `{count}` is how many there are. */
  linkedAt: "{bank} is connected. You can continue now. Transfer destinations found: {count}",
  cancelled: "Login cancelled",
  /** After the person has closed the login. */
  closed: "You closed the login before it was complete. To connect your bank, start again.",
  again: "Start again",
};

/** The page of a hosted login. `{name}` is who asks, `{site}` the host that the page goes back to. */
export const hosted = {
  /** The title of its window. */
  title: "Connect your bank",
  asks: "{name} ({site}) asks you to connect your bank.",
  check: "Continue only if you expected this. If you did not ask for it, close this page.",
  noCookies: "Your browser does not accept cookies here. Allow them for this page, then open the link again.",
  noScript: "This page needs JavaScript. Allow it, or open the link in another browser.",
  logged_in: "{bank} is connected. You can close this page.",
  /** `{bank}`, if its name can't be read. */
  yourBank: "Your bank",
  failed: "The login could not be completed. To continue, ask for a new link: {name}.",
  cancelled: "The login was cancelled. To continue, ask for a new link: {name}.",
  expired: "This link has expired. To continue, ask for a new link: {name}.",
  used: "This link has already been used. If you need another one, ask for it: {name}.",
  elsewhere:
    "Someone has begun to log in with this link in another browser. Continue there. If that was not you, tell us at once: {name}.",
  unknown: "This link is not complete, or it is no longer valid. Copy it again in full, or ask for a new one: {name}.",
  broken: "Something went wrong. Wait a moment, then open the link again.",
  leave: "Leave this page?",
  /** `{time}` is until when. */
  comesBack: "You can come back with the same link. It works until: {time}",
  isOver: "The login is cancelled then, and this link can't be used again.",
  stay: "Stay",
  go: "Leave",
  back: "Back to {site}",
};

/** `ventanilla mcp`: the titles of its tools, and where a login is. */
export const mcp = {
  list_banks: "List the banks",
  start_bank_login: "Log in to a bank",
  read_bank_login: "See where a login is",
  list_transfer_destinations: "List where you can transfer to",
  end_bank_session: "Close a session",
  open: "{bank}: log in on the page that opens. Continue only if you asked for it. Your assistant does not see what you type there.",
  give: "Open this page and log in there. Your assistant does not see what you type.",
  created: "The page is not open yet.",
  opened: "The page is open. You have not logged in yet.",
  awaiting_interaction: "The bank asks you something. Answer on the page.",
  logged_in: "You are logged in.",
  ended: "The session is closed.",
};

/** The command line. No other program loads it. */
export const command = {
  secret_in_argument:
    "You typed a secret on the command line, where other programs and the shell's history can read it. Consider it exposed and change it.",
  invalid_input: "An option, a variable or a file is not valid.",
  file_unusable: "A file can't be used.",
  invalid_setup: "A part of the program is missing, or is not set up.",
  network_failed: "The service can't be reached. Check its address, and the network and the proxy of this machine.",
  missing_field: "An option, a variable or a form field is missing.",
  sandbox:
    "No service is set (--base-url or VENTANILLA_BASE_URL): this command uses the embedded sandbox, and its sessions end with it.",
  loggingInAt: "Connecting through",
  loggedIn: "You are logged in.",
  loggedOut: "The session is closed.",
  selectClient: "The bank asks you to choose a client. Pass its id with --client.",
  interactionRequired:
    "The bank asks for one more thing, and nothing here can answer it: use --answer-command, a credentials file with `answers` or `totp`, or --pause-to.",
  paused: "The login is paused. Continue with: ventanilla login --resume FILE",
  tryAgain: "Try again? Too many wrong attempts can lock you out.",
  missing: "Missing, with no terminal to ask in",
  howToGive:
    "Give them with --credentials-from FILE (or - for standard input); a password alone with --password-stdin and the user name in VENTANILLA_USERNAME.",
  howToGiveSecrets:
    "Type secrets when you are asked for them, or use --password-stdin, --credentials-from, --key-from, --api-key-from, --answer-command or the environment.",
  interrupted: "Interrupted. What was under way was stopped; the bank may have received it.",
  picture: "The picture is saved in",
  openPicture: "Open it in a viewer?",
  yes: "Yes",
  no: "No",
  confirmed: "Have you confirmed?",
  chooseProvider: "Which bank?",
  chooseClient: "Who are you logging in for?",
  leaveEmpty: "optional",
  asBefore: "leave empty to keep it",
  search: "Search",
  chooseKeys: "↑/↓ to select • Enter to confirm • type to search",
  needed: "Fill this in.",
  loadingProviders: "Loading the banks",
  loadingFields: "Checking what the bank asks for",
  submitting: "Waiting for the bank",
  listingClients: "Loading the clients",
  selectingClient: "Choosing the client",
  replacingSession: "Closing the open sessions",
  answering: "Waiting for the answer",
  readableByOthers: "Other users of this machine can read this file, which holds secrets (chmod 600 fixes it):",
  /** `{bank}` is the bank's code. */
  refusalsSuspended:
    "{bank}: ten different logins in a row were refused, so refusals at this bank are not remembered until it accepts one.",
  refusalsFailed: "What banks have refused before could not be looked up or kept. The login goes on without it.",
  keysDropped:
    "The session keys will not be kept: --seal-keys seals them into the results, --keys-to FILE writes them to a file of mode 600.",
  nothingToDo: "Nothing is left to send.",
  failedBefore: "Ended without a session in an earlier run",
  failedBeforeHelp:
    "They will not be sent again, so the batch is incomplete (exit code 8). The results say why each one ended.",
  resendHelp: "To send them again, if the bank may have them a second time",
  stoppedByFaults:
    "Stopped, because too many logins in a row ended with a fault. The same command sends what was not sent.",
  leftUnsent: "Left unsent",
  leftUnsentHelp: "The same command sends them.",
  draining:
    "Stopping: no more logins are begun, and those that run come to their end. The next signal, or Ctrl-C, stops them too.",
  unwritten: "Results that could not be written",
  resultsUnwritten:
    "A file could not be written, so no more logins were begun. Make room on the disk, and run the same command again.",
  stopped: "Stopped, because the next login would end the same way. The same command sends what was not sent.",
  left: "left",
  skipped: "Already done",
  listening: "Listening on",
  apiKey: "API key",
  sessionKey: "Session key",
  accounts: "The sandbox has these users for this bank:",
  user: "user name",
  password: "password",
  answer: "answer to",
  clients: "clients",
  stopWith: "Press Ctrl-C to stop.",
  none: "Nothing found.",
  askedLater: "asked for later",
  printsKeys:
    "The keys below were made for this run. To keep them, set VENTANILLA_SERVE_KEY and, for --webhook, VENTANILLA_WEBHOOK_SECRET.",
  inMemory: "Sessions are kept in memory and end with this command: --store keeps them.",
  pages: "Pages",
  serveKey: "Key of the API",
  webhookSecret: "Secret of the webhook",
  openLink: "Open this address to log in:",
};
