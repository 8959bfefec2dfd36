import type { Relay } from "ventanilla/relay";

export function withNext(relay: Relay) {
  // In app/bank/[...path]/route.ts: export const { GET, POST, OPTIONS } = withNext(relay);
  return { GET: relay, POST: relay, OPTIONS: relay };
}
