import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { defineBankLogin } from "ventanilla/element";
import { createApp, h } from "vue";
import { sandboxClient } from "../../../docs/examples/sandbox-client.ts";

defineBankLogin();
window.requests = [];

const client = sandboxClient();
const heard = (framework: string) => (event: CustomEvent<{ provider: string }>) =>
  window.requests.push(`${framework}: ${event.detail.provider}`);

// React 19 sets properties and listens to events by their own names; a boolean property needs no attribute.
createRoot(document.getElementById("react") as HTMLElement).render(
  createElement("bank-login", { client, provider: "test", locale: "es", onlogin: heard("react") } as object),
);
createApp(() => h("bank-login", { client, provider: "test", locale: "pt", onLogin: heard("vue") })).mount("#vue");
