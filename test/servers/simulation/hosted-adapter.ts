import { reveal } from "../../../src/core/api/reveal.ts";
import { assembleHostedLogin } from "../../../src/servers/hosted/hosted-login.ts";
import { createHostedSettings } from "../../../src/servers/hosted/hosted-options.ts";
import { type PageLogin, toKeyName } from "../../../src/servers/hosted/page-login.ts";
import { CONFIRMATION_FIELD } from "./bank.ts";
import type { EndStatus, NewHappening, Told } from "./history.ts";
import type { Adapter, Instance, InstanceParts, PageAccess, StoreChange } from "./processes.ts";

// Today's hosted login, through `Request`: everything is the real code but the bank, the store and the network.

const ORIGIN = "https://login.test";
const URL = `${ORIGIN}/bank/`;
const SEAL_KEY = "c2ltdWxhdGlvbi1zaW11bGF0aW9uLXNpbXVsYXRpb24=";

/** What a sealed text looks like. */
const SEALED = /\.\.[\w-]{16}\./;

type Json = Readonly<Record<string, unknown>>;

export const hostedAdapter: Adapter = {
  createInstance,
  readChange,
  toQuestionName: toKeyName,
  isHeartbeat: (id) => id.includes(":life:"),
  isCritical: (id) => /:(submit|life|end|result|response|key|told|taker|turn)\b/.test(id),
};

function createInstance({ client, store, environment, onEnd }: InstanceParts): Instance {
  const options = {
    client,
    store,
    sealKey: SEAL_KEY,
    url: URL,
    name: "Shop",
    logout: true,
    rateLimit: false as const,
    readCaller: () => "caller",
    onEnd: ({ id }: { readonly id: string }) => onEnd(id),
    onError: () => {},
  };
  const hosted = assembleHostedLogin(createHostedSettings(options, environment));

  const send = async (
    { session, cookie, hasAsked }: PageAccess,
    method: "GET" | "POST",
    path: string,
    { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
  ): Promise<{ readonly status: number; readonly json: Json }> => {
    const response = await hosted.handle(
      new Request(`${URL}${path}`, {
        method,
        headers: {
          origin: ORIGIN,
          cookie: `__Host-ventanilla=${cookie}`,
          "x-ventanilla": "1",
          "x-ventanilla-login": session,
          ...(hasAsked && { "x-ventanilla-asked": "1" }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      }),
    );
    // A page of its own says that something is broken.
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, json: isJson ? await response.json() : {} };
  };

  return {
    async create(user) {
      const { id } = await hosted.create({ user, expiresIn: 900_000 });
      return { session: id };
    },
    open: async (page) => readState(await send(page, "GET", "state/")),
    async submit(page, { id, form, question }) {
      const headers = {
        "x-attempt-id": id,
        "content-type": "application/x-www-form-urlencoded",
        ...(question !== undefined && { "x-session-key": question }),
      };
      return readSubmit(
        await send(page, "POST", "bank/login/", { headers, body: new URLSearchParams(form).toString() }),
      );
    },
    readResult: async (page, submit) => readSubmit(await send(page, "GET", `bank/attempt/${submit}/`)),
    async isApproved(page, question) {
      const { json } = await send(page, "GET", "bank/approval/", { headers: { "x-session-key": question } });
      return json["status"] === "approved";
    },
    leave: async (page) => (await send(page, "POST", "cancel/")).status === 200,
    async cancel(session) {
      const { status, login } = await hosted.cancel(session);
      return { isCancelled: status === "cancelled", saysSent: login !== undefined };
    },
    erase: async (user) => void (await hosted.erase(user)),
    async takeKey(session, taker) {
      return reveal(await hosted.takeKey(session, { idempotencyKey: taker }));
    },
    read: async (session) => (await hosted.read(session)).status,
    sweep: () => hosted.sweep(),
  };
}

const readNumber = (name: string): number => Number(name.split("-")[1]);

function readState({ status, json }: { readonly status: number; readonly json: Json }): Told {
  if (status === 410 || status === 401) return { kind: "over" };
  if (status !== 200) return { kind: "failed" };
  const { attempt, question } = (json["login"] ?? {}) as Partial<PageLogin>;
  if (attempt) return { kind: "underWay", submit: attempt.id, isAnswer: question !== undefined };
  if (!question) return { kind: "form" };
  const { key, interaction } = question;
  return {
    kind: "question",
    name: key,
    number: readNumber(key),
    text: interaction.context,
    isConfirmation: interaction.field === CONFIRMATION_FIELD,
    timeLeft: Number(interaction.expiresAt),
    isAnsweredAutomatically: interaction.awaitsApproval === true && interaction.approvalSent !== true,
  };
}

function readSubmit({ json }: { readonly json: Json }): Told {
  const { status, error, key, context, field, message } = json;
  switch (status) {
    case "logged_in":
      return { kind: "loggedIn" };
    case "wrong_credentials":
      return { kind: "refused" };
    case "unknown_attempt":
      return { kind: "neverSent" };
    case "interaction_required":
      return {
        kind: "question",
        name: String(key),
        number: readNumber(String(key)),
        text: String(context),
        isConfirmation: String(field) === CONFIRMATION_FIELD,
        timeLeft: undefined,
        isAnsweredAutomatically: json["awaits_approval"] === true,
      };
  }
  if (error === "outcome_unknown") return { kind: "unknown" };
  if (error === "service_unavailable") return { kind: "later" };
  if (error === "not_signed_in") return { kind: "over" };
  if (error === "http_failed" || error === "attempt_id_reused" || message === "Invalid key") return { kind: "failed" };
  throw new Error(`The page can't read ${JSON.stringify(json)}.`);
}

function readChange({ verb, id, text }: StoreChange): readonly NewHappening[] {
  const [, session = "", row = "", place = ""] = /^hosted:([\da-f]{32})(?::(\w+))?(?::(\d+))?/.exec(id) ?? [];
  const number = Number(place);
  if (verb === "delete") return [{ type: "removed", row: id }];
  if (text === undefined) return [];
  const stored: NewHappening = {
    type: "stored",
    row: id,
    session: session || undefined,
    text,
    isSealed: SEALED.test(text),
  };
  return [stored, ...readMeaning(session, row, number, text)];
}

function readMeaning(session: string, row: string, number: number, text: string): readonly NewHappening[] {
  if (row === "submit") return [{ type: "claimed", session, number, submit: JSON.parse(text).attempt }];
  if (row === "result") return [{ type: "result", session, number, kind: JSON.parse(text).kind }];
  if (row !== "end") return [];
  const { status, at } = JSON.parse(text) as { readonly status: EndStatus; readonly at: number };
  return [{ type: "ended", session, status, isErasure: at === 0 }];
}
