import { randomBytes } from "node:crypto";
import { closeServer, listen } from "../../../core/http/loopback.ts";
import {
  createHostedLogin,
  createMemoryRecordStore,
  type HostedLogin,
  type HostedLoginOptions,
} from "../../../servers/hosted/index.ts";
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
export async function openLocalLogins({ port, onResponse, ...options }: LocalLoginsOptions) {
  let handle: HostedLogin["handle"] = async () => new Response(null, { status: 503 });
  const { server, drain } = createDrainingServer(async (request) => {
    const response = await handle(request);
    onResponse?.(response);
    return response;
  });
  const url = `${await listen(server, port)}/login`;
  const hosted = createHostedLogin({
    sealKey: randomBytes(32).toString("base64"),
    store: createMemoryRecordStore(),
    ...options,
    url,
    name: "ventanilla",
  });
  handle = hosted.handle;
  return {
    hosted,
    url,
    /** Takes no more requests, and resolves when those that were begun have their responses. */
    drain,
    /** Stops at once. */
    close: () => closeServer(server),
  };
}
