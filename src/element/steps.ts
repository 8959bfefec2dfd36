import { html, nothing, type TemplateResult } from "lit";
import type { LinkView } from "../link/view.ts";
import type { BankLoginTexts } from "./texts.ts";

/** What stands over a screen. */
export function titleOf(view: LinkView, texts: BankLoginTexts): string {
  switch (view.step) {
    case "choosingProvider":
    case "loadingProviders":
    case "loadingFields":
      return texts.chooseBank;
    case "enteringCredentials":
    case "submitting":
    case "listingClients":
    case "selectingClient":
    case "replacingSession":
      return texts.logInAt;
    case "answering":
      return texts.oneMoreStep;
    case "choosingClient":
      return texts.chooseClient;
    case "clientRequired":
    case "failed":
    case "linkFailed":
      return texts.notLoggedIn;
    case "loadingDestinations":
    case "linked":
      return texts.loggedIn;
    case "left":
      return texts.left;
  }
}

/** What is waited for, where anything is. */
export function waitOf(view: LinkView, texts: BankLoginTexts): string | undefined {
  return view.busy ? texts[view.step] : undefined;
}

/** A wait, with what is waited for. */
export function waitTemplate(text: string): TemplateResult {
  return html`<div class="wait" part="wait"><span class="spinner" aria-hidden="true"></span><span>${text}</span></div>`;
}

/** The clients to choose from. */
export function clientsTemplate({ clients, choose }: Extract<LinkView, { step: "choosingClient" }>): TemplateResult {
  return html`<ul class="clients">
    ${clients.map(
      ({ id, name }) => html`<li>
        <button type="button" part="client" data-choice=${id} @click=${() => choose(id)}>${name}</button>
      </li>`,
    )}
  </ul>`;
}

/** The end of it. */
export function doneTemplate(text: string): TemplateResult {
  return html`<div class="done" part="done">
    <svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2">
      <circle cx="12" cy="12" r="10" />
      <path d="m7.5 12.5 3 3 6-6.5" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
    <p>${text}</p>
  </div>`;
}

/** The buttons under a screen: what is possible there, and nothing else. */
export function actionsTemplate(view: LinkView, texts: BankLoginTexts): TemplateResult {
  const verb = (name: "retry" | "replaceSession" | "changeProvider" | "cancel" | "leave", style: string) => {
    const run = (view as { readonly [verb in typeof name]?: () => void })[name];
    return run
      ? html`<button type="button" class=${style} part="button ${name}" data-verb=${name} @click=${() => run()}>
          ${texts[name]}
        </button>`
      : nothing;
  };
  return html`<div class="actions">
    ${verb("retry", "primary")} ${verb("replaceSession", "primary")} ${verb("cancel", "")}
    ${verb("changeProvider", "plain")} ${verb("leave", "plain")}
  </div>`;
}
