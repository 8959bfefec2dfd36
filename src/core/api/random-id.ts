import { toHexadecimal } from "./digest.ts";

const createRandomBytes = (count: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(count).map(() => Math.random() * 256);
  globalThis.crypto?.getRandomValues(bytes);
  return bytes;
};

/**
 * A random id for a login, shaped like a UUID. `crypto.randomUUID` is missing on pages without TLS, and all of `crypto` in
 * React Native; the id has to be unique, not secret.
 */
export const createRandomId = (): string =>
  toHexadecimal(createRandomBytes(16).buffer).replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** 43 random characters of base64url. React Native needs a `crypto` for them to be a secret, such as `react-native-get-random-values`. */
export const createRandomToken = (): string =>
  Array.from(createRandomBytes(43), (byte) => CHARACTERS[byte % 64]).join("");
