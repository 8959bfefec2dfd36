import type { Relay } from "ventanilla/relay";

/** What SvelteKit gives a handler, as its `RequestEvent`. */
interface Event {
  readonly request: Request;
  getClientAddress(): string;
}

export function withSvelteKit(relay: Relay) {
  // In src/routes/bank/[...path]/+server.ts:
  // export const { GET, POST, OPTIONS, trailingSlash } = withSvelteKit(relay);
  const handle = ({ request, getClientAddress }: Event) => relay(Object.assign(request, { ip: getClientAddress() }));
  return { GET: handle, POST: handle, OPTIONS: handle, trailingSlash: "ignore" } as const;
}
