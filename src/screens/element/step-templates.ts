import { html, nothing, type TemplateResult } from "lit";
import { type BankLoginTexts, fillIn } from "../../core/texts/languages.ts";
import type { ChosenProvider, LinkView } from "../../core/view/link-view.ts";
import { findBackVerb, findPrimaryVerb, hasForm, type Verb, type Verbs } from "./step-verbs.ts";

const titles = {
  loadingProviders: "chooseBank",
  choosingProvider: "chooseBank",
  loadingFields: "logInAt",
  enteringCredentials: "logInAt",
  submitting: "logInAt",
  answering: "oneMoreStep",
  listingClients: "logInAt",
  choosingClient: "chooseClient",
  selectingClient: "logInAt",
  clientRequired: "notLoggedIn",
  replacingSession: "logInAt",
  // The same title as before the failure: a longer one would move the form.
  failed: "logInAt",
  linkFailed: "linkFailed",
  loadingDestinations: "loggedIn",
  linked: "loggedIn",
  cancelled: "cancelled",
} as const satisfies Record<LinkView["step"], keyof BankLoginTexts>;

/** The title of a step. */
export function formatTitle(view: LinkView, texts: BankLoginTexts): string {
  if (view.step === "loadingFields" && !view.bank) return texts.logIn;
  return view.step === "failed" && !hasForm(view) ? texts.notLoggedIn : texts[titles[view.step]];
}

/** What a busy step waits for. */
export function formatWait(view: LinkView, texts: BankLoginTexts): string | undefined {
  return view.busy ? texts[view.step] : undefined;
}

/** What happens after the login. */
export function formatSuccess(
  { bank, destinations }: Extract<LinkView, { step: "linked" }>,
  texts: BankLoginTexts,
): string {
  const text = destinations.length > 0 ? texts.linkedAt : texts.loggedInAt;
  return fillIn(text, { bank: bank.name, count: destinations.length });
}

/** A wait, with its text. */
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

/** The end of the flow. */
export function doneTemplate(text: string): TemplateResult {
  return html`<div class="done" part="done">
    <svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5">
      <circle cx="12" cy="12" r="10" />
      <path d="m7.5 12.5 3 3 6-6.5" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
    <p>${text}</p>
  </div>`;
}

/** The header of every step: the button to go back, the bank, the title and the button to close. */
export function headerTemplate(
  view: LinkView,
  texts: BankLoginTexts,
  bank: (Pick<ChosenProvider, "name" | "accountTypes"> & { readonly logo: TemplateResult }) | undefined,
): TemplateResult {
  const back = findBackVerb(view);
  const title = formatTitle(view, texts);
  const isBankInTitle = title.includes("{bank}");
  const accountTypes = isBankInTitle ? bank?.accountTypes.map(({ label }) => label).join(", ") : "";
  return html`<header part="header">
    ${back ? iconTemplate(view, back, texts, "m14.5 5-7 7 7 7") : nothing}
    ${bank?.logo ?? nothing}
    <div class="titles">
      ${bank && !isBankInTitle ? html`<p class="quiet" part="provider">${bank.name}</p>` : nothing}
      <h2 id="title" part="title" tabindex="-1">${fillIn(title, { bank: bank?.name ?? "" })}</h2>
      ${accountTypes ? html`<p class="quiet" part="account-types">${accountTypes}</p>` : nothing}
    </div>
    ${view.cancelLink ? iconTemplate(view, "cancelLink", texts, "m6 6 12 12M18 6 6 18") : nothing}
  </header>`;
}

function iconTemplate(view: LinkView, verb: Verb, texts: BankLoginTexts, path: string): TemplateResult {
  return html`<button
    type="button"
    class="icon"
    part="button ${verb}"
    data-verb=${verb}
    title=${texts[verb]}
    @click=${(view as Verbs)[verb]}
  >
    <svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2">
      <path d=${path} stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  </button>`;
}

/** The button of a step without a form. */
export function primaryTemplate(view: LinkView, texts: BankLoginTexts): TemplateResult | typeof nothing {
  const verb = findPrimaryVerb(view);
  return verb ? buttonTemplate(verb, texts, (view as Verbs)[verb]) : nothing;
}

/** The only button of a step. */
export function buttonTemplate(
  verb: Verb | "again",
  texts: BankLoginTexts,
  run: (() => void) | undefined,
): TemplateResult {
  return html`<button type="button" class="primary" part="button ${verb}" data-verb=${verb} @click=${run}>
    ${texts[verb]}
  </button>`;
}
