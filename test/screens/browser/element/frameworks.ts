import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { createApp, h } from "vue";
import { sandboxClient } from "../../../../docs/examples/sandbox-client.ts";

const heard = (framework: string) => (event: CustomEvent<{ provider: string }>) =>
  window.requests.push(`${framework}: ${event.detail.provider}`);

const addRoot = (id: string) => document.body.appendChild(Object.assign(document.createElement("div"), { id }));

/** Vue writes `session-replacement="false"`, and both frameworks set the property `destinations`. */
const off = { "session-replacement": false, destinations: "false" };

/** The tag in React 19, which sets properties and listens to events by their own names, and in Vue. */
export function showInFrameworks(): void {
  window.requests = [];
  const client = sandboxClient();
  createRoot(addRoot("react")).render(
    createElement("bank-login", { client, provider: "test", locale: "es", ...off, onlogin: heard("react") } as object),
  );
  const vue = () => h("bank-login", { client, provider: "test", locale: "pt", ...off, onLogin: heard("vue") });
  createApp(vue).mount(addRoot("vue"));
}
