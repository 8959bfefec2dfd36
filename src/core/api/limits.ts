// The limits of a response. Every surface reads responses through the client, so all limits are here.

/** Bytes of a response, by default: room for a list of 50,000 banks. */
export const RESPONSE_LIMIT = 4 * 1024 * 1024;

/** Levels of nesting in a response. Those of the contract have six. */
export const DEPTH_LIMIT = 32;

/** Characters of a text for a log: a message, a complete description. */
export const TEXT_LIMIT = 4_000;

/** Characters of the text of an interaction. */
export const CONTEXT_LIMIT = 4_000;

/** Bytes of a picture that a bank asks about. Captchas have some thousands, a photographed card of codes some tens of thousands. */
export const PICTURE_LIMIT = 128 * 1024;

/** Characters of such a picture: enough for base64 in lines. */
export const PICTURE_TEXT_LIMIT = 2 * PICTURE_LIMIT;

/** Characters of a name or a label: a list on a screen has no room for more. */
export const LABEL_LIMIT = 300;

/** Characters of a value that is sent back: a field's name, a client's id. It can't be cut, so more is against the contract. */
export const NAME_LIMIT = 200;

/** Characters of a session key, which travels in an address. The contract's are UUIDs; a key that a relay has sealed takes some hundreds. */
export const KEY_LIMIT = 4_096;

/** Fields that a bank asks for at once. A paused login holds their names. */
export const ANSWER_LIMIT = 10;

/** Clients of one user. A paused login holds them all. */
export const CLIENT_LIMIT = 2_000;

/** Reads that a client keeps. */
export const DIRECTORY_LIMIT = 1_000;

/** Elements of a list that can't be read. Each takes a microsecond to find out; after so many the rest of the list is not looked at. */
export const SKIP_LIMIT = 10_000;

/** Characters of each part of an error's message. */
export const DETAIL_LIMIT = 300;

/** Cuts a text at a limit; an ellipsis replaces the rest. */
export function cut(text: string, limit: number, isCut: boolean = text.length > limit): string {
  // Not in the middle of a surrogate pair.
  return isCut ? `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…` : text.slice(0, limit);
}
