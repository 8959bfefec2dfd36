import { createHmac } from "node:crypto";
import { retry, wait } from "../../../core/api/repetition.ts";
import { BankError } from "../../../index.ts";
import type { HostedEnd, HostedProgress } from "../../../servers/hosted/index.ts";
import { formatWebhook } from "./api-schemas.ts";

/** Milliseconds for one end: a hosted login gives `onEnd` ten seconds. */
const TIME = 9_000;

/** Milliseconds before each repeat. */
const DELAYS = [250, 1_000, 4_000];

export interface WebhookOptions {
  readonly url: string;
  /** As Standard Webhooks write them: `whsec_` and 24 to 64 bytes as base64. Each one signs, so a receiver may know the old one or the new one. */
  readonly secrets: readonly string[];
  /** Waits for that many milliseconds. A test passes its own. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Tells the app of each end, signed as Standard Webhooks say, with the session's id as the message's, and of the steps on the way. No body has a session
 * key.
 *
 * @returns a function for `onEnd` and `onProgress`: it rejects where the app did not respond with 2xx, and the hosted login calls it again later.
 * @throws {BankError} `invalid_input` naming the secret; also for `http` beyond this machine.
 */
export function createSessionWebhook({ url, secrets, pause = wait }: WebhookOptions) {
  const keys = secrets.map(readKey);
  return async (event: HostedEnd | HostedProgress): Promise<void> => {
    const message = formatWebhook(event);
    const { id } = message;
    const body = JSON.stringify(message.body);
    const signal = AbortSignal.timeout(TIME);
    await retry(
      () => send(body, id, signal),
      (_, tries) => (signal.aborted ? undefined : DELAYS[tries - 1]),
      (time) => pause(time, signal),
    );
  };

  /** @throws {BankError} why the app has not got it. */
  async function send(body: string, id: string, signal: AbortSignal): Promise<void> {
    let failure: string;
    const timestamp = Math.floor(Date.now() / 1000);
    const sign = (key: Buffer) => createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
    try {
      const response = await fetch(url, {
        method: "POST",
        // Another address was not given to us.
        redirect: "manual",
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": String(timestamp),
          "webhook-signature": keys.map((key) => `v1,${sign(key)}`).join(" "),
        },
        body,
        signal,
      });
      await response.body?.cancel();
      if (response.ok) return;
      failure = `HTTP ${response.status}`;
    } catch {
      // The platform's error has the address.
      failure = signal.aborted ? "no response in time" : "no connection";
    }
    throw new BankError("handler_failed", { field: "--webhook", detail: failure });
  }
}

function readKey(secret: string): Buffer {
  const text = secret.startsWith("whsec_") ? secret.slice("whsec_".length) : "";
  const key = Buffer.from(text, "base64");
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(text) && key.length >= 24 && key.length <= 64) return key;
  const detail = "must be whsec_ and 24 to 64 bytes as base64";
  throw new BankError("invalid_input", { field: "VENTANILLA_WEBHOOK_SECRET", detail });
}
