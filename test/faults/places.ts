import { type BankClient, createCredentials, type LoginSettings, secret } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import type { LoginEvent } from "ventanilla/machines/login";
import { driveLink, driveLogin, type Flow, type Onlooker, type Path } from "./flow.ts";

/** A wait of a statechart for a response of the bank's. */
export interface Wait {
  readonly name: string;
  readonly machine: "login" | "link";
  /** Brings a flow to the event that leads there. */
  drive(client: BankClient, then?: (flow: Flow) => void, onlooker?: Onlooker): Promise<Flow>;
  /** What the bank sees of that. */
  readonly before: readonly string[];
  /** The request that is waited for. */
  readonly line: string;
  readonly kind: "login" | "read" | "once";
  /** The state that the response leads to, and what the bank sees after it. */
  readonly target: string;
  readonly after: readonly string[];
  /** The state that the end of the session leads to. Default: `failed`. */
  readonly sessionEnd?: string;
}

/** A state in which nothing is asked of the bank. */
export interface Rest extends Pick<Wait, "name" | "machine" | "drive" | "before"> {
  readonly state: string;
}

const submit = (username: string, password: string, provider: string, fields = {}): LoginEvent => ({
  type: "credentials.submit",
  credentials: createCredentials({ provider, username, password, fields }),
});
const plain = submit("12345", "gfdsa", "test");
const interactive = submit("12345otp", "asdfg", "test");
const selecting = submit("newkey", "s3creto", "canal_pa", { company_code: "7701" });
const tooMany = submit("sessions", "s3creto", "faro_uy");
const answer: LoginEvent = { type: "interaction.answer", answer: secret("8888") };
const choose: LoginEvent = { type: "client.choose", client: "0" };

const aLogin = "POST /login/";

const toLogin = (settings: LoginSettings, path: Path<LoginEvent>) => ({
  machine: "login" as const,
  drive: (client: BankClient, then?: (flow: Flow) => void, onlooker?: Onlooker) =>
    driveLogin(client, settings, path, then, onlooker),
});
const toLink = (path: Path<LinkEvent>) => ({
  machine: "link" as const,
  drive: (client: BankClient, then?: (flow: Flow) => void, onlooker?: Onlooker) =>
    driveLink(client, path, then, onlooker),
});

const asksOnce: Path<LoginEvent> = [["idle", interactive]];
const listsClients: Path<LoginEvent> = [["idle", selecting]];
const choosesBank: Path<LinkEvent> = [["choosingProvider", { type: "provider.choose", provider: "test" }]];

export const waits: readonly Wait[] = [
  {
    name: "the first login",
    ...toLogin({}, [["idle", plain]]),
    before: [],
    line: aLogin,
    kind: "login",
    target: "loggedIn",
    after: [],
  },
  {
    name: "the second login",
    ...toLogin({}, [...asksOnce, ["awaitingInteraction", answer]]),
    before: [aLogin],
    line: "POST /login/?key",
    kind: "login",
    target: "loggedIn",
    after: [],
  },
  {
    name: "the fields before the first login",
    ...toLogin({ validate: true }, [["idle", plain]]),
    before: [],
    line: "GET /provider/test/",
    kind: "read",
    target: "loggedIn",
    after: [aLogin],
  },
  {
    name: "selectClient.listing",
    ...toLogin({ clientSelection: true }, listsClients),
    before: [aLogin],
    line: "GET /client/?key",
    kind: "read",
    target: "selectClient.choosing",
    after: [],
  },
  {
    name: "selectClient.selecting",
    ...toLogin({ clientSelection: true }, [...listsClients, ["selectClient.choosing", choose]]),
    before: [aLogin, "GET /client/?key"],
    line: "GET /client/0/?key",
    kind: "once",
    target: "loggedIn",
    after: [],
  },
  {
    name: "replacingSession",
    ...toLogin({ sessionReplacement: true }, [
      ["idle", tooMany],
      ["failed", { type: "session.replace" }],
    ]),
    before: [aLogin],
    line: "GET /logout/?key",
    kind: "once",
    target: "loggedIn",
    after: [aLogin],
  },
  {
    name: "loadingProviders",
    ...toLink([]),
    before: [],
    line: "GET /provider/",
    kind: "read",
    target: "choosingProvider",
    after: [],
  },
  {
    name: "loadingFields",
    ...toLink(choosesBank),
    before: ["GET /provider/"],
    line: "GET /provider/test/",
    kind: "read",
    target: "loggingIn.active",
    after: [],
  },
  {
    name: "loadingDestinations",
    ...toLink([...choosesBank, ["loggingIn.active", plain]]),
    before: ["GET /provider/", "GET /provider/test/", aLogin],
    line: "GET /transfer/destinations?key",
    kind: "read",
    target: "linked",
    after: [],
    sessionEnd: "loggingIn.stale",
  },
];

/** Not one of the link's own waits: the login within it fails by itself, and the link rests. */
export const loginOfALink: Wait = {
  name: "the login of a link",
  ...toLink([...choosesBank, ["loggingIn.active", plain]]),
  before: ["GET /provider/", "GET /provider/test/"],
  line: aLogin,
  kind: "login",
  target: "loadingDestinations",
  after: ["GET /transfer/destinations?key"],
};

export const rests: readonly Rest[] = [
  { name: "between the two logins", ...toLogin({}, asksOnce), state: "awaitingInteraction", before: [aLogin] },
  {
    name: "while a client is chosen",
    ...toLogin({ clientSelection: true }, listsClients),
    state: "selectClient.choosing",
    before: [aLogin, "GET /client/?key"],
  },
  { name: "while a bank is chosen", ...toLink([]), state: "choosingProvider", before: ["GET /provider/"] },
  {
    name: "while a link waits for the credentials",
    ...toLink(choosesBank),
    state: "loggingIn.active",
    before: ["GET /provider/", "GET /provider/test/"],
  },
];
