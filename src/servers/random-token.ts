/** 256 random bits that an address and a cookie can hold. */
export function createToken(): string {
  return toText(crypto.getRandomValues(new Uint8Array(32)));
}

/** Whether a text looks like one. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** As base64url. */
function toText(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
