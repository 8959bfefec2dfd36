import { type BankClient, createBankClient } from "../../core/api/client.ts";
import { createRelayClient } from "../../core/api/relay-client.ts";
import { createMemoryStore } from "../../core/tokens/memory-store.ts";
import { type BankLogin, defineBankLogin } from "../../screens/element/index.ts";
import { createRelay } from "../../servers/relay/index.ts";
import { inspectLogin } from "../../tools/inspect/browser.ts";
import { createSandbox, SANDBOX_API_KEY } from "../../tools/sandbox/index.ts";

// Requests don't leave the page: the address is only a name.
const ORIGIN = "http://playground.example";

/** Sandbox, relay and client in one page: as in production, the client has neither an API key nor a key of the bank. */
function createPlaygroundBank(): BankClient {
  const sandbox = createSandbox();
  const relay = createRelay({
    client: createBankClient({
      baseUrl: "http://sandbox.example",
      apiKey: SANDBOX_API_KEY,
      fetch: (input, init) => sandbox(new Request(input, init)),
    }),
    store: createMemoryStore(),
    allowedOrigins: [ORIGIN],
    clientSelection: true,
    logout: true,
    // The relay ends with the page.
    readUser: false,
    onLogin: () => {},
    rateLimit: false,
  });
  return createRelayClient({
    baseUrl: ORIGIN,
    fetch: (input, init) => {
      const request = new Request(input, init);
      // A browser adds the origin to a request that it sends. This one is not sent.
      const headers = new Headers(request.headers);
      headers.set("origin", ORIGIN);
      return relay(Object.defineProperty(request, "headers", { value: headers }));
    },
  });
}

/** Connects a page's component to a bank in that page, and a frame to its statechart. */
export function startLiveLogin(element: BankLogin, frame: HTMLIFrameElement, viewer: string): void {
  defineBankLogin();
  customElements.upgrade(element);
  element.client = createPlaygroundBank();
  element.inspect = inspectLogin({ iframe: frame, url: viewer });
}
