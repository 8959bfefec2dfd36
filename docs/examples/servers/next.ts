import type { Relay } from "ventanilla/relay";

/** For createRelay: Next.js does not tell the address of the connection. This header is from your proxy: Vercel's, or your nginx. */
export const readCaller = ({ headers }: Request) => headers.get("x-real-ip") ?? undefined;

export function withNext(relay: Relay) {
  // In app/bank/[...path]/route.ts: export const { GET, POST, OPTIONS } = withNext(relay);
  return { GET: relay, POST: relay, OPTIONS: relay };
}
