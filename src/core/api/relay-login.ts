import { createInputError, parseHeaderValue, revealText, type StringOrSecret } from "./input-checks.ts";
import { createRandomId, createRandomToken } from "./random-id.ts";

// How the client of a relay names a login. The key that it gives out is such a name: it has all that the next request needs, so a login continues at any client
// of the same relay.

/** Names a login to a relay. */
export interface LoginName {
  /** A UUID, which logs have. */
  readonly id: string;
  /** Says that a request is of the page which began the login: a secret, made with the id, which nothing else has. Default: a new one. */
  readonly token?: StringOrSecret | undefined;
}

/** One login at a relay, for one request. */
export interface RelayLogin {
  readonly id: string;
  /** Empty in the page of a hosted login: its cookie takes its place. */
  readonly token: string;
  /** The number of the last submit that the server has reported. The next one is one more. */
  readonly last: number;
  /** The step that the request continues, as the server names it. */
  readonly step?: string | undefined;
}

/** The text of a key that the client of a relay gives out: what the next request of its login has to say. */
export const formatRelayKey = ({ id, token, last, step = "" }: RelayLogin): string => [id, token, last, step].join(".");

/** @throws {BankError} `invalid_input` for a text that is not such a key. */
export function parseRelayKey(text: string): RelayLogin {
  const [, id = "", token = "", last, step = ""] =
    /^([\w-]{1,100})\.([\w-]*)\.(\d{1,5})\.([\w-]{0,100})$/.exec(text) ?? [];
  if (last === undefined) throw createInputError("key", "must be a key of this relay's client");
  return { id, token, last: Number(last), ...(step !== "" && { step }) };
}

/** The token of a login that continues after a submit: the next one has the number that follows. */
export const formatToken = ({ token, last }: Pick<RelayLogin, "token" | "last">): string => `${token}.${last}`;

/** A login by its name. One without a name, or without a token, gets one: nothing was sent under it before. */
export function parseLoginName({ id = createRandomId(), token }: Partial<LoginName> = {}): RelayLogin {
  const [text = "", last = "0"] = (token === undefined ? createRandomToken() : revealText("login.token", token)).split(
    ".",
  );
  if (text !== "") parseHeaderValue("login.token", text);
  return { id: parseHeaderValue("login.id", id), token: text, last: Number(last) };
}
