import * as v from "valibot";
import type { LoginEvent, LostLogin, PausedLogin } from "../../../machines/login.types.ts";
import { ATTEMPT_LIFETIME } from "../api/bank-request.ts";
import type { BankClient } from "../api/client.ts";
import { mayHaveArrived } from "../api/failures.ts";
import { isPicture } from "../api/picture.ts";
import { reveal } from "../api/reveal.ts";
import { secret } from "../api/secret.ts";
import { withoutPicture } from "../login/interaction-kind.ts";
import { type LoginSnapshot, readState } from "../login/login-state.ts";
import type { LinkSnapshot } from "./link-view.ts";

/** Where a page keeps a login: `sessionStorage`, or something like it. What it throws is ignored: the login is not kept then. */
export type LoginStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The storage of this tab; `undefined` if there is none, or the page may not use it. */
export function findPageStorage(): Storage | undefined {
  return quietly(() => globalThis.sessionStorage);
}

const PREFIX = "ventanilla ";

/**
 * Forgets each login that screens have kept in this tab, of every account: call it when a person signs out, once no screen is shown any more. The
 * bank isn't told.
 *
 * @param storage where they were kept. Default `sessionStorage`; nothing happens if there is none.
 */
export function forgetKeptLogins(storage: Storage | undefined = findPageStorage()): void {
  const names = quietly(() => Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? ""));
  for (const name of names ?? []) if (name.startsWith(PREFIX)) quietly(() => storage?.removeItem(name));
}

/** What is kept: no credentials, no answer. The key is sealed by the relay, and good for this user and one answer. */
const keptLogin = v.object({
  version: v.literal(1),
  id: v.string(),
  provider: v.string(),
  /** The submit whose response the page waits for. */
  attempt: v.optional(
    v.object({
      id: v.string(),
      expiresAt: v.number(),
      isConfirmation: v.exactOptional(v.literal(true)),
      /** The bank's app has confirmed, and not the person. */
      isApproval: v.exactOptional(v.literal(true)),
    }),
  ),
  question: v.optional(
    v.object({
      key: v.string(),
      interaction: v.object({
        field: v.string(),
        fields: v.array(v.string()),
        context: v.string(),
        number: v.number(),
        isRepeat: v.boolean(),
        answersSent: v.number(),
        confirmationsSent: v.optional(v.number()),
        expiresAt: v.optional(v.number()),
        isResumable: v.literal(true),
        awaitsApproval: v.optional(v.boolean()),
        approvalSent: v.optional(v.boolean()),
      }),
    }),
  ),
});

/** A login as a page keeps it. */
export type KeptLogin = v.InferOutput<typeof keptLogin>;

/** What is needed of the actor of a login, or of a link flow. */
interface KeptActor {
  subscribe(next: (snapshot: LoginSnapshot | LinkSnapshot) => void): unknown;
  send(event: Extract<LoginEvent, { type: "login.resume" | "login.cancel" }>): void;
}

/**
 * Keeps a login for as long as the bank asks, or until the response to a submit has come. Once its actor is started, the login goes on that a page
 * has left, if there is one.
 *
 * @param options.provider the only bank of this screen, if there is only one.
 * @param options.account whose login it is. That of another account is not found.
 */
export function keepLogin(
  actor: KeptActor,
  { baseUrl }: Pick<BankClient, "baseUrl">,
  {
    storage,
    provider,
    account,
  }: {
    readonly storage: LoginStorage | undefined;
    readonly provider: string | undefined;
    readonly account: string | undefined;
  },
): void {
  if (!storage) return;
  const name = PREFIX + (account === undefined ? baseUrl : `${baseUrl} ${account}`);
  /** What this screen has stored, or resumed: it removes no other screen's. `undefined` before the start. */
  let stored: string | undefined;
  // XState calls it first when the actor is started: never on a server, and not before a page is hydrated.
  actor.subscribe((snapshot) => {
    if (stored === undefined) {
      stored = quietly(() => storage.getItem(name)) ?? "";
      const paused = parseKeptLogin(stored, snapshot.context.settings);
      if (paused && (provider ?? paused.provider) === paused.provider) actor.send({ type: "login.resume", paused });
      else stored = "";
      return;
    }
    if (isLink(snapshot) && snapshot.context.resumed) return;
    const login = isLink(snapshot) ? snapshot.children.login?.getSnapshot() : snapshot;
    const isForgotten = login !== undefined && isWithoutUsers(login);
    if (login && isOutcomeUnknown(login) && !isForgotten) return;
    const text = login ? formatKeptLogin(login) : "";
    if (text === stored) return;
    stored = text;
    quietly(() => (text ? storage.setItem(name, text) : storage.removeItem(name)));
    if (isForgotten) actor.send({ type: "login.cancel" });
  });
}

const isLink = (snapshot: LoginSnapshot | LinkSnapshot): snapshot is LinkSnapshot => "resumed" in snapshot.context;

/** A relay without users has no attempts: the form shows, as if nothing had been kept. */
function isWithoutUsers({ context: { failure } }: LoginSnapshot): boolean {
  return failure?.request === "GET /attempt/{id}/" && failure.httpStatus === 404;
}

function isOutcomeUnknown(login: LoginSnapshot): boolean {
  const { failure } = login.context;
  return readState(login) === "failed" && failure !== undefined && mayHaveArrived(failure);
}

function formatKeptLogin(login: LoginSnapshot): string {
  const { id, provider, attemptId, key, interaction, answerKind } = login.context;
  const state = readState(login);
  const isAsked = state === "awaitingInteraction";
  const isSent = state === "submitting" && attemptId !== undefined;
  if (!isAsked && !isSent) return "";
  const isFirst = isSent && !interaction;
  // There may be no room for a picture, and without it nobody can answer.
  if (!isFirst && !(key && interaction?.isResumable && !(isAsked && isPicture(interaction.context)))) return "";
  const question = key && interaction && { key: reveal(key), interaction: withoutPicture(interaction) };
  const attempt = isSent
    ? {
        id: attemptId,
        expiresAt: Date.now() + ATTEMPT_LIFETIME,
        isConfirmation: answerKind === "confirmation" || answerKind === "approval" || undefined,
        isApproval: answerKind === "approval" || undefined,
      }
    : undefined;
  return JSON.stringify({ version: 1, id, provider, attempt, question });
}

/** What was kept; `undefined` if there is nothing, or something that this version can't read. */
function parseKeptLogin(text: string, settings: PausedLogin["settings"]): PausedLogin | LostLogin | undefined {
  const { success, output } = v.safeParse(keptLogin, text && quietly(() => JSON.parse(text)));
  if (!success) return undefined;
  const { id, provider, attempt, question } = output;
  if (attempt && attempt.expiresAt < Date.now()) return undefined;
  const login = {
    id,
    settings,
    provider,
    credentials: undefined,
    interaction: question?.interaction,
    clients: [],
    expiresAt: question?.interaction.expiresAt,
    sessionReplaced: false,
  };
  const key = question && secret(question.key);
  if (attempt) {
    const answerKind = attempt.isApproval ? "approval" : "confirmation";
    return { ...login, key, attemptId: attempt.id, ...(attempt.isConfirmation && { answerKind }) };
  }
  return key && { ...login, key };
}

/** A full or forbidden storage throws. */
function quietly<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
