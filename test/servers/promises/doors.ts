import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { createBankClient, createRelayClient, loginView, readState, reveal } from "ventanilla";
import { createHostedLogin, type HostedStatus, type NewHostedSession } from "ventanilla/hosted";
import { createNodeHandler } from "ventanilla/node";
import { createRelay, type Relay, type RelayOptions } from "ventanilla/relay";
import { expect, onTestFinished } from "vitest";
import { createLoginActor } from "../../../src/core/view/screen-actor.ts";
import { startHere } from "../../programs/cli/program.ts";
import { API_KEY, listen, SEAL_KEY } from "../relay/stage.ts";
import { ANSWER, BANK, type Bank, startBank } from "./bank.ts";
import {
  type Browser,
  createBrowser,
  createNetwork,
  type Exchange,
  type Person,
  type Tab,
  toStorage,
} from "./browser.ts";
import { type WatchedStore, watchFolder, watchMemory } from "./store.ts";

// All that depends on how the servers are set up. The table knows nothing of it.

/** The four ways by which a server keeps a login. */
export type DoorName = "page" | "app" | "hosted" | "serve";

/** What the back end of an app gets at the end of a login. */
export interface End {
  readonly user: string | undefined;
  readonly status: string;
  /** The session key, where it comes with the end. */
  readonly key?: string;
  /** The hosted session. */
  readonly id?: string;
}

export interface Door {
  readonly bank: Bank;
  readonly store: WatchedStore;
  /** All that browsers and apps have sent and got. */
  readonly traffic: readonly Exchange[];
  /** What the back end was told of ends, in their order. */
  readonly ends: readonly End[];
  /** What the server has written to its log, and told of faults. */
  log(): string;
  /** The secrets of the server that only it has. */
  readonly secrets: readonly string[];
}

/** A relay. */
export interface RelayDoor<Who extends Person = Person> extends Door {
  /** A person before the form, signed in to the site as this user. */
  arrive(user?: string): Promise<Who>;
  erase(user: string): Promise<unknown>;
}

export interface PageDoor extends RelayDoor<Tab> {
  openBrowser(user: string): Browser;
  readonly url: string;
}

/** Sessions with an address. */
export interface HostedDoor extends RelayDoor<Tab> {
  openBrowser(): Browser;
  create(
    session?: Omit<NewHostedSession, "user"> & { readonly user?: string },
  ): Promise<{ readonly id: string; readonly url: string }>;
  read(id: string): Promise<HostedStatus | "session_not_found">;
  /** The session key, or a code. */
  takeKey(id: string, recipient: string): Promise<string>;
  cancel(id: string): Promise<unknown>;
}

const createClient = (bank: Bank) => createBankClient({ baseUrl: bank.url, apiKey: API_KEY, retry: false });

/** The relay of a page or of an app, its store and its back end. */
async function prepareRelay(bank: Bank, options: Partial<RelayOptions> & Pick<RelayOptions, "allowedOrigins">) {
  const store = watchMemory();
  const ends: End[] = [];
  const log: unknown[] = [];
  const relay = createRelay({
    client: createClient(bank),
    sealKey: SEAL_KEY,
    store: store.store,
    // An app's relay has the memory of its process alone, and one without users keeps no response at all.
    path: "/bank",
    clientSelection: true,
    rateLimit: false,
    onLogin: ({ user, key }) => void ends.push({ user, status: "logged_in", key: reveal(key) }),
    onEvent: (event) => void log.push(event),
    onError: ({ cause: _, ...error }) => void log.push(error),
    ...options,
  });
  return { relay, erase: relay.erase, store, ends, log: () => JSON.stringify(log), secrets: [API_KEY, SEAL_KEY] };
}

const element = () => readFileSync(new URL("../../../dist/element.js", import.meta.url));

/** @param options.hasAccounts whether the page says whose login it is. */
export async function openPage({
  readUser,
  hasAccounts = true,
}: {
  readonly readUser?: false;
  readonly hasAccounts?: boolean;
} = {}): Promise<PageDoor> {
  const bank = await startBank();
  const traffic: Exchange[] = [];
  let relay: Relay | undefined;
  const html = (account = "") =>
    `<!doctype html><html><head><script type="module" src="/element.js"></script></head><body><bank-login relay="/bank/" provider="${BANK}" ${account} client-selection></bank-login></body></html>`;
  const url = await listen((request, response) => {
    if (request.url?.startsWith("/bank/") && relay) return createNodeHandler(relay)(request, response);
    const [, account] = /user=(\w+)/.exec(request.headers.cookie ?? "") ?? [];
    const given = account === undefined || !hasAccounts ? "" : `account="${account}"`;
    response.end(request.url === "/element.js" ? element() : html(given));
  });
  const prepared = await prepareRelay(bank, {
    allowedOrigins: [url],
    readUser: readUser ?? (({ request }) => /user=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1]),
  });
  relay = prepared.relay;
  const openBrowser = (user: string) =>
    createBrowser(
      createNetwork(traffic, () => {}),
      new Map([["user", user]]),
    );
  return {
    ...prepared,
    bank,
    traffic,
    url,
    openBrowser,
    arrive: async (user = "ana") => openBrowser(user).openTab(`${url}/`),
  };
}

export async function openApp(): Promise<RelayDoor> {
  const bank = await startBank();
  const traffic: Exchange[] = [];
  const prepared = await prepareRelay(bank, {
    allowedOrigins: [],
    checkAppToken: ({ token }) => reveal(token).endsWith("-token"),
    readUser: ({ token }) => token && reveal(token).replace("-token", ""),
  });
  const url = await listen(createNodeHandler(prepared.relay));
  return { ...prepared, bank, traffic, arrive: async (user = "ana") => openPhone(url, user, traffic) };
}

/** An app on a phone, with a view of its own and a place that outlives it. */
function openPhone(url: string, user: string, traffic: Exchange[]): Person {
  const network = createNetwork(traffic, () => {});
  const kept = new Map<string, string>();
  const open = () => {
    const client = createRelayClient({
      baseUrl: `${url}/bank`,
      retry: false,
      headers: { authorization: `Bearer ${user}-token` },
      fetch: (input, init) => network.send(String(input), init),
    });
    return createLoginActor(client, {
      provider: BANK,
      settings: { clientSelection: true },
      keep: toStorage(kept),
    }).start();
  };
  let actor = open();
  onTestFinished(() => void actor.stop());
  const view = () => loginView(actor.getSnapshot(), actor, { provider: BANK });
  const repeat = (presses: number, press: () => unknown) => Array.from({ length: presses }, press);
  return {
    network,
    told: () => readState(actor.getSnapshot()).state,
    failure: () => {
      const shown = view();
      return shown.state === "failed" ? shown.failure.code : undefined;
    },
    async submit(form, presses = 1) {
      const { submit } = view();
      repeat(presses, () => expect(submit?.(form)).toBeUndefined());
    },
    async answer(text = ANSWER, presses = 1) {
      const { answer } = view();
      repeat(presses, () => expect(answer?.(text)).toBeUndefined());
    },
    async choose() {
      const shown = view();
      if (shown.state === "selectClient") shown.choose(shown.clients[0] ?? "");
    },
    async cancel() {
      view().cancel?.();
    },
    async reload() {
      actor.stop();
      actor = open();
    },
    stored: () => [...kept].join("\n"),
  };
}

export async function openHosted(): Promise<HostedDoor> {
  const bank = await startBank();
  const traffic: Exchange[] = [];
  const ends: End[] = [];
  const log: unknown[] = [];
  const store = watchMemory();
  let handle: ((request: Request) => Promise<Response>) | undefined;
  const origin = await listen((request, response) => handle && createNodeHandler(handle)(request, response));
  const hosted = createHostedLogin({
    client: createClient(bank),
    sealKey: SEAL_KEY,
    store: store.store,
    url: `${origin}/login`,
    name: "Shop",
    rateLimit: false,
    clientSelection: true,
    returnTo: ["https://shop.example"],
    onEnd: ({ id, user, status }) => void ends.push({ id, user, status }),
    onEvent: (event) => void log.push(event),
    onError: ({ cause: _, ...error }) => void log.push(error),
  });
  handle = hosted.handle;
  onTestFinished(() => hosted.finish());
  const codeOf = (error: { readonly code: string }) => error.code;
  const create: HostedDoor["create"] = (session) => hosted.create({ user: "ana", provider: BANK, ...session });
  const openBrowser = () => createBrowser(createNetwork(traffic, () => {}));
  return {
    bank,
    store,
    traffic,
    ends,
    log: () => JSON.stringify(log),
    secrets: [API_KEY, SEAL_KEY],
    create,
    openBrowser,
    arrive: async (user = "ana") => openBrowser().openTab((await create({ user })).url),
    read: (id) => hosted.read(id).then(({ status }) => status, codeOf) as ReturnType<HostedDoor["read"]>,
    takeKey: (id, recipient) => hosted.takeKey(id, { idempotencyKey: recipient }).then(reveal, codeOf),
    cancel: hosted.cancel,
    erase: hosted.erase,
  };
}

const SERVE_KEY = "cnryservekey-8a41d07b93";
const WEBHOOK_SECRET = `whsec_${randomBytes(32).toString("base64")}`;

export async function openServe(): Promise<HostedDoor> {
  const bank = await startBank();
  const traffic: Exchange[] = [];
  const webhooks: { readonly data: End }[] = [];
  const bodies: string[] = [];
  const receiver = await listen(
    createServer(async (request, response) => {
      const body = await text(request);
      bodies.push(body);
      webhooks.push(JSON.parse(body));
      response.end();
    }),
  );
  const store = watchFolder();
  const program = startHere(
    ["serve", "--port", "0", "--json", "--name", "Shop", "--webhook", receiver, "--client-selection"].concat(
      "--return-to",
      "https://shop.example",
    ),
    {
      VENTANILLA_BASE_URL: bank.url,
      VENTANILLA_API_KEY: API_KEY,
      VENTANILLA_SEAL_KEY: SEAL_KEY,
      VENTANILLA_SERVE_KEY: SERVE_KEY,
      VENTANILLA_WEBHOOK_SECRET: WEBHOOK_SECRET,
      VENTANILLA_STORE: `folder:${store.folder}`,
    },
  );
  onTestFinished(async () => void (await program.stop()));
  let log = "";
  program.stderr.on("data", (part) => {
    log += part;
  });
  const { url: origin } = await program.firstLine();
  const call = async (
    method: string,
    path: string,
    { body, recipient }: { body?: object; recipient?: string } = {},
  ) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${SERVE_KEY}`,
        "content-type": "application/json",
        ...(recipient !== undefined && { "idempotency-key": recipient }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const create: HostedDoor["create"] = ({ user = "ana", returnTo, ...session } = {}) =>
    call("POST", "/sessions", { body: { user, provider: BANK, return_to: returnTo, ...session } });
  const openBrowser = () => createBrowser(createNetwork(traffic, store.look));
  return {
    bank,
    store,
    traffic,
    get ends() {
      return webhooks.map(({ data: { id, user, status } }) => ({ id, user, status }) as End);
    },
    log: () => log + bodies.join("\n"),
    secrets: [API_KEY, SEAL_KEY, SERVE_KEY, WEBHOOK_SECRET],
    create,
    openBrowser,
    arrive: async (user = "ana") => openBrowser().openTab((await create({ user })).url),
    read: async (id) => {
      const { status, error } = await call("GET", `/sessions/${id}`);
      return status ?? error;
    },
    takeKey: async (id, recipient) => {
      const { key, error } = await call("POST", `/sessions/${id}/key`, { recipient });
      return key ?? error;
    },
    cancel: (id) => call("DELETE", `/sessions/${id}`),
    erase: (user) => call("DELETE", `/sessions?user=${user}`),
  };
}
