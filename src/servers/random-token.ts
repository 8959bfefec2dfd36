/** 256 random bits that an address and a cookie can hold. */
export function createToken(): string {
  return toText(crypto.getRandomValues(new Uint8Array(32)));
}

/** Whether a text looks like one. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** What stands for a token in the store: the token can't be read from it. */
export async function digest(token: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** As base64url. */
function toText(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
