import type {
  Answer,
  ClientEntry,
  Credentials,
  Interaction,
  LoginContext,
  LoginEvent,
} from "../../../machines/login.types.ts";
import { BankError } from "../api/errors.ts";
import {
  checkWellFormed,
  createInputError,
  isAnswerName,
  type OptionParsers,
  parseObject,
  parseOptions,
  required,
  revealText,
  type StringOrSecret,
} from "../api/input-checks.ts";
import { createRandomId, createRandomToken } from "../api/random-id.ts";
import { isSecret, reveal } from "../api/reveal.ts";
import { MASK, type Secret, secret } from "../api/secret.ts";
import { isCodeName } from "./form-fields.ts";
import { type InteractionKind, isTyped } from "./interaction-kind.ts";

/** The values of a login form. */
export interface CredentialTexts {
  /** The bank's code, as the provider list gives it. */
  readonly provider: string;
  /** The document or user name of the bank's own website or app (contract, section 4.1). */
  readonly username: StringOrSecret;
  /** The password of the bank's own website or app. */
  readonly password: StringOrSecret;
  /** Further non-interactive fields of the provider, by name. Default none. */
  readonly fields?: Readonly<Record<string, StringOrSecret>>;
}

/** Wraps a text that can be sent, and returns a secret as it is. */
function toSecret(field: string, text: StringOrSecret): Secret {
  const value = revealText(field, text);
  return typeof text === "string" ? secret(value) : text;
}

/** A value of a form of one line each. A line end is left from a file, such as a CSV of Windows, and would be a wrong try at the bank. */
function toCredential(field: string, text: StringOrSecret): Secret {
  if (/[\r\n]/.test(revealText(field, text))) throw createInputError(field, "has a line end");
  return toSecret(field, text);
}

function parseFields(field: string, fields: CredentialTexts["fields"]): Readonly<Record<string, Secret>> {
  const secrets = Object.entries(parseObject(field, fields)).map(([name, text]) => {
    if (["provider", "username", "password"].includes(name)) {
      throw createInputError(`fields.${name}`, "has a place of its own");
    }
    checkWellFormed("fields", name);
    return [name, toCredential(name, text)];
  });
  return Object.fromEntries(secrets);
}

const credentialParsers = {
  provider: required(revealText),
  username: required(toCredential),
  password: required(toCredential),
  fields: parseFields,
} satisfies OptionParsers<CredentialTexts>;

/**
 * Wraps the values of a login form in secrets, and gives their login its id and its token.
 *
 * @throws {BankError} `missing_field`, or `invalid_input`, naming the field that is empty or no text, or that belongs in `fields`.
 * @example
 * actor.send({ type: "credentials.submit", credentials: createCredentials({ provider, username, password }) });
 */
export function createCredentials(texts: CredentialTexts): Credentials {
  const parsed = parseOptions(texts, credentialParsers, ": the bank's own fields belong in `fields`");
  const { provider, username, password, fields } = parsed;
  return {
    id: createRandomId(),
    token: secret(createRandomToken()),
    provider,
    fields: { ...fields, username, password },
  };
}

/** What a person answers: the text of the field that is asked, or a text for each field by its name (contract, section 4.1). */
export type AnswerTexts = StringOrSecret | Readonly<Record<string, StringOrSecret>>;

/** What an answer is for. Without its kind, nothing in the answer is known to be a code. */
type InteractionFields = Pick<Interaction, "field"> & Partial<Pick<Interaction, "fields"> & InteractionKind>;

/**
 * An answer by field, each text a secret. A single text is that of the field that is asked. A one-time code is sent as `cleanCode` leaves it.
 *
 * @throws {BankError} `missing_field`, naming an asked field without an answer.
 * @throws {BankError} `invalid_input`, naming a field that is empty, or no answer's.
 */
export function toAnswer(asked: InteractionFields, answer: AnswerTexts): Answer {
  const { field, fields = [field] } = asked;
  const texts = Object.entries(hasNames(answer) ? answer : { [field]: answer });
  const missing = fields.find((asked) => !texts.some(([name]) => name === asked));
  if (missing !== undefined) throw new BankError("missing_field", { field: missing });
  const foreign = texts.find(([name]) => !isAnswerName(name));
  if (foreign) throw createInputError(foreign[0], "is not a field of an answer");
  return Object.fromEntries(
    texts.map(([name, text]) => {
      checkWellFormed("answer", name);
      const answered = toSecret(name, text);
      return [name, isCode(asked, name) ? secret(cleanCode(reveal(answered))) : answered];
    }),
  );
}

/** The event that answers an interaction: a confirmation, if the answer is the interaction's own. */
export function toAnswerEvent(
  asked: InteractionFields & InteractionKind,
  texts: AnswerTexts,
): Extract<LoginEvent, { type: "interaction.answer" }> {
  const answer = toAnswer(asked, texts);
  const isConfirmation =
    asked.kind === "confirmation" && Object.values(answer).every((text) => isOneOf(text, [asked.answer]));
  const isListed = !isTyped[asked.kind] && asked.kind !== "confirmation";
  return {
    type: "interaction.answer",
    answer,
    ...(isConfirmation && { isConfirmation }),
    ...(isListed && { isListed }),
  };
}

/**
 * The event that answers an interaction, for a program, which sees no screen.
 *
 * @throws {BankError} what `findAnswerFault` finds.
 */
export function toCheckedAnswer(
  asked: InteractionFields & InteractionKind,
  texts: AnswerTexts,
  context: Pick<LoginContext, "answersInVain">,
): ReturnType<typeof toAnswerEvent> {
  const event = toAnswerEvent(asked, texts);
  const fault = findAnswerFault(asked, event.answer, context);
  if (fault) throw fault;
  return event;
}

/**
 * Why an answer must not be sent, because the bank would count one more wrong try.
 *
 * @returns `answer_repeated`, or `invalid_input` for a message in place of a code of digits, naming the field.
 */
export function findAnswerFault(
  asked: InteractionFields & InteractionKind,
  answer: Answer,
  context: Pick<LoginContext, "answersInVain">,
): BankError | undefined {
  if (isInVain(asked, answer, context)) return new BankError("answer_repeated", { field: asked.field });
  const wordy = Object.entries(answer).find(([name, text]) => takesDigits(asked, name) && isMessage(reveal(text)));
  return wordy && createInputError(wordy[0], "has other words than the code: give the code alone");
}

/**
 * Whether a code or words that a person types is what the bank has just not accepted: it asks for the same field with the same text again. Sent once more,
 * it is one more wrong try. A confirmation, a choice or a picture may have the same answer.
 */
function isInVain(
  { kind }: Pick<InteractionKind, "kind">,
  answer: Answer,
  { answersInVain = [] }: Pick<LoginContext, "answersInVain">,
): boolean {
  if (!isTyped[kind]) return false;
  // A stored secret has lost its text.
  const isSame = (text: Secret, sent: Secret | undefined) => isSecret(sent) && reveal(sent) === reveal(text);
  return answersInVain.some((sent) => Object.entries(answer).every(([name, text]) => isSame(text, sent[name])));
}

/** Whether a field takes a code of digits. A token can have letters. */
const takesDigits = (asked: InteractionFields, name: string): boolean =>
  isCode(asked, name) && !name.startsWith("token");

/** The numbers in a text that can be a code. */
const listCodes = (text: string): readonly string[] => text.normalize("NFKC").match(/\b\d{4,8}\b/g) ?? [];

/** Whether a text has words, as the message has that a code comes in. "ABC123456" is a code. */
const isMessage = (text: string): boolean =>
  /\p{L}{3}/u.test(text) && (/\s/.test(text.trim()) || listCodes(text).length > 0);

/** What a field takes from a text that a person pastes: of a message the only number that can be a code. A text of another kind stays as it is. */
export function readPastedCode(asked: InteractionFields, name: string, text: string): string {
  if (!takesDigits(asked, name)) return text;
  const [code, ...others] = isMessage(text) ? listCodes(text) : [];
  return code === undefined || others.length > 0 ? cleanCode(text) : code;
}

function isCode({ field, kind }: InteractionFields, name: string): boolean {
  if (kind === undefined) return false;
  // If the bank's text asks to confirm in the app, there can be a field for a person who has a code.
  return name === field && kind !== "confirmation" ? kind === "code" : isCodeName(name);
}

/**
 * A one-time code of digits as the bank takes it: people copy it with blanks, hyphens, invisible characters, full-width digits, or a letter
 * and a hyphen before it ("G-123456"). A code with other letters is returned as it is.
 */
export function cleanCode(code: string): string {
  const digits = code
    .normalize("NFKC")
    .replaceAll(/[\s\p{Cf}]/gu, "")
    .replace(/^\p{L}\p{Pd}/u, "")
    .replaceAll(/\p{Pd}/gu, "");
  return /^\d+$/.test(digits) ? digits : code;
}

/**
 * The id of a client to choose.
 *
 * @throws {BankError} `invalid_input`, naming `client`.
 */
export function toClientId(client: ClientEntry | string): string {
  const id = typeof client === "string" ? client : client?.id;
  if (typeof id !== "string" || id === "") throw createInputError("client", "must be a client or its id");
  checkWellFormed("client", id);
  return id;
}

// A secret that has lost its value through a clone is an object without members.
function hasNames(answer: AnswerTexts): answer is Readonly<Record<string, StringOrSecret>> {
  return typeof answer === "object" && answer !== null && !isSecret(answer) && Object.keys(answer).length > 0;
}

/**
 * One name for one account at a bank, in whatever way it was typed: many banks ignore case, blanks, dots and dashes. The rate limit and the memory of
 * refusals both go by it.
 */
export function toAccountName(username: string): string {
  const typed = username.normalize("NFKC").toLowerCase();
  return typed.replace(/[^\p{L}\p{N}]/gu, "") || typed;
}

/** Whether it is a secret of an empty text, as an empty input gives it. */
export const isEmptySecret = (value: unknown): boolean => isSecret(value) && reveal(value) === "";

/** Whether the text of a secret is one of these. */
export const isOneOf = (value: Secret, texts: readonly string[]): boolean => texts.includes(reveal(value));

/** A value to prefill a form with, as a secret. `undefined` if it is empty, or has lost its value through JSON or a clone. */
export function toPrefill(text: StringOrSecret | undefined): Secret | undefined {
  if (typeof text === "string") return text === "" || text === MASK ? undefined : secret(text);
  return isSecret(text) && !isEmptySecret(text) ? text : undefined;
}
