/** The part of Deno that is used here. */
export interface DenoNamespace {
  createHttpClient?(options: object): { close(): void };
}

/**
 * Deno sends a request again if a kept connection closes without a response, or if an HTTP/2 server refuses its stream: this client
 * keeps no connection, and speaks HTTP/1.1.
 */
export async function sendOnceOnDeno(
  deno: DenoNamespace,
  fetch: typeof globalThis.fetch,
  address: string,
  init: RequestInit,
): Promise<Response> {
  const client = deno.createHttpClient?.({ poolMaxIdlePerHost: 0, http2: false });
  try {
    return await fetch(address, { ...init, client } as RequestInit);
  } finally {
    client?.close();
  }
}
