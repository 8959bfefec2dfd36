import {
  type BankClient,
  createCredentials,
  createLinkMachine,
  createLoginMachine,
  type Failure,
  type LinkSettings,
  secret,
} from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import type { LoginEvent } from "ventanilla/machines/login";
import { type Actor, type AnyStateMachine, createActor, type InspectionEvent, waitFor } from "xstate";
import { endpoints } from "../../src/core/api/bank-request.ts";
import * as people from "./people.ts";

/** A running login or link. */
export interface Flow {
  /** The name of its state, such as `selectClient.listing`. */
  state(): string;
  failure(): Failure | undefined;
  /** What is left of the session key and the credentials. */
  left(): readonly unknown[];
  /** The first of these states that is reached. */
  until(...states: readonly string[]): Promise<string>;
  cancel(): void;
  stop(): void;
}

interface Place {
  readonly name: string;
  readonly machine: "login" | "link";
  /** Starts a flow and brings it there. @param then called right after the last event, before anything else can happen. */
  drive(client: BankClient, then?: (flow: Flow) => void, inspect?: (event: InspectionEvent) => void): Promise<Flow>;
  /** The requests that the bank gets on the way. */
  readonly before: readonly string[];
}

/** A place where a statechart waits for a response. */
export interface Wait extends Place {
  /** The request that is waited for. */
  readonly line: string;
  /** The state after the response, and the requests that follow it. */
  readonly target: string;
  readonly after: readonly string[];
  /** What breaks there stops nothing. */
  readonly isCourtesy: boolean;
}

/** A place without a request under way. */
interface Rest extends Place {
  readonly state: string;
}

/** Whether a request has no effect at the bank, so that it may be tried again. */
export const isRead = (line: string): boolean => reads.some((read) => read.test(line));

const reads = Object.entries(endpoints).flatMap(([name, kind]) =>
  kind === "read" ? [new RegExp(`^${name.replace(/\{\w+\}/, "[^/?]+")}(\\?key)?$`)] : [],
);

/** Events, each with the state in which it is sent. */
type Path = readonly (readonly [state: string, event: LinkEvent])[];

const driver = (machine: "login" | "link", settings: LinkSettings, path: Path): Pick<Place, "machine" | "drive"> => ({
  machine,
  drive: async (client, then, inspect) => {
    const logic: AnyStateMachine = machine === "login" ? createLoginMachine(client) : createLinkMachine(client);
    const input = { validate: false, ...settings };
    const actor = createActor(logic, { input, ...(inspect && { inspect }) }).start();
    const flow = toFlow(actor, () => actor.send({ type: `${machine}.cancel` }));
    for (const [state, event] of path) {
      if (flow.state() !== state) await flow.until(state);
      actor.send(event);
    }
    then?.(flow);
    return flow;
  },
});

function toFlow(actor: Actor<AnyStateMachine>, cancel: () => void): Flow {
  const state = () => {
    const { value } = actor.getSnapshot();
    return typeof value === "string" ? value : Object.entries(value).flat().join(".");
  };
  return {
    state,
    failure: () => actor.getSnapshot().context.failure,
    left: () => {
      const { key, credentials, answer } = actor.getSnapshot().context;
      return [key, credentials, answer].filter((secret) => secret !== undefined);
    },
    until: async (...states) => {
      await waitFor(actor, () => states.includes(state()));
      return state();
    },
    cancel,
    stop: () => actor.stop(),
  };
}

const submit = (username: string, password: string, provider = "test", fields = {}): LoginEvent => ({
  type: "credentials.submit",
  credentials: createCredentials({ provider, username, password, fields }),
});
const plain = submit(people.plain.username, people.plain.password);
const asked = submit(people.asked.username, people.asked.password);
const { username, password, ...ofCompany } = people.selecting;
const selecting = submit(username, password, "test", ofCompany);
const tooMany = submit("sessions", "s3creto", "faro_uy");
const answer: LoginEvent = { type: "interaction.answer", answer: { otp: secret(people.asked.otp) } };

const submitsOnce: Path = [["idle", plain]];
const asksOnce: Path = [["idle", asked]];
const answers: Path = [...asksOnce, ["awaitingInteraction", answer]];
const listsClients: Path = [["idle", selecting]];
const choosesClient: Path = [...listsClients, ["selectClient.choosing", { type: "client.choose", client: "0" }]];
const replaces: Path = [
  ["idle", tooMany],
  ["failed", { type: "session.replace" }],
];
const choosesBank: Path = [["choosingProvider", { type: "provider.choose", provider: "test" }]];
const submitsWithin: Path = [...choosesBank, ["loggingIn.active", plain]];

const first = "POST /login/";
const list = "GET /client/?key";
const [banks, fields, destinations] = ["GET /provider/", "GET /provider/test/", "GET /transfer/destinations?key"];
const clients = { clientSelection: true };

/** @param lines the requests that the bank gets; the flow waits at the last one. */
const wait = (
  name: string,
  place: ReturnType<typeof driver>,
  lines: readonly string[],
  target: string,
  { after = [], isCourtesy = false }: Partial<Pick<Wait, "after" | "isCourtesy">> = {},
): Wait => ({
  ...{ name, ...place, target, after, isCourtesy },
  before: lines.slice(0, -1),
  line: lines.at(-1) ?? "",
});

export const waits: readonly Wait[] = [
  wait("the first login", driver("login", {}, submitsOnce), [first], "loggedIn"),
  wait("the second login", driver("login", {}, answers), [first, "POST /login/?key"], "loggedIn"),
  wait("the fields before the first login", driver("login", { validate: true }, submitsOnce), [fields], "loggedIn", {
    after: [first],
    isCourtesy: true,
  }),
  wait("selectClient.listing", driver("login", clients, listsClients), [first, list], "selectClient.choosing"),
  wait(
    "selectClient.selecting",
    driver("login", clients, choosesClient),
    [first, list, "GET /client/0/?key"],
    "loggedIn",
  ),
  wait(
    "replacingSession",
    driver("login", { sessionReplacement: true }, replaces),
    [first, "GET /logout/?key"],
    "loggedIn",
    { after: [first] },
  ),
  wait("loadingProviders", driver("link", {}, []), [banks], "choosingProvider"),
  wait("loadingFields", driver("link", {}, choosesBank), [banks, fields], "loggingIn.active"),
  wait(
    "loadingDestinations",
    driver("link", { destinations: true }, submitsWithin),
    [banks, fields, first, destinations],
    "linked",
  ),
];

/** No wait of the link itself: if the login within fails, the link stays where it is. */
export const loginOfALink: Wait = wait(
  "the login of a link",
  driver("link", { destinations: true }, submitsWithin),
  [banks, fields, first],
  "loadingDestinations",
  { after: [destinations] },
);

export const rests: readonly Rest[] = [
  {
    name: "between the two logins",
    ...driver("login", {}, asksOnce),
    before: [first],
    state: "awaitingInteraction",
  },
  {
    name: "while a client is chosen",
    ...driver("login", clients, listsClients),
    before: [first, list],
    state: "selectClient.choosing",
  },
  { name: "while a bank is chosen", ...driver("link", {}, []), before: [banks], state: "choosingProvider" },
  {
    name: "while a link waits for the credentials",
    ...driver("link", {}, choosesBank),
    before: [banks, fields],
    state: "loggingIn.active",
  },
];
