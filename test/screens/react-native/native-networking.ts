/** Sends an event of a request to React Native's JavaScript: the names and values of `RCTNetworking.mm`. */
export type EmitDeviceEvent = (name: string, body: readonly unknown[]) => void;

interface Query {
  readonly method: string;
  readonly url: string;
  readonly data: { readonly string?: string };
  readonly headers: Readonly<Record<string, string>>;
  readonly responseType: string;
}

/**
 * The native modules of iOS behind React Native's `fetch`, over a `fetch` of Node. They follow redirects, keep bodies as blobs, and send
 * no event of an aborted request.
 */
export function createNativeNetworking(fetch: typeof globalThis.fetch, emit: EmitDeviceEvent) {
  const running = new Map<number, AbortController>();
  const blobs = new Map<string, Uint8Array>();
  let requests = 0;

  const load = async (id: number, { method, url, data, headers, responseType }: Query, signal: AbortSignal) => {
    try {
      if (responseType !== "blob") throw new Error(`unexpected responseType: ${responseType}`);
      const body = data.string ?? null;
      const response = await fetch(url, { method, headers, body, signal, redirect: "follow" });
      emit("didReceiveNetworkResponse", [
        id,
        response.status,
        Object.fromEntries(response.headers),
        response.url || url,
      ]);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (signal.aborted) return;
      const blobId = `blob ${id}`;
      blobs.set(blobId, bytes);
      emit("didReceiveNetworkData", [id, { blobId, offset: 0, size: bytes.length, name: null, type: null }]);
      emit("didCompleteNetworkResponse", [id, null, false]);
    } catch {
      if (!signal.aborted) emit("didCompleteNetworkResponse", [id, "The network connection was lost.", false]);
    } finally {
      running.delete(id);
    }
  };

  return {
    Networking: {
      sendRequest(query: Query, callback: (id: number) => void) {
        requests += 1;
        const controller = new AbortController();
        running.set(requests, controller);
        callback(requests);
        void load(requests, query, controller.signal);
      },
      abortRequest: (id: number) => running.get(id)?.abort(),
      addListener() {},
      removeListeners() {},
    },
    BlobModule: {
      getConstants: () => ({ BLOB_URI_SCHEME: "blob", BLOB_URI_HOST: null }),
      addNetworkingHandler() {},
      // Called once without parts: `fetch` keeps bodies as blobs if blobs work.
      createFromParts: (_parts: readonly object[], blobId: string) => blobs.set(blobId, new Uint8Array()),
      release: (blobId: string) => blobs.delete(blobId),
    },
    FileReaderModule: {
      /** Like `NSString`, it returns nothing for bytes that are not of the encoding. */
      async readAsText({ blobId }: { blobId: string }, encoding: string) {
        try {
          return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(blobs.get(blobId));
        } catch {
          return null;
        }
      },
    },
    NativeMicrotasksCxx: { queueMicrotask },
  };
}
