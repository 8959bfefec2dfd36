import { randomBytes } from "node:crypto";
import { closeServer } from "../../../core/http/loopback.ts";
import { createMemoryStore } from "../../../core/tokens/memory-store.ts";
import { createHostedLogin, type HostedLogin, type HostedLoginOptions } from "../../../servers/hosted/index.ts";
import { listenOnPort } from "../local-pages.ts";
import { findTelemetry } from "../registered-telemetry.ts";
import { createDrainingServer } from "./draining-server.ts";

/** What hosted logins of this machine are made from. */
export interface LocalLoginsOptions
  extends Omit<HostedLoginOptions, "url" | "name" | "sealKey" | "store">,
    Partial<Pick<HostedLoginOptions, "sealKey" | "store">> {
  /** Default: a free one. */
  readonly port?: number;
  /** Called with each response of a page. */
  readonly onResponse?: (response: Response) => void;
}

/** Hosted logins whose pages no other machine reaches. Without `store` and `sealKey` they end with the process. */
export async function openLocalLogins({ port, onResponse, onEvent, ...options }: LocalLoginsOptions) {
  const { observation, flush } = await findTelemetry();
  let handle: HostedLogin["handle"] = async () => new Response(null, { status: 503 });
  const respond = observation.handle(async (request) => {
    const response = await handle(request);
    onResponse?.(response);
    return response;
  });
  const { server, drain } = createDrainingServer(respond);
  const url = `${await listenOnPort(server, port)}/login`;
  const hosted = createHostedLogin({
    sealKey: randomBytes(32).toString("base64"),
    store: createMemoryStore(),
    ...options,
    onEvent(event) {
      observation.onEvent(event);
      return onEvent?.(event);
    },
    url,
    name: "ventanilla",
  });
  handle = hosted.handle;
  return {
    hosted,
    url,
    /** Takes no more requests, and resolves when those that were begun have their responses. */
    async drain() {
      await drain();
      await flush();
    },
    async close() {
      await closeServer(server);
      await flush();
    },
  };
}
