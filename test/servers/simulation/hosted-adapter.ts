import { createDecipheriv, createHmac } from "node:crypto";
import { reveal } from "../../../src/core/api/reveal.ts";
import { assembleHostedLogin } from "../../../src/servers/hosted/hosted-login.ts";
import { createHostedSettings } from "../../../src/servers/hosted/hosted-options.ts";
import { type PageLogin, toKeyName } from "../../../src/servers/hosted/page-login.ts";
import type { SessionRow } from "../../../src/servers/hosted/session-row.ts";
import type { Tombstone } from "../../../src/servers/kept/kept-row.ts";
import { CONFIRMATION_FIELD } from "./bank.ts";
import type { NewHappening, Told } from "./history.ts";
import type { Adapter, Instance, InstanceParts, PageAccess, StoreChange } from "./processes.ts";

// Hosted login, through `Request`: everything is the real code but the bank, the store and the network.

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
  isHeartbeat: (id) => id.startsWith("life:"),
  isCritical: (id) => /^(login|life):/.test(id),
};

/** The names of the submits that pages have sent, by the digests that the record keeps of them. */
const names = new Map<string, string>();
/** The rows as they were before. */
const rows = new Map<string, SessionRow>();

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

  const send = async (
    { session, cookie, number }: PageAccess,
    method: "GET" | "POST",
    path: string,
    { headers = {}, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
  ): Promise<PageResponse> => {
    const response = await hosted.handle(
      new Request(`${URL}${path}`, {
        method,
        headers: {
          origin: ORIGIN,
          cookie: `__Host-ventanilla=${cookie}`,
          "x-ventanilla": "1",
          "x-ventanilla-login": session,
          "x-ventanilla-submit": String(number),
          ...headers,
        },
        ...(body !== undefined && { body }),
      }),
    );
    // A page of its own says that something is broken.
    const isJson = response.headers.get("content-type")?.includes("json");
    const json = isJson ? await response.json() : {};
    const last = response.headers.get("x-ventanilla-submit") ?? json["lastSubmit"];
    return { status: response.status, json, lastSubmit: last == null ? undefined : Number(last) };
  };

  return {
    async create(user) {
      const { id } = await hosted.create({ user, expiresIn: 900_000 });
      return { session: id };
    },
    open: async (page) => readState(await send(page, "GET", "state/")),
    async submit(page, { id, number, form, question, client = "" }) {
      const body = client ? "" : new URLSearchParams(form).toString();
      const kind = client ? "client" : question === undefined ? "credentials" : "answer";
      const signed = `ventanilla-submit-1 ${JSON.stringify([kind, question ?? null, client, body])}`;
      names.set(createHmac("sha256", Buffer.from(SEAL_KEY, "base64")).update(signed).digest("hex"), id);
      const headers = {
        "x-attempt-id": id,
        "content-type": "application/x-www-form-urlencoded",
        ...(question !== undefined && { "x-session-key": question }),
      };
      const sender = { ...page, number };
      if (client) return readSubmit(await send(sender, "GET", `bank/client/${client}/`, { headers }));
      return readSubmit(await send(sender, "POST", "bank/login/", { headers, body }));
    },
    readResult: async (page) => readSubmit(await send(page, "GET", "bank/attempt/last/")),
    async isApproved(page, question) {
      const { json } = await send(page, "GET", "bank/approval/", { headers: { "x-session-key": question } });
      return json["status"] === "approved";
    },
    leave: async (page) => (await send(page, "POST", "cancel/")).status === 200,
    async cancel(session) {
      const { status, login } = await hosted.cancel(session);
      return { isCancelled: status === "cancelled", saysSent: login !== undefined };
    },
    async erase(user) {
      return { saysSent: (await hosted.erase(user)).mayHaveArrived > 0 };
    },
    async takeKey(session, taker) {
      return reveal(await hosted.takeKey(session, { idempotencyKey: taker }));
    },
    read: async (session) => (await hosted.read(session)).status,
    sweep: () => hosted.sweep(),
  };
}

const readNumber = (name: string): number => Number(name.split("-")[1]);

interface PageResponse {
  readonly status: number;
  readonly json: Json;
  readonly lastSubmit: number | undefined;
}

function readState({ status, json, lastSubmit }: PageResponse): Told {
  if (status === 410 || status === 401) return { kind: "over" };
  if (status !== 200) return { kind: "failed" };
  const { attempt, question } = (json["login"] ?? {}) as Partial<PageLogin>;
  if (attempt) return { kind: "underWay", isAnswer: question !== undefined, lastSubmit };
  if (!question) return { kind: "form", lastSubmit };
  const { key, interaction } = question;
  return {
    kind: "question",
    name: key,
    number: readNumber(key),
    text: interaction.context,
    isConfirmation: interaction.field === CONFIRMATION_FIELD,
    timeLeft: Number(interaction.expiresAt),
    isAnsweredAutomatically: interaction.awaitsApproval === true && interaction.approvalSent !== true,
    lastSubmit,
  };
}

function readSubmit({ json, lastSubmit }: PageResponse): Told {
  return { ...readResponse(json), lastSubmit };
}

function readResponse(json: Json): Told {
  const { status, error, key, context, field, message } = json;
  switch (status) {
    // To the choice of a client.
    case "success":
    case "logged_in":
      return { kind: "loggedIn" };
    case "select_client":
      return { kind: "clients", name: String(key), number: readNumber(String(key)) };
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
  // The choice of a client that the bank does not know: before it was sent, or after.
  if (status === "error" && message === "wrong_client") return { kind: key === undefined ? "failed" : "refused" };
  if (error === "outcome_unknown") return { kind: "unknown" };
  if (error === "service_unavailable") return { kind: "later" };
  if (error === "not_signed_in") return { kind: "over" };
  if (error === "http_failed" || error === "attempt_id_reused" || message === "Invalid key") return { kind: "failed" };
  throw new Error(`The page can't read ${JSON.stringify(json)}.`);
}

/** What only the holder of the seal key can read. */
function unseal(token: string): SessionRow | Tombstone {
  const [header = "", , iv = "", text = "", tag = ""] = token.split(".");
  const decode = (part: string) => Buffer.from(part, "base64url");
  const cipher = createDecipheriv("aes-256-gcm", Buffer.from(SEAL_KEY, "base64"), decode(iv));
  cipher.setAAD(Buffer.from(header)).setAuthTag(decode(tag));
  return JSON.parse(Buffer.concat([cipher.update(decode(text)), cipher.final()]).toString()).r;
}

function readChange({ verb, id, text }: StoreChange): readonly NewHappening[] {
  if (verb === "delete") return [{ type: "removed", row: id }];
  if (text === undefined) return [];
  const [, session = ""] = /^(?:login|life|usable):([\da-f]{32})$/.exec(id) ?? [];
  const row = id.startsWith("login:") ? unseal(text) : undefined;
  const isErased = row !== undefined && "isErased" in row;
  const isSealed = SEALED.test(text) && !isErased;
  const stored: NewHappening = { type: "stored", row: id, session: session || undefined, text, isSealed };
  return row ? [stored, ...readMeaning(session, row)] : [stored];
}

function readMeaning(session: string, row: SessionRow | Tombstone): readonly NewHappening[] {
  const before = rows.get(session);
  if ("isErased" in row) {
    rows.delete(session);
    return [{ type: "ended", session, status: "cancelled", isErasure: true }];
  }
  rows.set(session, row);
  const { last, end, step } = row;
  const wasLast = before?.last;
  const happened: NewHappening[] = [];
  if (wasLast && !wasLast.result && last?.mark !== wasLast.mark)
    happened.push({ type: "result", session, number: wasLast.number, kind: "unsent" });
  if (last && last.mark !== wasLast?.mark && row.sent > (before?.sent ?? 0))
    happened.push({ type: "claimed", session, number: last.number, submit: names.get(last.digest) ?? "" });
  if (end && !before?.end) happened.push({ type: "ended", session, status: end.status, isErasure: false });
  else if (last?.result && last.result.kind !== wasLast?.result?.kind && row.sent >= (before?.sent ?? 0)) {
    const kinds = { asked: "question", responded: "refused", unknown: "unknown" } as const;
    happened.push({ type: "result", session, number: step?.number ?? last.number, kind: kinds[last.result.kind] });
  }
  return happened;
}
