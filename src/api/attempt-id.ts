/**
 * A random name for one attempt, shaped like a UUID. `crypto.randomUUID` is missing on pages without TLS, and all of `crypto` in
 * React Native; the id has to be unique, not secret.
 */
export function createAttemptId(): string {
  const bytes = new Uint8Array(16).map(() => Math.random() * 256);
  globalThis.crypto?.getRandomValues(bytes);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
