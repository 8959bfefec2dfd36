/** The SHA-256 of a text, in hexadecimal. It needs WebCrypto, which pages without TLS and React Native do not have. */
export const digestText = async (text: string): Promise<string> =>
  toHexadecimal(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

export const toHexadecimal = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
