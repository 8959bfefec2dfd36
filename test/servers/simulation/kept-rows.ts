import { createDecipheriv, createHmac } from "node:crypto";
import type { KeptRow, Tombstone } from "../../../src/servers/kept/kept-row.ts";
import type { NewHappening } from "./history.ts";
import type { PageSubmit, StoreChange } from "./processes.ts";

// What the rows of kept logins mean. Both doors keep the same ones.

export const SEAL_KEY = "c2ltdWxhdGlvbi1zaW11bGF0aW9uLXNpbXVsYXRpb24=";

/** What a sealed text looks like. */
const SEALED = /\.\.[\w-]{16}\./;

type Row = KeptRow<unknown>;

/** The names of the submits that pages have sent, by the digests that the record keeps of them. */
const names = new Map<string, string>();
/** The rows as they were before. */
const rows = new Map<string, Row>();

/** A run has no rows of the one before. */
export function forgetRows(): void {
  rows.clear();
}

/** Notes a submit by what is sent of it. */
export function noteSubmit({ id, question, client = "" }: PageSubmit, body: string): void {
  const kind = client ? "client" : question === undefined ? "credentials" : "answer";
  const signed = `ventanilla-submit-1 ${JSON.stringify([kind, question ?? null, client, body])}`;
  names.set(createHmac("sha256", Buffer.from(SEAL_KEY, "base64")).update(signed).digest("hex"), id);
}

/** What only the holder of the seal key can read. */
function unseal(token: string): Row | Tombstone {
  const [header = "", , iv = "", text = "", tag = ""] = token.split(".");
  const decode = (part: string) => Buffer.from(part, "base64url");
  const cipher = createDecipheriv("aes-256-gcm", Buffer.from(SEAL_KEY, "base64"), decode(iv));
  cipher.setAAD(Buffer.from(header)).setAuthTag(decode(tag));
  return JSON.parse(Buffer.concat([cipher.update(decode(text)), cipher.final()]).toString()).r;
}

/** What a change of the store means. */
export function readChange({ verb, id, text }: StoreChange): readonly NewHappening[] {
  if (verb === "delete") return [{ type: "removed", row: id }];
  if (text === undefined) return [];
  const [, session = ""] = /^(?:login|life|usable):([\da-f-]{32,36})$/.exec(id) ?? [];
  const row = id.startsWith("login:") ? unseal(text) : undefined;
  const isErased = row !== undefined && "isErased" in row;
  const isSealed = SEALED.test(text) && !isErased;
  const stored: NewHappening = { type: "stored", row: id, session: session || undefined, text, isSealed };
  return row ? [stored, ...readMeaning(session, row)] : [stored];
}

function readMeaning(session: string, row: Row | Tombstone): readonly NewHappening[] {
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

export const isHeartbeat = (id: string): boolean => id.startsWith("life:");
export const isCritical = (id: string): boolean => /^(login|life):/.test(id);
