import { parseValid } from "../../core/api/input-checks.ts";

/**
 * The version of the durable login: of its statechart, its record and its messages. A login ends under the version under which it
 * began, so its data must never be read with another one. Part of the object's name and of every
 * login's id; increased whenever `machines/login.ts` or a type of this folder changes what is stored.
 */
export const DURABLE_LOGIN_VERSION = "1";

/** The name of the virtual object that serves one version: `ventanilla-login-1`. */
export function durableLoginName(version: string = DURABLE_LOGIN_VERSION): `ventanilla-login-${string}` {
  return `ventanilla-login-${version}`;
}

const LOGIN_ID = /^(\w{1,16})\.([\w-]{1,64})$/;

/** Checks a version: a login's id begins with it. */
export const parseVersion = parseValid(
  (version: string) => createLoginId(version),
  "must be 1 to 16 letters, digits or underscores",
);

/** A new id of 122 random bits, or one with the caller's name. */
export function createLoginId(version: string, name: string = crypto.randomUUID()): string | undefined {
  const id = `${version}.${name}`;
  return LOGIN_ID.test(id) ? id : undefined;
}

/** The version that a login began under, which its id begins with. */
export function readVersion(id: string): string | undefined {
  return LOGIN_ID.exec(id)?.[1];
}
