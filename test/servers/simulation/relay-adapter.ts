import { reveal } from "../../../src/core/api/reveal.ts";
import { assembleRelay } from "../../../src/servers/relay/relay.ts";
import { createRelaySettings, type RelaySender } from "../../../src/servers/relay/relay-options.ts";
import { createUuid } from "./globals.ts";
import { forgetRows, SEAL_KEY } from "./kept-rows.ts";
import type { Adapter, Instance, InstanceParts, PageAccess } from "./processes.ts";
import {
  createRequest,
  createSubmit,
  type PageRequest,
  type PageResponse,
  readPageResponse,
  readSubmit,
} from "./wire.ts";

// The relay, through `Request`. Its page, or its app, makes the name of its login.

const URL = "https://api.test/relay/";
/** Of the pages. An app has none. */
export const ORIGINS = ["https://shop.test", "https://shop.example"] as const;

export const relayAdapter: Adapter = { door: "relay", createInstance };

/** The tokens of logins: who signs out cancels by them alone. */
const tokens = new Map<string, string>();

function createInstance({ client, store, environment, hasUsers, onKey }: InstanceParts): Instance {
  const readUser = async ({ request, token }: RelaySender) =>
    (token ? reveal(token) : request.headers.get("x-user")) ?? undefined;
  const options = {
    client,
    store,
    sealKey: SEAL_KEY,
    allowedOrigins: ORIGINS,
    checkAppToken: () => true,
    readUser: hasUsers ? readUser : (false as const),
    path: "/relay",
    logout: true,
    clientSelection: true,
    rateLimit: false as const,
    readCaller: () => "caller",
    onLogin: ({ id, key }: { readonly id: string; readonly key: Parameters<typeof reveal>[0] }) =>
      onKey(id, reveal(key)),
    onError: () => {},
  };
  const relay = assembleRelay(createRelaySettings(options, environment));

  const send = async (page: PageAccess, request: PageRequest): Promise<PageResponse> => {
    const { origin, user, token } = page;
    const own = {
      "x-ventanilla-token": token,
      ...(origin ? { origin, ...(user && { "x-user": user }) } : { authorization: `Bearer ${user || "app"}` }),
    };
    return readPageResponse(await relay(createRequest(URL, page, request, own)));
  };
  const ask = async (page: PageAccess) => readSubmit(await send(page, { path: "submit/" }));
  const readStep = async (page: PageAccess, path: string, step: string) =>
    (await send(page, { path, headers: { "x-session-key": step } })).json["status"];
  const cancel = async (page: PageAccess) => {
    const { json } = await send(page, { method: "POST", path: "cancel/" });
    return { isEnded: json["status"] === "cancelled", saysSent: json["may_have_arrived"] === true };
  };

  return {
    async create() {
      forgetRows();
      const session = createUuid((bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>));
      const token = environment.createToken();
      tokens.clear();
      tokens.set(session, token);
      return { session, token };
    },
    // An answer that did not arrive leaves the step before it.
    async open(page) {
      for (const number of [page.stored, page.stored - 1].filter((one) => one > 0)) {
        const told = await ask({ ...page, number });
        if (told.kind !== "neverSent") return told;
      }
      return { kind: "form" };
    },
    submit: async (page, submit) => readSubmit(await send({ ...page, number: submit.number }, createSubmit(submit))),
    readResult: ask,
    isApproved: async (page, step) => (await readStep(page, "approval/", step)) === "approved",
    readDestinations: async (page, step) => (await readStep(page, "transfer/destinations", step)) === "success",
    leave: cancel,
    // Without a user: the user has signed out.
    cancel: (session) =>
      cancel({
        session,
        token: tokens.get(session) ?? "",
        browser: "",
        user: "",
        origin: ORIGINS[0],
        number: 1,
        stored: 0,
      }),
    async erase(user) {
      return { saysSent: (await relay.erase(user)).mayHaveArrived > 0 };
    },
    takeKey: async () => undefined,
    read: async () => "",
    sweep: async () => {},
  };
}
