import * as v from "valibot";
import { revealText, type StringOrSecret } from "../../core/api/input-checks.ts";
import { reveal } from "../../core/api/reveal.ts";
import type { Secret } from "../../core/api/secret.ts";
import { createTokenFormat, type SealKeys, secretClaim } from "../../core/tokens/sealed-token.ts";
import type { RelayResponse } from "../relay/relay-responses.ts";

const format = createTokenFormat("ventanilla-hosted-1", v.object({ s: secretClaim }));

/** What a sealed text of a session is. One can't be put in the place of another, nor into another session. */
type SealedText = "username" | "key" | "address" | `response ${number}`;

/** What seals a session's texts. */
interface SessionSeal {
  readonly sealKey: SealKeys;
  readonly url: string;
}

const createAudience = ({ url }: SessionSeal, id: string, name: SealedText) => `${url} ${id} ${name}`;

/** Seals a text of a session for the store. */
export function sealText(seal: SessionSeal, id: string, name: SealedText, text: StringOrSecret, expiresAt: Date) {
  const audience = createAudience(seal, id, name);
  return format.seal({ s: revealText(name, text) }, { keys: seal.sealKey, audience, expiresAt });
}

/** Opens it. @throws {BankError} why it can't be opened. */
export async function unsealText(seal: SessionSeal, id: string, name: SealedText, token: string): Promise<Secret> {
  const audience = createAudience(seal, id, name);
  return (await format.unseal(token, { keys: seal.sealKey, audience })).claims.s;
}

/** What a page gets of a submit, with the keys that stay here. */
export const sealResponse = (seal: SessionSeal, id: string, number: number, response: RelayResponse, expiresAt: Date) =>
  sealText(seal, id, `response ${number}`, JSON.stringify(response), expiresAt);

/** Opens it. @throws {BankError} why it can't be opened. */
export async function unsealResponse(
  seal: SessionSeal,
  id: string,
  number: number,
  token: string,
): Promise<RelayResponse> {
  return JSON.parse(reveal(await unsealText(seal, id, `response ${number}`, token)));
}

/** The address of an open session, for the app that asks for it again. */
export async function readAddress(seal: SessionSeal, id: string, token: string): Promise<string> {
  return reveal(await unsealText(seal, id, "address", token));
}

/** Whether a person has typed the user name that a session was made for. */
export async function isUsername(seal: SessionSeal, id: string, token: string, typed: Secret): Promise<boolean> {
  return reveal(typed).trim() === (await readUsername(seal, id, token)).trim();
}

/** The user name for the page's form: the app knows it, and the browser gets it as text. */
export async function readUsername(seal: SessionSeal, id: string, token: string): Promise<string> {
  return reveal(await unsealText(seal, id, "username", token));
}
