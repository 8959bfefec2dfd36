import { reveal } from "../../../src/core/api/reveal.ts";
import { assembleHostedLogin } from "../../../src/servers/hosted/hosted-login.ts";
import { createHostedSettings } from "../../../src/servers/hosted/hosted-options.ts";
import type { PageLogin } from "../../../src/servers/hosted/session-row.ts";
import type { Told } from "./history.ts";
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

// Hosted login, through `Request`: everything is the real code but the bank, the store and the network.

const ORIGIN = "https://login.test";
const URL = `${ORIGIN}/bank/`;

export const hostedAdapter: Adapter = { door: "hosted", createInstance };

function createInstance({ client, store, environment, onEnd }: InstanceParts): Instance {
  const options = {
    client,
    store,
    sealKey: SEAL_KEY,
    url: URL,
    name: "Shop",
    logout: true,
    clientSelection: true,
    rateLimit: false as const,
    readCaller: () => "caller",
    onEnd: ({ id }: { readonly id: string }) => onEnd(id),
    onError: () => {},
  };
  const hosted = assembleHostedLogin(createHostedSettings(options, environment));

  const send = async (page: PageAccess, request: PageRequest): Promise<PageResponse> => {
    const own = { origin: ORIGIN, cookie: `__Host-ventanilla=${page.browser}` };
    return readPageResponse(await hosted.handle(createRequest(URL, page, request, own)));
  };
  const sendToDoor = (page: PageAccess, { path, ...request }: PageRequest) =>
    send(page, { ...request, path: `bank/${path}` });
  const readStep = async (page: PageAccess, path: string, step: string) =>
    (await sendToDoor(page, { path, headers: { "x-session-key": step } })).json["status"];

  return {
    async create(user) {
      forgetRows();
      const { id } = await hosted.create({ user, expiresIn: 900_000 });
      return { session: id };
    },
    open: async (page) => readState(await send(page, { path: "state/" })),
    submit: async (page, submit) =>
      toHosted(await sendToDoor({ ...page, number: submit.number }, createSubmit(submit))),
    readResult: async (page) => toHosted(await sendToDoor(page, { path: "submit/" })),
    isApproved: async (page, step) => (await readStep(page, "approval/", step)) === "approved",
    readDestinations: async (page, step) => (await readStep(page, "transfer/destinations", step)) === "success",
    async leave(page) {
      const { status } = await send(page, { method: "POST", path: "cancel/" });
      return { isEnded: status === 200, saysSent: undefined };
    },
    async cancel(session) {
      const { status, login } = await hosted.cancel(session);
      return { isEnded: status === "cancelled", saysSent: login !== undefined };
    },
    async erase(user) {
      return { saysSent: (await hosted.erase(user)).mayHaveArrived > 0 };
    },
    async takeKey(session, recipient) {
      return reveal(await hosted.takeKey(session, { idempotencyKey: recipient }));
    },
    read: async (session) => (await hosted.read(session)).status,
    sweep: () => hosted.sweep(),
  };
}

/** A key that is of no use leaves the session open. */
function toHosted(response: PageResponse): Told {
  const told = readSubmit(response);
  return told.kind === "gone" ? { ...told, kind: "failed" } : told;
}

function readState({ status, json, lastSubmit }: PageResponse): Told {
  if (status === 410 || status === 401) return { kind: "over" };
  if (status !== 200) return { kind: "failed" };
  const login = json["login"] as PageLogin | undefined;
  return login ? { kind: "underWay", number: login.number, lastSubmit } : { kind: "form", lastSubmit };
}
