import { createBrowserReceiver } from "@statelyai/inspect";

declare global {
  interface Window {
    received: object[];
  }
}

// The package's own: it posts the greeting and takes what follows.
window.received = [];
createBrowserReceiver().subscribe((message) => window.received.push(message));
