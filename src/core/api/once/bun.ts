/** Bun sends a GET again on another connection if a kept one breaks. */
export function sendOnceOnBun(fetch: typeof globalThis.fetch, address: string, init: RequestInit): Promise<Response> {
  return fetch(address, { ...init, keepalive: false });
}
