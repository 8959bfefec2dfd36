/** What React Native's JavaScript is told of a request: the names and values of `RCTNetworking.mm`. */
export type EmitDeviceEvent = (name: string, body: readonly unknown[]) => void;

interface Query {
  readonly method: string;
  readonly url: string;
  readonly data: { readonly string?: string };
  readonly headers: Readonly<Record<string, string>>;
  readonly responseType: string;
}

/**
 * The native modules of iOS behind React Native's `fetch`, over a `fetch` of Node: it follows redirects, keeps bodies as blobs,
 * and says nothing about a request that was aborted.
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
      // Tried once, with nothing in it: `fetch` keeps bodies as blobs where there are blobs.
      createFromParts: (_parts: readonly object[], blobId: string) => blobs.set(blobId, new Uint8Array()),
      release: (blobId: string) => blobs.delete(blobId),
    },
    FileReaderModule: {
      /** `NSString` is nothing where the bytes are not of the encoding. */
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
